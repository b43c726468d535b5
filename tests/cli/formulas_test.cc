#include "cli/formulas.h"

#include <gtest/gtest.h>

#include "api/answer.h"
#include "support/test_data.h"

namespace podwright::cli::formulas_test {
namespace {

JsonNode example(std::string_view name) { return *parse_json(podwright_test_data("examples/" + std::string(name))); }

std::vector<Formula> formulas_of(std::string_view name) {
  std::vector<Formula> formulas;
  const auto answer = parse_json(podwright::answer(explained(example(name))));
  EXPECT_TRUE(answer);
  add_formulas(*answer, std::string(name), formulas);
  return formulas;
}

/// What is found with some words, by ids.
std::string found(const std::vector<Formula>& formulas, std::string_view words) {
  std::string ids;
  for (const Formula& formula : choose_formulas(formulas, words)) ids += formula.id + ' ';
  return ids;
}

TEST(Formulas, AreFoundByTheWordsOfTheField) {
  const std::vector<Formula> serving = formulas_of("serving_70b.json");
  EXPECT_NE(found(serving, "KV cache per token").find("kv_bytes_per_token"), std::string::npos) << found(serving, "kv");
  EXPECT_NE(found(formulas_of("training_405b.json"), "bubble").find("perf.pipeline_bubble"), std::string::npos);
  EXPECT_NE(found(formulas_of("cost_h100.json"), "break-even utilisation").find("cost.break_even_utilization"),
            std::string::npos);
  EXPECT_NE(found(formulas_of("fabric_h100_127.json"), "leaf").find("leaves"), std::string::npos);
  EXPECT_EQ(found(serving, "perpetuum mobile"), "");
}

TEST(Formulas, SayEquationInputsUnitAndSource) {
  const std::vector<Formula> bubble = choose_formulas(formulas_of("training_405b.json"), "perf.pipeline_bubble");
  ASSERT_EQ(bubble.size(), 1U);
  EXPECT_EQ(bubble[0].source, "arXiv 2104.04473 section 2.2");
  EXPECT_EQ(bubble[0].unit, "s");
  EXPECT_EQ(bubble[0].inputs.size(), 3U);
  for (const FormulaInput& input : bubble[0].inputs) {
    EXPECT_NE(bubble[0].equation.find(input.name), std::string::npos) << input.name;
    EXPECT_FALSE(input.unit.empty()) << input.id;
  }
  const std::string text = formulas_text(bubble);
  EXPECT_NE(text.find("perf.pipeline_bubble [s]\n  = " + bubble[0].equation), std::string::npos) << text;
  EXPECT_NE(text.find("1 formula\n"), std::string::npos);
  const auto json = parse_json(formulas_json(bubble));
  ASSERT_TRUE(json);
  EXPECT_EQ(json->find("count")->number, 1);
  EXPECT_EQ(json->find("formulas")->items[0].find("equation")->text, bubble[0].equation);
}

TEST(Formulas, OfTwoAnswersAreToldOnce) {
  std::vector<Formula> formulas = formulas_of("serving_70b.json");
  const std::size_t once = formulas.size();
  add_formulas(*parse_json(podwright::answer(explained(example("serving_70b.json")))), "again", formulas);
  EXPECT_EQ(formulas.size(), once);
}

}  // namespace
}  // namespace podwright::cli::formulas_test
