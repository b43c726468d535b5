#include <gtest/gtest.h>

#include <string>

#include "base/json_read.h"
#include "support/ask.h"

namespace podwright::explain_serving_test {
namespace {

const std::string kClaim =
    R"({"kind":"explain","claim":{"model":"llama-2-70b","gpu":"h100-sxm5-80gb","gpu_count":2,
        "weight_precision":"fp16","static_batch":1,"output_tokens_per_s":85}})";

TEST(ExplainServingClaim, RefusesWhatIsImpossible) {
  const Reply asked = ask(kClaim);
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  EXPECT_EQ(asked.answer.find("verdict")->text, "impossible");
  EXPECT_NEAR(number_at(asked.answer, "/bound/output_tokens_per_s"), 48.57, 0.005);
  EXPECT_NEAR(number_at(asked.answer, "/claimed/output_tokens_per_s"), 85, 1e-12);
  EXPECT_NEAR(number_at(asked.answer, "/weights_gb"), 137.95, 0.005);
  const JsonNode& reason = asked.answer.find("reasons")->items[0];
  EXPECT_EQ(reason.find("unit")->text, "tokens/s");
  ASSERT_GE(reason.find("ways_out")->items.size(), 3u);
  for (const JsonNode& way_out : reason.find("ways_out")->items)
    EXPECT_EQ(ask(kClaim, json_text(way_out)).outcome, Outcome::answer) << json_text(way_out);
}

TEST(ExplainServingClaim, SaysWhatItStandsOn) {
  const Reply asked = ask(kClaim, R"({"explain":true,"claim":{"output_tokens_per_s":40}})");
  EXPECT_EQ(asked.answer.find("verdict")->text, "plausible");
  ASSERT_NE(asked.answer.find("trace"), nullptr);
  bool bound = false;
  for (const JsonNode& node : asked.answer.find("trace")->items) {
    const JsonNode* at = node.find("at");
    for (std::size_t i = 0; at != nullptr && i < at->items.size(); ++i)
      bound = bound || at->items[i].text == "/bound/output_tokens_per_s";
  }
  EXPECT_TRUE(bound);
}

TEST(ExplainServingClaim, NamesWhatIsWrong) {
  const auto path = [](const char* patch) { return first_error(ask(kClaim, patch).answer, "path"); };
  const auto hint = [](const char* patch) { return first_error(ask(kClaim, patch).answer, "hint"); };
  EXPECT_EQ(path(R"({"claim":{"output_tokens_per_s":null}})"), "/claim/output_tokens_per_s");
  EXPECT_NE(hint(R"({"claim":{"output_tokens_per_s":null}})").find("ttft_s"), std::string::npos);
  EXPECT_EQ(path(R"({"claim":{"weight_precision":null}})"), "/claim/weight_precision");
  EXPECT_NE(hint(R"({"claim":{"weight_precision":null}})").find("int4-awq"), std::string::npos);
  EXPECT_EQ(path(R"({"claim":{"weight_precision":"fp3"}})"), "/claim/weight_precision");
  EXPECT_EQ(path(R"({"claim":{"gpu_count":null}})"), "/claim/gpu_count");
  EXPECT_EQ(path(R"({"claim":{"model":null}})"), "/claim/model");
  EXPECT_EQ(path(R"({"claim":{"static_batch":0}})"), "/claim/static_batch");
  EXPECT_EQ(path(R"({"claim":{"static_batch":null}})"), "/claim/concurrency");
  EXPECT_EQ(path(R"({"claim":{"concurrency":4}})"), "/claim/static_batch");
  EXPECT_EQ(path(R"({"claim":{"tpot_s":0.01}})"), "/claim/tpot_s");
  EXPECT_EQ(path(R"({"claim":{"days":3}})"), "/claim/days");
  EXPECT_EQ(path(R"({"claim":{"parallelism":{"data":3}}})"), "/claim/parallelism");
  EXPECT_EQ(path(R"({"claim":{"output_tokens_per_s":null,"ttft_s":0.1}})"), "/claim/input_tokens");
  EXPECT_EQ(path(R"({"claim":{"batch":3}})"), "/claim/batch");
}

}  // namespace
}  // namespace podwright::explain_serving_test
