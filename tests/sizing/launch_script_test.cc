#include "sizing/launch_script.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "catalog/catalog.h"
#include "sizing/serving_launch.h"
#include "sizing/training_launch.h"

namespace podwright::sizing::launch_script_test {
namespace {

const Model& model(std::string_view id) { return **find_model(embedded_catalog_facts(), id); }
const Gpu& h100() { return **find_gpu(embedded_catalog_facts(), "h100-sxm5-80gb"); }

std::vector<LaunchArguments> serving(std::string engine, ServingParallelism parallelism, bool pools = false) {
  ServingRun run;
  run.engine = std::move(engine);
  run.weight_precision = "fp8";
  run.parallelism = parallelism;
  run.input_tokens = 2048;
  run.output_tokens = 512;
  if (pools)
    run.disaggregated =
        Disaggregated{.prefill_gpus = 2, .decode_gpus = 4, .prefill = {.tensor = 2}, .decode = {.tensor = 4}};
  return serving_launch_arguments(model("llama-3.1-70b"), h100(), run, 8);
}

std::vector<std::string> names(const std::vector<LaunchScript>& scripts) {
  std::vector<std::string> out;
  for (const LaunchScript& script : scripts) out.push_back(script.name);
  return out;
}

TEST(LaunchScripts, OneForEachProgramThatCanStart) {
  EXPECT_EQ(names(serving_scripts(serving("vllm", {.tensor = 4}))), std::vector<std::string>{"serve.sh"});
  EXPECT_EQ(names(serving_scripts(serving("vllm", {}, true))),
            (std::vector<std::string>{"serve-prefill.sh", "serve-decode.sh", "serve-router.sh"}));
  EXPECT_TRUE(serving_scripts(std::vector<LaunchArguments>{{.program = "x", .form = "command-line", .cannot = {"no"}}})
                  .empty());
}

TEST(LaunchScripts, AnApostropheInWhatIsAskedForEndsNoQuotes) {
  const std::vector<LaunchArguments> launch{{.program = "run",
                                             .form = "command-line",
                                             .environment = {asked_variable("MODEL", "the team's\nfolder")},
                                             .arguments = {"\"$MODEL\""}}};
  EXPECT_NE(serving_scripts(launch)[0].text.find("need MODEL 'the team'\\''s folder'\n"), std::string::npos);
}

// There is no shell in WebAssembly.
#ifndef __EMSCRIPTEN__

namespace fs = std::filesystem;

class Shell : public testing::Test {
 protected:
  Shell() : folder_(fs::path(testing::TempDir()) / "podwright-scripts") {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "bin");
  }
  ~Shell() override { fs::remove_all(folder_); }

  /// What a bash script prints in an empty folder, and its status; programs there print the words that they are given.
  std::pair<std::string, int> output(const std::string& script, const std::string& variables) const {
    std::ofstream(folder_ / "script.sh") << script;
    const std::string command = "cd '" + folder_.string() + "' && env PATH=\"$PWD/bin:/usr/bin:/bin\" " + variables +
                                " bash script.sh 'last word' 2>&1";
    std::string text;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return {"no shell", -1};
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
    return {text, pclose(pipe)};
  }

  /// Runs each script with programs that print their words, and compares with the words as a shell reads the arguments.
  void expect_words(const std::vector<LaunchScript>& scripts, const std::vector<std::vector<std::string>>& expected) {
    for (const char* program : {"vllm", "trtllm-serve", "python3", "llama-server", "lmdeploy", "torchrun", "mpirun"}) {
      const fs::path path = folder_ / "bin" / program;
      std::ofstream(path) << "#!/bin/bash\nprintf '%s\\n' \"$@\"\n";
      fs::permissions(path, fs::perms::owner_all);
    }
    ASSERT_EQ(scripts.size(), expected.size());
    for (std::size_t i = 0; i < scripts.size(); ++i) {
      std::string said = "printf '%s\\n'";
      for (const std::string& argument : expected[i]) said += " " + argument;
      const auto [words, ok] = output(said + " \"$@\"\n", kVariables);
      const auto [got, status] = output(scripts[i].text, kVariables);
      EXPECT_EQ(ok, 0) << words;
      EXPECT_EQ(status, 0) << scripts[i].text << got;
      EXPECT_EQ(got, words) << scripts[i].name;
    }
  }

