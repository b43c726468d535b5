#include "catalog/engine.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"

namespace podwright::engine_test {
namespace {

const Engine& engine(std::string_view id) {
  for (const Engine& e : embedded_catalog_facts().engines)
    if (e.id == id) return e;
  ADD_FAILURE() << "no engine " << id;
  return embedded_catalog_facts().engines.front();
}

TEST(Versions, CompareByTheirNumbers) {
  EXPECT_EQ(compare_versions("0.19", "0.19.0"), 0);
  EXPECT_LT(compare_versions("0.9.1", "0.19"), 0);
  EXPECT_GT(compare_versions("v1.2.0rc6.post2", "1.1"), 0);
  EXPECT_EQ(compare_versions("1.2.0rc3", "1.2.0"), 0);
}

TEST(EngineConventions, AreChosenByVersion) {
  const Engine& vllm = engine("vllm");
  EXPECT_EQ(conventions_of(vllm, "0.6.3").conventions->activation->logit_bytes, 38);
  EXPECT_EQ(conventions_of(vllm, "0.16.0").conventions->activation->logit_bytes, 38);
  EXPECT_EQ(conventions_of(vllm, "0.17.0").conventions->activation->logit_bytes, 14.5);
  EXPECT_EQ(conventions_of(vllm, "0.21.1").conventions->memory_fraction, 0.9);
  EXPECT_EQ(conventions_of(vllm, "0.22").conventions->memory_fraction, 0.92);
  EXPECT_EQ(conventions_of(vllm, "").conventions, &vllm.conventions.back());
  EXPECT_TRUE(conventions_of(vllm, "").warning.empty());
  EXPECT_TRUE(conventions_of(vllm, "0.19.1").warning.empty());
}

TEST(EngineConventions, NewerThanTheDataIsTheNewestWithAWarning) {
  const ConventionsChoice choice = conventions_of(engine("vllm"), "1.5");
  EXPECT_EQ(choice.conventions, &engine("vllm").conventions.back());
  EXPECT_NE(choice.warning.find("newer"), std::string::npos);
  EXPECT_FALSE(conventions_of(engine("vllm"), "nightly").warning.empty());
}

TEST(EngineConventions, LeaveNoGapBetweenVersions) {
  for (const Engine& e : embedded_catalog_facts().engines) {
    EXPECT_TRUE(e.conventions.front().from.empty()) << e.id;
    EXPECT_TRUE(e.conventions.back().until.empty()) << e.id;
    for (std::size_t i = 1; i < e.conventions.size(); ++i)
      EXPECT_EQ(e.conventions[i].from, e.conventions[i - 1].until) << e.id;
  }
}

TEST(EngineConventions, NameWhatIsMissing) {
  for (const Engine& e : embedded_catalog_facts().engines) {
    for (const EngineConventions& c : e.conventions) {
      const bool complete = c.kv_budget && c.reservation && c.block_tokens && c.activation && !c.communication.empty();
      EXPECT_TRUE(complete || !c.missing.empty()) << c.origin;
    }
  }
}

TEST(EngineConventions, DefaultsFollowTheGpu) {
  const EngineConventions& vllm = *conventions_of(engine("vllm"), "").conventions;
  EXPECT_EQ(defaults_for(vllm, "h100-sxm5-80gb", gib(79.19))->max_batched_tokens, 8192);
  EXPECT_EQ(defaults_for(vllm, "a100-sxm4-80gb", gib(79.25))->max_batched_tokens, 2048);
  EXPECT_EQ(defaults_for(vllm, "l40s", gib(44.4))->max_sequences, 256);
}

TEST(EngineConventions, TablesServeTheNextSmallerGroup) {
  const ByTensor table{{1, 0.25}, {2, 2.07}, {4, 2.13}};
  EXPECT_EQ(by_tensor(table, 8), 2.13);
  EXPECT_EQ(by_tensor(table, 3), 2.07);
  EXPECT_FALSE(by_tensor({{2, 1}}, 1).has_value());
}

TEST(EngineConventions, WrongFilesSayWhere) {
  const auto node = parse_json(
      R"({"id": "x", "conventions": [{"kv_budget": "sometimes", "block_tokens": 0, "memory_franction": 0.9}]})");
  ASSERT_TRUE(node.has_value());
  std::vector<Engine> engines;
  ErrorList errors;
  read_engine(*node, "engines/x.json", engines, errors);
  const Errors found = errors.take();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].path, "engines/x.json#/conventions/0/kv_budget");
  EXPECT_EQ(found[1].path, "engines/x.json#/conventions/0/block_tokens");
  EXPECT_EQ(found[2].code, "unknown-key");
}

}  // namespace
}  // namespace podwright::engine_test
