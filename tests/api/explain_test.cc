#include <gtest/gtest.h>

#include <string>

#include "api/answer.h"
#include "base/json_read.h"

namespace podwright {
namespace {

struct Asked {
  JsonNode answer;
  Outcome outcome;
};
Asked ask(const std::string& request) {
  const Answer answer = answer_request(embedded_catalog_facts(), request);
  const auto node = parse_json(answer.text);
  EXPECT_TRUE(node) << answer.text;
  return {node ? *node : JsonNode{}, answer.outcome};
}
Asked ask(const std::string& request, const std::string& patch) {
  return ask(json_text(merged(*parse_json(request), *parse_json(patch))));
}

double number(const JsonNode& node, std::string_view pointer) {
  const JsonNode* here = &node;
  for (std::size_t begin = 1; begin <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    here = here->find(pointer.substr(begin, end - begin));
    if (here == nullptr) {
      ADD_FAILURE() << pointer << " is not there";
      return 0;
    }
    begin = end + 1;
  }
  return here->number;
}
std::string first_error(const JsonNode& answer, const char* member) {
  const JsonNode* error = answer.find("error");
  return error == nullptr ? "" : error->find(member)->text;
}

const std::string kClaim =
    R"({"kind":"explain","claim":{"parameters":8e9,"tokens":1e11,"gpu":"a100-sxm4-80gb","gpu_count":8,"days":8}})";

TEST(ExplainClaim, RefusesWhatIsImpossible) {
  const Asked asked = ask(kClaim);
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  EXPECT_FALSE(asked.answer.find("feasible")->boolean);
  EXPECT_NEAR(number(asked.answer, "/needed_tflops_per_gpu"), 868.1, 0.05);
  EXPECT_EQ(number(asked.answer, "/peak_tflops_per_gpu"), 312);
  EXPECT_NEAR(number(asked.answer, "/realistic/days"), 55.64, 0.005);
  const JsonNode& reason = asked.answer.find("reasons")->items[0];
  EXPECT_EQ(reason.find("code")->text, "above-peak");
  ASSERT_EQ(reason.find("ways_out")->items.size(), 2u);
  for (const JsonNode& way_out : reason.find("ways_out")->items)
    EXPECT_EQ(ask(kClaim, json_text(way_out)).outcome, Outcome::answer) << json_text(way_out);
}

TEST(ExplainClaim, SaysWhereAPossibleOneStands) {
  const Asked asked = ask(kClaim, R"({"claim":{"days":56}})");
  EXPECT_EQ(asked.outcome, Outcome::answer);
  EXPECT_EQ(asked.answer.find("verdict")->text, "plausible");
  EXPECT_GT(number(asked.answer, "/published_runs/rows"), 100);
  EXPECT_NEAR(number(asked.answer, "/mfu"), 0.397, 0.001);
}

TEST(ExplainClaim, NamesWhatIsMissing) {
  EXPECT_EQ(first_error(ask(R"({"kind":"explain"})").answer, "path"), "/claim");
  EXPECT_EQ(first_error(ask(kClaim, R"({"claim":{"gpu":null}})").answer, "path"), "/claim/gpu");
  EXPECT_EQ(first_error(ask(kClaim, R"({"claim":{"mfu":0.4}})").answer, "path"), "/claim/days");
  EXPECT_EQ(first_error(ask(kClaim, R"({"claim":{"gpu_count":null}})").answer, "path"), "/claim/days");
  EXPECT_EQ(first_error(ask(kClaim, R"({"claim":{"model":"llama-3.1-8b"}})").answer, "path"), "/claim/parameters");
  EXPECT_EQ(first_error(ask(kClaim, R"({"at":"/x","request":{"kind":"plan"}})").answer, "path"), "/claim");
}

const std::string kNumber =
    R"({"kind":"explain","request":{"kind":"rule_of_thumb","parameters":7e9},"at":"/rules/0/memory_gb"})";

TEST(ExplainNumber, GivesTheNodesThatLeadToIt) {
  const Asked asked = ask(kNumber);
  EXPECT_EQ(asked.outcome, Outcome::answer);
  EXPECT_NEAR(number(asked.answer, "/value"), 16.8, 1e-9);
  const std::vector<JsonNode>& nodes = asked.answer.find("trace")->items;
  ASSERT_EQ(nodes.size(), 5u);
  EXPECT_EQ(nodes.back().find("value")->number, number(asked.answer, "/value"));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const JsonNode* inputs = nodes[i].find("inputs");
    for (std::size_t k = 0; inputs != nullptr && k < inputs->items.size(); ++k) {
      bool before = false;
      for (std::size_t j = 0; j < i; ++j) before = before || nodes[j].find("id")->text == inputs->items[k].text;
      EXPECT_TRUE(before) << inputs->items[k].text;
    }
  }
}

TEST(ExplainNumber, NamesWhatIsWrong) {
  const Asked asked = ask(kNumber, R"({"at":"/rules/0/memory"})");
  EXPECT_EQ(first_error(asked.answer, "path"), "/at");
  EXPECT_NE(first_error(asked.answer, "hint").find("/rules/0/memory_gb"), std::string::npos);
  EXPECT_EQ(first_error(ask(kNumber, R"({"at":null})").answer, "path"), "/at");
  EXPECT_EQ(first_error(ask(kNumber, R"({"request":{"parameters":-1}})").answer, "path"), "/request/parameters");
  EXPECT_EQ(first_error(ask(kNumber, R"({"request":{"kind":"catalog","list":"gpus"}})").answer, "path"),
            "/request/kind");
}

}  // namespace
}  // namespace podwright