  static constexpr const char* kVariables =
      "MODEL='/a folder/model' DRAFT_MODEL=draft MASTER_ADDR=head MASTER_PORT=1 NODE_RANK=1 JOB_ID=job MEGATRON_LM=/m "
      "DATA_PATH=/data/web TOKENIZER=llama TITAN_MODEL=llama3 TITAN_FLAVOR=8B TITAN_DATASET=c4";
  fs::path folder_;
};

/// The words of a program after its name: "serve" of "vllm serve".
std::vector<std::string> words_after(const LaunchArguments& launch) {
  std::vector<std::string> words = launch.arguments;
  const std::size_t space = launch.program.find(' ');
  if (space != std::string::npos) words.insert(words.begin(), launch.program.substr(space + 1));
  return words;
}

TEST_F(Shell, ProgramsGetTheArgumentsOfTheLaunch) {
  for (const char* engine : {"vllm", "sglang", "tensorrt-llm", "lmdeploy"})
    for (const ServingParallelism& parallelism :
         {ServingParallelism{.tensor = 4}, ServingParallelism{.tensor = 8, .pipeline = 2}}) {
      const std::vector<LaunchArguments> launch = serving(engine, parallelism);
      if (launch[0].arguments.empty()) continue;
      expect_words(serving_scripts(launch), {words_after(launch[0])});
    }
}

TEST_F(Shell, TensorRtFindsItsFileOfOptions) {
  const std::vector<LaunchArguments> launch = serving("tensorrt-llm", {.tensor = 4});
  ASSERT_EQ(launch.size(), 2u);
  expect_words(serving_scripts(launch), {words_after(launch[0])});
  std::ifstream file(folder_ / launch[1].program);
  for (const std::string& line : launch[1].arguments) {
    std::string read;
    ASSERT_TRUE(std::getline(file, read));
    EXPECT_EQ(read, line);
  }
}

TEST_F(Shell, FilesOfOptionsHoldTheValuesOfVariables) {
  const std::vector<LaunchScript> scripts = serving_scripts(
      std::vector<LaunchArguments>{{.program = "vllm",
                                    .form = "command-line",
                                    .environment = {asked_variable("HOST", "a host")},
                                    .arguments = {"-c o.yaml"}},
                                   {.program = "o.yaml", .form = "yaml", .arguments = {"url: \"$HOST:8100\""}}});
  expect_words({}, {});
  EXPECT_EQ(output(scripts[0].text + "\n", "HOST=there").second, 0);
  std::string line;
  std::ifstream file(folder_ / "o.yaml");
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_EQ(line, "url: \"there:8100\"");
}

TEST_F(Shell, WhatIsMissingIsNamed) {
  const std::vector<LaunchScript> scripts = serving_scripts(serving("vllm", {.tensor = 8, .pipeline = 2}));
  const auto [text, status] = output(scripts[0].text, "MODEL=m MASTER_ADDR=head");
  EXPECT_NE(status, 0);
  EXPECT_EQ(text, "NODE_RANK is missing: 0 on the first node, 1 on the next ...\n");
}

TEST_F(Shell, TrainingAsksForDataAndTokenizer) {
  TrainingRun run;
  run.parallelism = {.data = 8, .zero_stage = 1};
  const std::vector<LaunchArguments> programs{megatron_arguments(model("llama-3.1-8b"), h100(), run)};
  const std::string script = training_scripts(torchrun_arguments(8, 8), programs).front().text;
  EXPECT_EQ(output(script, "MASTER_ADDR=head MASTER_PORT=1 JOB_ID=job DATA_PATH=d").first,
            "TOKENIZER is missing: folder or Hugging Face name of the tokenizer\n");
}

TEST_F(Shell, OneNodeNeedsNoMeetingPoint) {
  TrainingRun run;
  run.parallelism = {.data = 8, .zero_stage = 1};
  const std::vector<LaunchArguments> programs{megatron_arguments(model("llama-3.1-8b"), h100(), run)};
  const std::string alone = training_scripts(torchrun_arguments(8, 8), programs).front().text;
  EXPECT_EQ(output(alone, "DATA_PATH=d").first, "TOKENIZER is missing: folder or Hugging Face name of the tokenizer\n");
  const std::string several = training_scripts(torchrun_arguments(16, 8), programs).front().text;
  EXPECT_EQ(output(several, "DATA_PATH=d").first, "MASTER_ADDR is missing: address of the first node\n");
}

TEST_F(Shell, TorchrunStartsMegatronAndTorchtitan) {
  TrainingRun run;
  run.sequence_length = 8192;
  run.global_batch_size = 256;
  run.parallelism = {.data = 16, .zero_stage = 2};
  const LaunchArguments torchrun = torchrun_arguments(16, 8);
  const std::vector<LaunchArguments> programs{
      megatron_arguments(model("llama-3.1-8b"), h100(), run, {.tokens = 1e12}),
      torchtitan_arguments(model("llama-3.1-8b"), h100(), run, {.tokens = 1e12})};
  const std::vector<LaunchScript> scripts = training_scripts(torchrun, programs);
  EXPECT_EQ(names(scripts), (std::vector<std::string>{"train-megatron-lm.sh", "train-torchtitan.sh"}));
  std::vector<std::string> megatron = torchrun.arguments;
  megatron.push_back("/m/pretrain_gpt.py");
  megatron.insert(megatron.end(), programs[0].arguments.begin(), programs[0].arguments.end());
  std::vector<std::string> torchtitan = torchrun.arguments;
  for (const char* words : {"-m torchtitan.train --job.config_file podwright.toml", "--model.name llama3",
                            "--model.flavor 8B", "--training.dataset c4"})
    torchtitan.emplace_back(words);
  expect_words(scripts, {megatron, torchtitan});
}

#endif

}  // namespace
}  // namespace podwright::sizing::launch_script_test
