#include "sizing/engine_options.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace podwright::sizing::engine_options_test {
namespace {

using Lines = std::vector<std::string>;

std::vector<LaunchArguments> program(Lines arguments) {
  return {{.program = "p", .form = "command-line", .arguments = std::move(arguments)}};
}

TEST(EngineOptions, WritesOlderNamesWhereTheNewOnesAreMissing) {
  for (const auto& [version, name] : {std::pair{"1.0.0", "--extra_llm_api_options"}, {"1.2.0", "--config"}}) {
    std::vector<LaunchArguments> launch = program({"\"$MODEL\"", "--tp_size 4", "--config o.yml"});
    EXPECT_EQ(fit_to_version("tensorrt-llm", version, launch), Lines{});
    EXPECT_EQ(launch[0].arguments, (Lines{"\"$MODEL\"", "--tp_size 4", std::string(name) + " o.yml"}));
  }
}

TEST(EngineOptions, AddsWhatAVersionWantsNextToAnother) {
  std::vector<LaunchArguments> launch = program({"--ep-size 8"});
  EXPECT_EQ(fit_to_version("sglang", "0.4.5", launch), Lines{});
  EXPECT_EQ(launch[0].arguments, (Lines{"--ep-size 8", "--enable-ep-moe"}));
  launch = program({"--ep-size 8"});
  fit_to_version("sglang", "0.5.11", launch);
  EXPECT_EQ(launch[0].arguments, Lines{"--ep-size 8"});
}

TEST(EngineOptions, NamesOptionsAndValuesThatAreMissing) {
  std::vector<LaunchArguments> launch =
      program({"--nnodes 2", "--speculative-config.method draft_model", "--max-model-len 8"});
  EXPECT_EQ(fit_to_version("vllm", "0.11.0", launch), (Lines{"--nnodes", "--speculative-config.method draft_model"}));
  EXPECT_EQ(fit_to_version("vllm", "0.20.1", launch), Lines{});
  // Lines of a file by their path.
  launch = program({"--config o.yml"});
  launch.push_back({.program = "o.yml", .form = "yaml", .arguments = {"kv_cache_config:", "  dtype: nvfp4"}});
  EXPECT_EQ(fit_to_version("tensorrt-llm", "1.0.0", launch), Lines{"kv_cache_config.dtype nvfp4"});
  EXPECT_EQ(fit_to_version("tensorrt-llm", "1.2.0", launch), Lines{});
}

TEST(EngineOptions, ListTheNewestVersionLast) {
  for (const char* engine : {"vllm", "sglang", "tensorrt-llm"}) {
    const std::vector<EngineVersion> versions = engine_versions(engine);
    ASSERT_GE(versions.size(), 2u) << engine;
    for (const EngineVersion& one : versions) EXPECT_FALSE(one.image_tag.empty()) << one.version;
  }
  EXPECT_EQ(engine_versions("vllm").back().version, "0.20.1");
  EXPECT_TRUE(engine_versions("llama.cpp").empty());
}

}  // namespace
}  // namespace podwright::sizing::engine_options_test
