#include <gtest/gtest.h>

#include <string>

#include "api/schema.h"
#include "base/json_read.h"
#include "support/ask.h"

namespace podwright::training_options_test {
namespace {

const std::string kDense =
    R"({"kind":"training","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":16,"system":"dgx-h100",
        "sequence_length":32768,"global_batch_size":32,"parallelism":{"tensor":2,"context":4,"data":2},
        "framework":"megatron-bridge"})";
const std::string kExperts =
    R"({"kind":"training","model":"deepseek-v3","gpu":"h100-sxm5-80gb","gpu_count":512,"system":"dgx-h100",
        "sequence_length":4096,"global_batch_size":4096,"parallelism":{"pipeline":8,"expert":64,"data":64},
        "framework":"megatron-bridge"})";

double step_part(const JsonNode& answer, std::string_view key) {
  const JsonNode* step = answer.find("step");
  const JsonNode* value = step == nullptr ? nullptr : step->find(key);
  EXPECT_NE(value, nullptr) << key << " of " << json_text(answer).substr(0, 400);
  return value == nullptr ? 0 : value->number;
}

TEST(TrainingOptions, PackedDocumentsAttendLess) {
  const auto whole = ask(kDense, "{}").answer;
  const auto packed = ask(kDense, R"({"attention_tokens":2048})").answer;
  EXPECT_LT(step_part(packed, "attention_s"), 0.2 * step_part(whole, "attention_s"));
  EXPECT_EQ(step_part(packed, "compute_s"), step_part(whole, "compute_s"));
  const auto same = ask(kDense, R"({"attention_tokens":32768})").answer;
  EXPECT_EQ(step_part(same, "time_s"), step_part(whole, "time_s"));
}

TEST(TrainingOptions, ContextRanksExchangeByRingOrByHeads) {
  const auto ring = ask(kDense, R"({"context_exchange":"ring"})").answer;
  const auto heads = ask(kDense, R"({"context_exchange":"heads"})").answer;
  EXPECT_EQ(step_part(ring, "time_s"), step_part(ask(kDense, "{}").answer, "time_s"));
  EXPECT_NE(step_part(heads, "context_comm_s"), step_part(ring, "context_comm_s"));
}

TEST(TrainingOptions, OfExperts) {
  const auto plain = ask(kExperts, "{}").answer;
  EXPECT_LT(step_part(ask(kExperts, R"({"narrow_dispatch":true})").answer, "expert_comm_s"),
            0.85 * step_part(plain, "expert_comm_s"));
  EXPECT_GT(step_part(ask(kExperts, R"({"expert_imbalance":1.5})").answer, "compute_s"), step_part(plain, "compute_s"));
  EXPECT_GE(step_part(ask(kExperts, R"({"multi_token_depths":1})").answer, "time_s"), step_part(plain, "time_s"));
}

TEST(TrainingOptions, ADateStandsForAVersion) {
  const auto newest = ask(kDense, "{}").answer;
  EXPECT_EQ(newest.find("error"), nullptr);
  EXPECT_EQ(ask(kDense, R"({"framework_date":"2025-11-30"})").answer.find("error"), nullptr);
  EXPECT_NE(ask(kDense, R"({"framework_date":"2025-11-3"})").answer.find("error"), nullptr);
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
}  // namespace podwright::training_options_test
