#include "catalog/training_framework.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/json_read.h"
#include "catalog/catalog.h"

namespace podwright::training_framework_test {
namespace {

const std::vector<TrainingFramework>& frameworks() { return embedded_catalog_facts().training_frameworks; }

TEST(TrainingFrameworks, EveryAliasLeadsToOne) {
  const auto& aliases = embedded_catalog_facts().aliases.find("frameworks")->second;
  for (const auto& [spelling, id] : aliases)
    EXPECT_NE(find_training_framework(frameworks(), id), nullptr) << spelling << " -> " << id;
}

TEST(TrainingFrameworks, EveryOneHasAMemoryRecipe) {
  for (const TrainingFramework& framework : frameworks())
    EXPECT_TRUE(find_training_recipe(embedded_catalog_facts().training_recipes, framework.id, "bf16")) << framework.id;
}

TEST(TrainingFrameworks, EverySuccessorIsThere) {
  for (const TrainingFramework& framework : frameworks()) {
    if (framework.successor.empty()) continue;
    EXPECT_NE(find_training_framework(frameworks(), framework.successor), nullptr) << framework.id;
    EXPECT_FALSE(framework.successor_since.empty()) << framework.id;
  }
}

TEST(FrameworkByWords, TakesTheNameThatStandsFirstAndTheLongerOfTwo) {
  const auto id = [](const char* text) {
    const TrainingFramework* found = framework_by_words(frameworks(), text);
    return found == nullptr ? std::string() : found->id;
  };
  EXPECT_EQ(id("NeMo 25.02 / Megatron-Core"), "nemo");
  EXPECT_EQ(id("NeMo AutoModel (FSDP2)"), "nemo-automodel");
  EXPECT_EQ(id("MEGATRON-DEEPSPEED fork"), "megatron-deepspeed");
  EXPECT_EQ(id("in-house FSDP"), "pytorch-fsdp");
  EXPECT_EQ(id("abacus"), "");
}

TEST(FindVersion, ReadsVersionsAsNumbers) {
  TrainingFramework framework;
  framework.versions = {{.version = "0.8", .date = "2024-08"}, {.version = "26.02.01", .date = "2026-02"}};
  const auto found = [&](const char* text) {
    const FrameworkVersion* version = find_version(framework, text);
    return version == nullptr ? std::string() : version->version;
  };
  EXPECT_EQ(found("0.8"), "0.8");
  EXPECT_EQ(found("r0.8.0"), "0.8");
  EXPECT_EQ(found("v0.8.0rc1"), "0.8");
  EXPECT_EQ(found("26.02.01"), "26.02.01");
  EXPECT_EQ(found("26.02"), "");
  EXPECT_EQ(found("0.80"), "");
  EXPECT_EQ(found("latest"), "");
}

/// "code path" of every problem.
std::vector<std::string> problems_of(const char* json) {
  const auto node = parse_json(json);
  EXPECT_TRUE(node);
  ErrorList errors;
  std::vector<TrainingFramework> read;
  read_training_frameworks(*node, "file", read, errors);
  std::vector<std::string> problems;
  for (const Error& error : errors.take()) problems.push_back(error.code + " " + error.path);
  return problems;
}

bool has(const std::vector<std::string>& problems, std::string_view wanted) {
  return std::find(problems.begin(), problems.end(), wanted) != problems.end();
}

TEST(ReadTrainingFrameworks, DefaultWithoutASourceIsAnError) {
  const char* bare = R"({"frameworks": [{"id": "a", "activation_recompute": "none", "zero_stage": 1,
      "fp8_recipe": "block", "sources": {"zero_stage": "somebody", "fp8_recipe": "somebody"}}]})";
  EXPECT_TRUE(has(problems_of(bare), "missing file#/frameworks/0/sources"));
  const char* whole = R"({"frameworks": [{"id": "a", "activation_recompute": "none", "zero_stage": 1,
      "fp8_recipe": "block", "sources": {"*": "somebody"}}]})";
  EXPECT_FALSE(has(problems_of(whole), "missing file#/frameworks/0/sources"));
}

TEST(ReadTrainingFrameworks, ValueThatIsNoneOfTheLegalOnesIsAnError) {
  const auto problems = problems_of(R"({"frameworks": [{"id": "a", "activation_recompute": "some", "zero_stage": 4,
      "fp8_recipe": "block", "sources": {"*": "somebody"}}]})");
  EXPECT_TRUE(has(problems, "out-of-range file#/frameworks/0/activation_recompute"));
  EXPECT_TRUE(has(problems, "out-of-range file#/frameworks/0/zero_stage"));
}

}  // namespace
}  // namespace podwright::training_framework_test
