/// Writes the files of random deployments as lines of JSON, for deployment_files_test.py.
///
///     export_deployments [COUNT]
#include <array>
#include <cstdlib>
#include <iostream>

#include "base/json_write.h"
#include "catalog/catalog.h"
#include "export/deployment_files.h"
#include "hostile_names.h"
#include "sizing/engine_options.h"
#include "sizing/serving_launch.h"

namespace podwright {
namespace {

constexpr std::uint64_t kSeed = 29;
constexpr double kNodeGpus = 8;

ServingParallelism parallelism_of(Draws& draws, bool experts) {
  ServingParallelism p;
  p.tensor = draws.of(std::array{1.0, 2.0, 4.0, 8.0, 16.0});
  p.pipeline = draws.of(std::array{1.0, 1.0, 1.0, 2.0, 4.0});
  if (experts && draws.chance(0.4)) p.attention_data = draws.of(std::array{2.0, 4.0, 8.0, 16.0});
  if (experts && draws.chance(0.5)) p.expert = p.tensor * p.attention_data;
  p.data = draws.of(std::array{1.0, 1.0, 2.0, 3.0});
  return p;
}

ServingRun run_of(Draws& draws, bool experts, const Model& draft) {
  ServingRun run;
  run.engine =
      draws.of(std::array<const char*, 7>{"vllm", "vllm", "sglang", "sglang", "tensorrt-llm", "llama.cpp", "lmdeploy"});
  run.weight_precision = draws.of(std::array<const char*, 3>{"bf16", "fp8", "nvfp4"});
  if (run.engine == "llama.cpp") run.weight_precision = "q4-k-m";
  run.kv_precision = draws.of(std::array<const char*, 4>{"", "", "fp8", "nvfp4"});
  run.parallelism = parallelism_of(draws, experts);
  run.input_tokens = draws.of(std::array{512.0, 2048.0, 8000.0});
  run.output_tokens = draws.of(std::array{128.0, 512.0});
  if (draws.chance(0.5)) run.input_tokens_cv = 0.5;
  if (draws.chance(0.5)) run.max_batch_size = draws.of(std::array{1.0, 64.0, 1024.0});
  if (draws.chance(0.5)) run.max_batched_tokens = draws.of(std::array{1024.0, 8192.0});
  if (draws.chance(0.5)) run.memory_fraction = 0.88;
  if (draws.chance(0.3)) run.block_tokens = 32;
  if (draws.chance(0.2)) run.hybrid_allocator = false;
  if (draws.chance(0.3)) run.prefix_hit_ratio = 0.4;
  if (draws.chance(0.2)) run.traffic = TrafficPattern{.system_prompt_tokens = 300, .host_cache = gb(64)};
  if (draws.chance(0.3))
    run.speculative = Speculative{.draft_tokens = 3,
                                  .acceptance = 0.7,
                                  .draft_model = draws.chance(0.5) ? std::make_shared<const Model>(draft) : nullptr};
  if (draws.chance(0.3) && (run.engine == "vllm" || run.engine == "sglang" || run.engine == "tensorrt-llm"))
    run.disaggregated =
        Disaggregated{.prefill = parallelism_of(draws, experts), .decode = parallelism_of(draws, experts)};
  return run;
}

sizing::LaunchNames names_of(Draws& draws, const std::string& engine) {
  sizing::LaunchNames names{.model = draws.name(),
                            .draft_model = draws.name(),
                            .image = draws.name(),
                            .name_space = draws.name(),
                            .claim = draws.name()};
  const std::vector<sizing::EngineVersion> versions = sizing::engine_versions(engine);
  for (const sizing::EngineVersion& one : versions)
    if (draws.chance(0.5)) names.engine_version = one.version;
  return names;
}

void write_case(std::uint64_t number, const Catalog& catalog) {
  Draws draws(kSeed, number);
  Model model =
      **find_model(catalog, draws.of(std::array<const char*, 3>{"llama-3.1-70b", "deepseek-v3", "qwen3-32b"}));
  const Gpu& gpu = **find_gpu(catalog, "h100-sxm5-80gb");
  const ServingRun run = run_of(draws, model.experts > 0, **find_model(catalog, "llama-3.1-8b"));
  if (draws.chance(0.5)) {
    model.name = draws.name();
    model.id = draws.name();
  }
  const Deployment deployment{
      .model = model, .gpu = gpu, .run = run, .node_gpus = kNodeGpus, .names = names_of(draws, run.engine)};
  constexpr std::array kAll{DeploymentExport::engine, DeploymentExport::compose, DeploymentExport::kubernetes,
                            DeploymentExport::llm_d, DeploymentExport::dynamo};
  const ExportFiles files = deployment_files(deployment, kAll);
  JsonWriter out;
  out.begin_object();
  out.number("case", static_cast<double>(number));
  out.text("engine", run.engine);
  out.boolean("pools", run.disaggregated.has_value());
  out.begin_object("names");
  out.text("engine_version", deployment.names.engine_version);
  out.text("model", deployment.names.model);
  out.text("draft_model", deployment.names.draft_model);
  out.text("image", deployment.names.image);
  out.text("namespace", deployment.names.name_space);
  out.text("claim", deployment.names.claim);
  out.end_object();
  out.begin_object("files");
  for (const ExportFile& file : files.files) out.text(file.name, file.text);
  out.end_object();
  write_texts(out, "not_written", files.not_written);
  out.end_object();
  std::cout << out.take() << '\n';
}

}  // namespace
}  // namespace podwright

int main(int count, char** words) {
  const podwright::Catalog& catalog = podwright::embedded_catalog_facts();
  const std::uint64_t cases = count > 1 ? std::strtoull(words[1], nullptr, 10) : 400;
  for (std::uint64_t number = 0; number < cases; ++number) podwright::write_case(number, catalog);
}
