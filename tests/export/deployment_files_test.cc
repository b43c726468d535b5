#include "export/deployment_files.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/catalog.h"

namespace podwright::deployment_files_test {
namespace {

ServingRun run_on(std::string engine, ServingParallelism parallelism) {
  ServingRun run;
  run.engine = std::move(engine);
  run.weight_precision = "fp8";
  run.parallelism = parallelism;
  run.input_tokens = 1024;
  run.output_tokens = 1024;
  return run;
}

ExportFiles files_of(const ServingRun& run, DeploymentExport wanted, sizing::LaunchNames names = {}) {
  const Catalog& catalog = embedded_catalog_facts();
  const std::array<DeploymentExport, 1> one{wanted};
  return deployment_files({.model = **find_model(catalog, "llama-3.1-70b"),
                           .gpu = **find_gpu(catalog, "h100-sxm5-80gb"),
                           .run = run,
                           .node_gpus = 8,
                           .names = std::move(names)},
                          one);
}

TEST(DeploymentFiles, OfVllmAreItsConfigurationVariablesAndStart) {
  const ExportFiles made =
      files_of(run_on("vllm", {.tensor = 4}), DeploymentExport::engine, {.model = "meta-llama/Llama-3.1-70B"});
  ASSERT_EQ(made.files.size(), 3u);
  EXPECT_EQ(made.files[0].name, "vllm/config.yml");
  EXPECT_EQ(made.files[0].text,
            "# vLLM 0.20.1\n"
            "model: \"meta-llama/Llama-3.1-70B\"\n"
            "host: \"0.0.0.0\"\n"
            "port: 8000\n"
            "tensor-parallel-size: 4\n"
            "max-model-len: 2048\n");
  EXPECT_EQ(made.files[1].name, "vllm/environment.sh");
  EXPECT_NE(made.files[2].text.find("exec vllm serve \\\n  --config config.yml \\\n"), std::string::npos);
}

TEST(DeploymentFiles, OfAVersionWithoutConfigurationHaveTheOptionsInTheStart) {
  const ExportFiles made =
      files_of(run_on("sglang", {.tensor = 4}), DeploymentExport::engine, {.engine_version = "0.4.5"});
  ASSERT_EQ(made.files.size(), 2u);
  EXPECT_NE(made.files[1].text.find("--model-path \"$MODEL\" \\\n"), std::string::npos);
}

TEST(DeploymentFiles, SayWhatAVersionLacks) {
  const ServingRun run = run_on("vllm", {.tensor = 8, .pipeline = 2});
  const ExportFiles old = files_of(run, DeploymentExport::kubernetes, {.engine_version = "0.11.0"});
  EXPECT_TRUE(old.files.empty());
  ASSERT_FALSE(old.not_written.empty());
  EXPECT_EQ(old.not_written[0], "--nnodes is not among the options of vLLM 0.11.0: choose another version.");
  EXPECT_EQ(
      files_of(run, DeploymentExport::kubernetes, {.engine_version = "9"}).not_written,
      std::vector<std::string>{"The options of vllm 9 are not listed here; those of 0.11.0, 0.12.0, 0.20.1 are."});
  EXPECT_EQ(files_of(run, DeploymentExport::compose).not_written,
            std::vector<std::string>{"Docker Compose starts the servers of one node: the deployment takes 16 GPUs, a "
                                     "node has 8."});
}

TEST(DeploymentFiles, RefuseNamesThatAProgramTakesForOptions) {
  const ExportFiles made = files_of(run_on("vllm", {}), DeploymentExport::engine, {.model = "--trust-remote-code"});
  EXPECT_TRUE(made.files.empty());
  EXPECT_EQ(made.not_written,
            std::vector<std::string>{"The name of a model must not begin with a dash: --trust-remote-code"});
}

TEST(DeploymentFiles, NameTheImageOfTheVersion) {
  const ExportFiles made =
      files_of(run_on("vllm", {}), DeploymentExport::kubernetes, {.engine_version = "0.12.0", .name_space = "chat"});
  ASSERT_EQ(made.files.size(), 1u);
  EXPECT_NE(made.files[0].text.find("image: \"vllm/vllm-openai:v0.12.0\"\n"), std::string::npos);
  EXPECT_NE(made.files[0].text.find("  namespace: \"chat\"\n"), std::string::npos);
}

}  // namespace
}  // namespace podwright::deployment_files_test
