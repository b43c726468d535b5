/// Every template, a thousand seeds: what a question promises holds for each.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "study/draft.h"
#include "study/make_question.h"
#include "study/mistakes.h"
#include "study/template.h"
#include "support/equation.h"

namespace podwright::templates_test {
namespace {

constexpr std::uint64_t kSeeds = 1000;
/// Options further off are allowed to lessons alone.
constexpr double kMostFactor = 30;

Question question_of(const Template& of, std::uint64_t seed) {
  return make_question(embedded_catalog_facts(), of, seed);
}

bool is_choice(QuestionKind kind) {
  return kind == QuestionKind::choice || kind == QuestionKind::choose_two || kind == QuestionKind::read_drawing;
}

std::size_t rights_of(const Question& question) {
  return static_cast<std::size_t>(std::count_if(question.options.begin(), question.options.end(),
                                                [](const QuestionOption& option) { return option.right; }));
}

/// As many right options as the kind says, and `answer` names exactly these.
std::string choice_problem(const Question& question) {
  const bool two = question.kind == QuestionKind::choose_two;
  if (question.options.size() != (two ? 5U : 4U)) return "number of options";
  if (rights_of(question) != (two ? 2U : 1U) || question.answer.size() != rights_of(question)) return "right options";
  for (const std::size_t index : question.answer)
    if (index >= question.options.size() || !question.options[index].right) return "answer";
  for (const QuestionOption& option : question.options)
    if (option.why.empty()) return "no why: " + option.text;
  return "";
}

std::string option_problem(const Question& question) {
  std::set<std::string> texts;
  for (const QuestionOption& option : question.options) {
    if (option.text.empty() || !texts.insert(option.text).second) return "option twice or empty: " + option.text;
    if (!option.value) continue;
    for (const QuestionOption& other : question.options)
      if (&other != &option && !apart(*option.value, *other.value)) return "options too close: " + option.text;
    const double factor =
        std::max(*option.value, question.number->value) / std::min(*option.value, question.number->value);
    if (!(factor <= kMostFactor)) return "implausible: " + option.text;
  }
  return "";
}

/// Orders and matches name every option once.
std::string permutation_problem(const Question& question) {
  const std::set<std::size_t> named(question.answer.begin(), question.answer.end());
  const bool all = named.size() == question.options.size() && *named.rbegin() + 1 == named.size();
  if (!all || question.answer.size() != named.size()) return "answer is no permutation";
  if (question.kind == QuestionKind::match && question.lefts.size() != question.options.size()) return "pairs";
  return question.options.size() < 3 ? "too few" : "";
}

/// Every equation gives its value from its inputs; the last one gives the answer where that is a number.
std::string solution_problem(const Question& question) {
  if (question.solution.empty()) return "no solution";
  const SolutionStep* last = nullptr;
  for (const SolutionStep& step : question.solution) {
    if (step.text.empty()) return "a step without text";
    if (step.equation.empty()) continue;
    last = &step;
    double value = 0;
    if (step.equation == "sum(parts)") {
      for (const SolutionInput& input : step.inputs) value += input.value;
    } else {
      std::map<std::string, double> values;
      for (const SolutionInput& input : step.inputs) values[input.name] = input.value;
      const EquationValue evaluated = evaluate(step.equation, values);
      if (!evaluated.error.empty()) return step.equation + ": " + evaluated.error;
      if (evaluated.on_an_edge) continue;
      value = evaluated.value;
    }
    if (!(std::fabs(value - step.value) <= 1e-9 * std::fabs(value)))
      return "step does not give its value: " + step.text;
  }
  if (!question.number) return "";
  if (last == nullptr) return "no equation";
  const double off = std::fabs(last->value - question.number->value);
  return off <= 1e-12 * std::fabs(last->value) ? "" : "the last equation is not the answer: " + last->text;
}

std::string problem_of(const Question& question) {
  if (question.prompt.empty() || (question.prompt.back() != '?' && question.prompt.back() != '.')) return "prompt";
  if ((question.kind == QuestionKind::read_drawing) == question.drawing.empty() &&
      question.kind == QuestionKind::read_drawing)
    return "no drawing";
  if (question.source.empty()) return "no source";
  if (question.kind == QuestionKind::numeric && (!question.options.empty() || !question.number)) return "number";
  std::string problem = option_problem(question);
  if (problem.empty() && is_choice(question.kind)) problem = choice_problem(question);
  const bool arranged = question.kind == QuestionKind::order || question.kind == QuestionKind::match;
  if (problem.empty() && arranged) problem = permutation_problem(question);
  return problem.empty() ? solution_problem(question) : problem;
}

TEST(Templates, HoldWhatAQuestionPromisesForAThousandSeeds) {
  for (const Template& of : question_templates()) {
    std::set<std::string> prompts;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const Question question = question_of(of, seed);
      ASSERT_EQ(problem_of(question), "") << question.id << ": " << question.prompt;
      std::string whole = question.prompt + question.drawing;
      for (const QuestionOption& option : question.options) whole += option.text;
      prompts.insert(whole);
    }
    EXPECT_GE(prompts.size(), 20U) << of.id << ": the numbers hardly change";
  }
}

TEST(Templates, HaveIdsOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const Template& of : question_templates()) {
    EXPECT_EQ(of.id.substr(0, 2), "t.");
    EXPECT_TRUE(ids.insert(of.id).second) << of.id;
    EXPECT_EQ(find_template(of.id)->id, of.id);
    EXPECT_FALSE(of.text.source.empty()) << of.id;
  }
  EXPECT_EQ(find_template("t.no-such"), nullptr);
}

TEST(Templates, PutTheRightOptionInEveryPlace) {
  for (const Template& of : question_templates()) {
    if (of.kind != QuestionKind::choice) continue;
    std::map<std::size_t, int> places;
    for (std::uint64_t seed = 0; seed < 400; ++seed) ++places[question_of(of, seed).answer.front()];
    for (std::size_t place = 0; place < 4; ++place) EXPECT_GE(places[place], 60) << of.id << " at " << place;
  }
}

TEST(Templates, AreTheSameForTheSameSeed) {
  for (const Template& of : question_templates()) {
    const Question once = question_of(of, 41);
    const Question again = question_of(of, 41);
    EXPECT_EQ(once.prompt, again.prompt);
    ASSERT_EQ(once.options.size(), again.options.size());
    for (std::size_t i = 0; i < once.options.size(); ++i) EXPECT_EQ(once.options[i].text, again.options[i].text);
  }
}

TEST(Mistakes, AreSentences) {
  for (const Mistake& mistake : kMistakes) {
    EXPECT_EQ(mistake.what.back(), '.') << mistake.id;
    EXPECT_EQ(mistake.tempts.back(), '.') << mistake.id;
  }
}

TEST(Objectives, AllLeadToATemplateAndASeedChoosesAmongThem) {
  for (const std::string& objective : generated_objectives()) {
    std::set<std::string_view> chosen;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const Template& of = template_of_objective(objective, seed);
      EXPECT_EQ(of.objective, objective);
      chosen.insert(of.id);
    }
    const auto all = std::count_if(question_templates().begin(), question_templates().end(),
                                   [&](const Template& of) { return of.objective == objective; });
    EXPECT_EQ(chosen.size(), static_cast<std::size_t>(all)) << objective;
  }
}

}  // namespace
}  // namespace podwright::templates_test
