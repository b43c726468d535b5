#include "api/answer.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "api/requests.h"
#include "base/json_read.h"

namespace podwright::answer_test {
namespace {

Answer ask(std::string_view request, std::string_view default_kind = "") {
  return answer_request(embedded_catalog_facts(), request, default_kind);
}

JsonNode parsed(const std::string& text) {
  const auto node = parse_json(text);
  EXPECT_TRUE(node) << text;
  return node ? *node : JsonNode{};
}

constexpr std::string_view kServing =
    R"({"kind":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":1,"weight_precision":"bf16","engine":"vllm","input_tokens":512,"output_tokens":128,"load":{"concurrency":8}})";

/// Paths of `assumptions` that stand for a default of the request.
std::set<std::string> assumed(const std::string& answer) {
  std::set<std::string> paths;
  const JsonNode node = parsed(answer);
  const JsonNode* list = node.find("assumptions");
  EXPECT_NE(list, nullptr);
  if (list == nullptr) return paths;
  for (const JsonNode& item : list->items) {
    const JsonNode* path = item.find("path");
    if (path == nullptr) {
      EXPECT_FALSE(item.find("message")->text.empty());
      continue;
    }
    EXPECT_NE(item.find("value"), nullptr) << path->text;
    EXPECT_FALSE(item.find("source")->text.empty()) << path->text;
    EXPECT_TRUE(paths.insert(path->text).second) << path->text << " twice";
  }
  return paths;
}

TEST(Answer, ListsTheDefaultsThatEnteredIt) {
  const std::set<std::string> expected{
      "/parallelism/tensor", "/parallelism/pipeline", "/parallelism/expert", "/parallelism/attention_data",
      "/parallelism/data",   "/prefix_hit_ratio",     "/input_tokens_cv",    "/output_tokens_cv"};
  EXPECT_EQ(assumed(ask(kServing).text), expected);
}

TEST(Answer, ListsNoDefaultOfWhatWasGiven) {
  const JsonNode given =
      merged(parsed(std::string(kServing)), parsed(R"({"parallelism":{"tensor":1,"data":1},"prefix_hit_ratio":0})"));
  const std::set<std::string> expected{"/parallelism/pipeline", "/parallelism/expert", "/parallelism/attention_data",
                                       "/input_tokens_cv", "/output_tokens_cv"};
  EXPECT_EQ(assumed(ask(json_text(given)).text), expected);
}

TEST(Answer, SaysWhichVersionAndWhichFactsMadeIt) {
  const JsonNode answer = parsed(ask(kServing).text);
  EXPECT_EQ(answer.find("podwright_version")->text, version());
  EXPECT_EQ(answer.find("catalog_digest")->text, catalog_digest(embedded_catalog_facts()));
}

TEST(Answer, IsTheSameTwice) { EXPECT_EQ(ask(kServing).text, ask(kServing).text); }

TEST(Answer, TakesTheDefaultKindWhereTheRequestNamesNone) {
  EXPECT_EQ(ask(R"({"parameters":7e9})", "rule_of_thumb").outcome, Outcome::answer);
  EXPECT_EQ(ask(R"({"kind":"catalog","list":"gpus"})", "plan").outcome, Outcome::answer);
}

TEST(Answer, RefusesAKindThatNobodyKnows) {
  const Answer answer = ask(R"({"kind":"servings"})");
  EXPECT_EQ(answer.outcome, Outcome::wrong_input);
  const JsonNode error = *parsed(answer.text).find("error");
  EXPECT_EQ(error.find("path")->text, "/kind");
  EXPECT_NE(error.find("hint")->text.find("\"serving\""), std::string::npos);
}

TEST(Answer, ReadsItsOwnMajorVersionOnly) {
  const auto outcome = [](const char* schema) {
    return ask(std::string(R"({"kind":"rule_of_thumb","parameters":7e9,"schema":")") + schema + "\"}").outcome;
  };
  EXPECT_EQ(outcome("podwright/1"), Outcome::answer);
  EXPECT_EQ(outcome("podwright/1.4"), Outcome::answer);
  EXPECT_EQ(outcome("podwright/2"), Outcome::wrong_input);
  EXPECT_EQ(outcome("podwright/10"), Outcome::wrong_input);
}

TEST(Answer, IsOneLineWhateverTheRequest) {
  const std::vector<std::string> lines{std::string(kServing), "{", "[]", R"({"kind":"plan"})",
                                       R"({"kind":"catalog","show":"gpus","id":"h100-sxm5-80gb"})"};
  for (const std::string& line : lines) {
    const std::string text = ask(line).text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << line;
    EXPECT_TRUE(parse_json(text)) << text;
  }
}

TEST(Answer, OfAnItemIsFoundByItsOtherNames) {
  const JsonNode answer = parsed(ask(R"({"kind":"catalog","show":"gpus","id":"H100 SXM"})").text);
  ASSERT_NE(answer.find("item"), nullptr);
  EXPECT_EQ(answer.find("item")->find("id")->text, "h100-sxm5-80gb");
  EXPECT_FALSE(answer.find("sources")->items.empty());
}

TEST(Answer, OfAnItemHasItsIdInEveryTable) {
  for (const char* table : {"gpus", "models", "systems", "switches", "architectures", "engines", "weight-formats"}) {
    const JsonNode list = parsed(ask(std::string(R"({"kind":"catalog","list":")") + table + "\"}").text);
    ASSERT_FALSE(list.find("items")->items.empty()) << table;
    const std::string id = list.find("items")->items.front().find("id")->text;
    const std::string text =
        ask(std::string(R"({"kind":"catalog","show":")") + table + R"(","id":")" + id + "\"}").text;
    const auto answer = parse_json(text);
    ASSERT_TRUE(answer) << text;
    ASSERT_NE(answer->find("item"), nullptr) << text;
    EXPECT_EQ(answer->find("item")->find("id")->text, id);
  }
  const JsonNode format = parsed(ask(R"({"kind":"catalog","show":"weight-formats","id":"fp8"})").text);
  EXPECT_EQ(format.find("item")->find("bits_per_weight")->number, 8);
}

TEST(Answer, OfAModelWithoutRoomHasNoNegativeMemory) {
  const JsonNode request = merged(parsed(std::string(kServing)), parsed(R"({"model":"llama-3.1-70b"})"));
  const Answer answer = ask(json_text(request));
  EXPECT_EQ(answer.outcome, Outcome::infeasible);
  const JsonNode memory = *parsed(answer.text).find("memory_per_gpu");
  EXPECT_GT(memory.find("weights_gib")->number, memory.find("capacity_gib")->number);
  EXPECT_EQ(memory.find("kv_cache_gib"), nullptr);
  EXPECT_EQ(memory.find("total_gib"), nullptr);
}

}  // namespace
}  // namespace podwright::answer_test
