#include <gtest/gtest.h>

#include <string>

#include "base/json_read.h"
#include "support/ask.h"

namespace podwright::explain_test {
namespace {

const std::string kClaim =
    R"({"kind":"explain","claim":{"parameters":8e9,"tokens":1e11,"gpu":"a100-sxm4-80gb","gpu_count":8,"days":8}})";

TEST(ExplainClaim, RefusesWhatIsImpossible) {
  const Reply asked = ask(kClaim);
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  EXPECT_FALSE(asked.answer.find("feasible")->boolean);
  EXPECT_NEAR(number_at(asked.answer, "/needed_tflops_per_gpu"), 868.1, 0.05);
  EXPECT_EQ(number_at(asked.answer, "/peak_tflops_per_gpu"), 312);
  EXPECT_NEAR(number_at(asked.answer, "/realistic/days"), 55.64, 0.005);
  const JsonNode& reason = asked.answer.find("reasons")->items[0];
  EXPECT_EQ(reason.find("code")->text, "above-peak");
  ASSERT_EQ(reason.find("ways_out")->items.size(), 2u);
  for (const JsonNode& way_out : reason.find("ways_out")->items)
    EXPECT_EQ(ask(kClaim, json_text(way_out)).outcome, Outcome::answer) << json_text(way_out);
}

TEST(ExplainClaim, SaysWhereAPossibleOneStands) {
  const Reply asked = ask(kClaim, R"({"claim":{"days":56}})");
  EXPECT_EQ(asked.outcome, Outcome::answer);
  EXPECT_EQ(asked.answer.find("verdict")->text, "plausible");
  EXPECT_GT(number_at(asked.answer, "/published_runs/rows"), 100);
  EXPECT_NEAR(number_at(asked.answer, "/mfu"), 0.397, 0.001);
}

const std::string kNumber =
    R"({"kind":"explain","request":{"kind":"rule_of_thumb","parameters":7e9},"at":"/rules/0/memory_gb"})";

TEST(ExplainNumber, GivesTheNodesThatLeadToIt) {
  const Reply asked = ask(kNumber);
  EXPECT_EQ(asked.outcome, Outcome::answer);
  EXPECT_NEAR(number_at(asked.answer, "/value"), 16.8, 1e-9);
  const std::vector<JsonNode>& nodes = asked.answer.find("trace")->items;
  ASSERT_EQ(nodes.size(), 5u);
  EXPECT_EQ(nodes.back().find("value")->number, number_at(asked.answer, "/value"));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const JsonNode* inputs = nodes[i].find("inputs");
    for (std::size_t k = 0; inputs != nullptr && k < inputs->items.size(); ++k) {
      bool before = false;
      for (std::size_t j = 0; j < i; ++j) before = before || nodes[j].find("id")->text == inputs->items[k].text;
      EXPECT_TRUE(before) << inputs->items[k].text;
    }
  }
}

TEST(ExplainNumber, NeedsARequestWithATrace) {
  for (const char* untraced : {R"({"kind":"catalog","list":"gpus"})", R"({"kind":"backtest","csv":"id\n"})",
                               R"({"kind":"explain","request":{"kind":"plan"},"at":"/x"})"}) {
    const JsonNode answer = ask(R"({"kind":"explain","at":"/x","request":)" + std::string(untraced) + "}").answer;
    EXPECT_EQ(first_error(answer, "code"), "out-of-range") << untraced;
    EXPECT_EQ(first_error(answer, "path"), "/request/kind") << untraced;
    const std::string hint = first_error(answer, "hint");
    EXPECT_NE(hint.find("training, serving, plan, search, replay, rule_of_thumb"), std::string::npos) << hint;
    EXPECT_EQ(hint.find("catalog"), std::string::npos) << hint;
  }
}

}  // namespace
}  // namespace podwright::explain_test
