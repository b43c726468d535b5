#include <gtest/gtest.h>

#include <string>

#include "support/ask.h"

namespace podwright::serving_options_test {
namespace {

const std::string kChat =
    R"({"kind":"serving","model":"llama-3.1-70b","gpu":"h100-sxm5-80gb","gpu_count":4,"weight_precision":"fp8",
        "kv_precision":"fp8","engine":"vllm","parallelism":{"tensor":4},"input_tokens":1024,"output_tokens":512,
        "load":{"concurrency":16}})";

bool assumed(const JsonNode& answer, std::string_view path) {
  for (const JsonNode& assumption : answer.find("assumptions")->items) {
    const JsonNode* said = assumption.find("path");
    if (said != nullptr && said->text == path) return true;
  }
  return false;
}

TEST(ServingOptions, LatenciesHavePercentiles) {
  const JsonNode answer = ask(kChat).answer;
  for (const char* key : {"ttft_s", "tpot_s", "request_s"}) {
    double before = 0;
    for (const char* suffix : {"_p50", "_p90", "_p95", "_p99"}) {
      const double now = number_at(answer, std::string("/latency/") + key + suffix);
      EXPECT_GE(now, before) << key << suffix;
      before = now;
    }
    EXPECT_GE(before, number_at(answer, std::string("/latency/") + key));
  }
}

TEST(ServingOptions, ARateAssumesSpreadLengths) {
  const JsonNode answer = ask(kChat, R"({"load":{"concurrency":null,"request_rate_per_s":1}})").answer;
  EXPECT_TRUE(assumed(answer, "/input_tokens_cv"));
  EXPECT_TRUE(assumed(answer, "/output_tokens_cv"));
  EXPECT_GT(number_at(answer, "/stable_requests_per_s"), 1);
  const JsonNode given =
      ask(kChat, R"({"load":{"concurrency":null,"request_rate_per_s":1},"output_tokens_cv":0})").answer;
  EXPECT_FALSE(assumed(given, "/output_tokens_cv"));
  EXPECT_LT(number_at(given, "/latency/request_s_p99"), number_at(answer, "/latency/request_s_p99"));
}

TEST(ServingOptions, OverloadIsAnAnswerWithWaysOut) {
  const Reply over = ask(kChat, R"({"load":{"concurrency":null,"request_rate_per_s":1000}})");
  EXPECT_EQ(over.outcome, Outcome::infeasible);
  EXPECT_FALSE(over.answer.find("stable")->boolean);
  EXPECT_GT(number_at(over.answer, "/stable_requests_per_s"), 0);
  EXPECT_FALSE(over.answer.find("reasons")->items.at(0).find("ways_out")->items.empty());
}

TEST(ServingOptions, DraftsHaveADefaultAcceptance) {
  const JsonNode plain = ask(kChat).answer;
  EXPECT_FALSE(assumed(plain, "/speculative/acceptance"));
  const JsonNode drafted = ask(kChat, R"({"speculative":{"draft_tokens":3}})").answer;
  EXPECT_TRUE(assumed(drafted, "/speculative/acceptance"));
  EXPECT_LT(number_at(drafted, "/latency/tpot_s"), number_at(plain, "/latency/tpot_s"));
}

TEST(ServingOptions, PoolsAreTold) {
  const JsonNode answer = ask(kChat, R"({"gpu_count":8,"disaggregated":{"prefill_gpus":4,"decode_gpus":4}})").answer;
  const JsonNode* pools = answer.find("disaggregated");
  ASSERT_NE(pools, nullptr) << json_text(answer);
  const std::string binding = pools->find("binding_pool")->text;
  EXPECT_TRUE(binding == "prefill" || binding == "decode");
  EXPECT_GT(number_at(answer, "/disaggregated/prefill/memory_per_gpu/weights_gib"), 10);
  EXPECT_GT(number_at(answer, "/disaggregated/kv_transfer_s"), 0);
  EXPECT_GT(number_at(answer, "/throughput/output_tokens_per_s_per_gpu"), 0);
}

}  // namespace
}  // namespace podwright::serving_options_test
