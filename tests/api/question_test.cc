#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "api/answer.h"
#include "base/json_read.h"
#include "study/make_question.h"

namespace podwright::question_test {
namespace {

JsonNode ask(const std::string& request) {
  const Answer answer = answer_request(embedded_catalog_facts(), request);
  EXPECT_EQ(answer.outcome, Outcome::answer) << answer.text;
  return *parse_json(answer.text);
}

JsonNode question(const std::string& members) {
  return *ask("{\"kind\":\"question\"," + members + "}").find("question");
}

double input_of(const JsonNode& question, std::string_view name) {
  for (const JsonNode& step : question.find("solution")->items)
    if (const JsonNode* inputs = step.find("inputs"); inputs != nullptr)
      for (const JsonNode& input : inputs->items)
        if (input.find("name")->text == name) return input.find("value")->number;
  ADD_FAILURE() << name;
  return 0;
}

TEST(QuestionAnswer, HasTheMembersOfTheContract) {
  const JsonNode one = question(R"("template":"t.kv-cache","seed":7)");
  EXPECT_EQ(one.find("id")->text, "t.kv-cache/7");
  EXPECT_EQ(one.find("template")->text, "t.kv-cache");
  EXPECT_EQ(one.find("objective")->text, "1.2");
  EXPECT_EQ(one.find("kind")->text, "choice");
  ASSERT_EQ(one.find("options")->items.size(), 4U);
  const auto right = static_cast<std::size_t>(one.find("answer")->find("options")->items.front().number);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(one.find("options")->items[i].find("right")->boolean, i == right);
  EXPECT_FALSE(one.find("solution")->items.empty());
  EXPECT_FALSE(one.find("source")->text.empty());
}

TEST(QuestionAnswer, OfANumberGivesUnitAndTolerance) {
  const JsonNode one = question(R"("template":"t.weights-gib","seed":2)");
  EXPECT_TRUE(one.find("options")->items.empty());
  EXPECT_GT(one.find("answer")->find("number")->number, 0);
  EXPECT_EQ(one.find("answer")->find("unit")->text, "GiB");
  EXPECT_EQ(one.find("answer")->find("tolerance")->number, 0.01);
}

TEST(QuestionAnswer, OfAnObjectiveWithoutTemplatesIsAWrittenOne) {
  const std::string pack =
      R"({"objective":"1.1","questions":[{"id":"1.1-a","kind":"choice","prompt":"Which?","options":[)"
      R"({"text":"a","right":true,"why":"so"},{"text":"b","why":"no"},{"text":"c","why":"no"},{"text":"d","why":"no"}],)"
      R"("explanation":"Because.","sources":["s"],"difficulty":1,"level":"associate","asks":"recall","reviewed":"2026-11-22"}]})";
  EXPECT_EQ(question(R"("objective":"1.1","seed":3,"written":{"1.1":)" + pack + "}").find("id")->text, "1.1-a");
  // Generated where anything is.
  EXPECT_NE(question(R"("objective":"2.1","seed":3,"written":{"1.1":)" + pack + "}").find("template"), nullptr);
  const Answer none = answer_request(embedded_catalog_facts(), R"({"kind":"question","objective":"1.1"})");
  EXPECT_EQ(none.outcome, Outcome::wrong_input);
  EXPECT_NE(none.text.find("no written question of it is given"), std::string::npos) << none.text;
}

TEST(QuestionAnswer, OfAnObjectiveIsOneOfItsTemplates) {
  for (const std::string& objective : generated_objectives())
    EXPECT_EQ(question("\"objective\":\"" + objective + "\",\"seed\":3").find("objective")->text, objective);
}

TEST(QuestionAnswer, OfAFatTreeIsWhatTheFabricRequestAnswers) {
  for (int seed = 0; seed < 12; ++seed) {
    const JsonNode switches = question(R"("template":"t.fat-tree-switches","seed":)" + std::to_string(seed));
    const JsonNode cables = question(R"("template":"t.fat-tree-cables","seed":)" + std::to_string(seed));
    for (const JsonNode* one : {&switches, &cables}) {
      const double rails = input_of(*one, "rails");
      const double ports = input_of(*one, "switch_ports");
      const double leaves = input_of(*one, "units") * input_of(*one, "leaves_of_unit");
      const double nodes = leaves / rails * ports / 2;
      const JsonNode fabric =
          *ask("{\"kind\":\"fabric\",\"topology\":\"fat-tree\",\"nodes\":" + std::to_string(static_cast<int>(nodes)) +
               ",\"rails\":" + std::to_string(static_cast<int>(rails)) +
               ",\"switch_ports\":" + std::to_string(static_cast<int>(ports)) +
               ",\"nodes_per_unit\":" + std::to_string(static_cast<int>(ports / 2)) + ",\"manager_links\":0}")
               .find("fabric");
      const double expected =
          one == &switches ? fabric.find("leaf")->find("total")->number + fabric.find("spine")->find("total")->number
                           : fabric.find("node_leaf_links")->number + fabric.find("leaf_spine_links")->number;
      const auto right = static_cast<std::size_t>(one->find("answer")->find("options")->items.front().number);
      std::string digits = one->find("options")->items[right].find("text")->text;
      digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
      EXPECT_EQ(std::stod(digits), expected) << one->find("id")->text;
    }
  }
}

}  // namespace
}  // namespace podwright::question_test
