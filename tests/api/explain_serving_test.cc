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

}  // namespace
}  // namespace podwright::explain_serving_test
