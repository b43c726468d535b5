#include <gtest/gtest.h>

#include <string>

#include "api/answer.h"
#include "api/schema.h"
#include "base/json_read.h"

namespace podwright {
namespace {

const std::string kDense =
    R"({"kind":"training","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":16,"system":"dgx-h100",
        "sequence_length":32768,"global_batch_size":32,"parallelism":{"tensor":2,"context":4,"data":2},
        "framework":"megatron-bridge"})";
const std::string kExperts =
    R"({"kind":"training","model":"deepseek-v3","gpu":"h100-sxm5-80gb","gpu_count":512,"system":"dgx-h100",
        "sequence_length":4096,"global_batch_size":4096,"parallelism":{"pipeline":8,"expert":64,"data":64},
        "framework":"megatron-bridge"})";

JsonNode answer_to(const std::string& run, const std::string& patch) {
  const Answer answer =
      answer_request(embedded_catalog_facts(), json_text(merged(*parse_json(run), *parse_json(patch))));
  const auto node = parse_json(answer.text);
  EXPECT_TRUE(node) << answer.text;
  return node ? *node : JsonNode{};
}
double step_part(const JsonNode& answer, std::string_view key) {
  const JsonNode* step = answer.find("step");
  const JsonNode* value = step == nullptr ? nullptr : step->find(key);
  EXPECT_NE(value, nullptr) << key << " of " << json_text(answer).substr(0, 400);
  return value == nullptr ? 0 : value->number;
}

TEST(TrainingOptions, PackedDocumentsAttendLess) {
  const auto whole = answer_to(kDense, "{}");
  const auto packed = answer_to(kDense, R"({"attention_tokens":2048})");
  EXPECT_LT(step_part(packed, "attention_s"), 0.2 * step_part(whole, "attention_s"));
  EXPECT_EQ(step_part(packed, "compute_s"), step_part(whole, "compute_s"));
  const auto same = answer_to(kDense, R"({"attention_tokens":32768})");
  EXPECT_EQ(step_part(same, "time_s"), step_part(whole, "time_s"));
}

TEST(TrainingOptions, ContextRanksExchangeByRingOrByHeads) {
  const auto ring = answer_to(kDense, R"({"context_exchange":"ring"})");
  const auto heads = answer_to(kDense, R"({"context_exchange":"heads"})");
  EXPECT_EQ(step_part(ring, "time_s"), step_part(answer_to(kDense, "{}"), "time_s"));
  EXPECT_NE(step_part(heads, "context_comm_s"), step_part(ring, "context_comm_s"));
}

TEST(TrainingOptions, OfExperts) {
  const auto plain = answer_to(kExperts, "{}");
  EXPECT_LT(step_part(answer_to(kExperts, R"({"narrow_dispatch":true})"), "expert_comm_s"),
            0.85 * step_part(plain, "expert_comm_s"));
  EXPECT_GT(step_part(answer_to(kExperts, R"({"expert_imbalance":1.5})"), "compute_s"), step_part(plain, "compute_s"));
  EXPECT_GE(step_part(answer_to(kExperts, R"({"multi_token_depths":1})"), "time_s"), step_part(plain, "time_s"));
}

TEST(TrainingOptions, ADateStandsForAVersion) {
  const auto newest = answer_to(kDense, "{}");
  EXPECT_EQ(newest.find("error"), nullptr);
  EXPECT_EQ(answer_to(kDense, R"({"framework_date":"2025-11-30"})").find("error"), nullptr);
  EXPECT_NE(answer_to(kDense, R"({"framework_date":"2025-11-3"})").find("error"), nullptr);
}

TEST(TrainingOptions, StandInTheSchema) {
  const auto schema = parse_json(request_schema(embedded_catalog_facts(), "training"));
  ASSERT_TRUE(schema);
  const JsonNode* properties = schema->find("properties");
  ASSERT_NE(properties, nullptr);
  for (const char* key : {"attention_tokens", "expert_imbalance", "multi_token_depths", "narrow_dispatch",
                          "context_exchange", "in_network_reduction", "framework_date"})
    EXPECT_NE(properties->find(key), nullptr) << key;
}

}  // namespace
}  // namespace podwright
