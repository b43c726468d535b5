#pragma once
/// A question of the study tool, as it is asked, answered and explained. contract.md "Study".
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/planner_case.h"

namespace podwright {

/// choice: one option is right. choose_two: two are. order: the options are steps to be put in order. match: each
/// left-hand text belongs to one option. numeric: a number is written. read_drawing: a choice about a drawing.
enum class QuestionKind { choice, choose_two, order, match, numeric, read_drawing };
inline constexpr std::array<std::string_view, 6> kQuestionKindWords{"choice", "choose-two", "order",
                                                                    "match",  "numeric",    "read-drawing"};

/// associate: what the associate exam asks, breadth over depth. professional: what its successors ask.
enum class QuestionLevel { associate, professional };
inline constexpr std::array<std::string_view, 2> kQuestionLevelWords{"associate", "professional"};

/// What it takes to answer: a fact or a definition, a judgement of a situation, a sum.
enum class QuestionAsks { recall, scenario, calculation };
inline constexpr std::array<std::string_view, 3> kQuestionAsksWords{"recall", "scenario", "calculation"};

struct QuestionOption {
  std::string text;
  bool right = false;           ///< of choices
  std::string why;              ///< why it is right, or what the mistake is and why it tempts
  std::string mistake;          ///< id of the named mistake that leads to it; empty where none has a name
  std::optional<double> value;  ///< of options that are numbers, in the unit of the answer
};

/// A number that a step of the solution takes in.
struct SolutionInput {
  std::string name;  ///< as the equation writes it
  double value = 0;  ///< in base units
  std::string unit;
  std::string source;  ///< of a fact of the catalog or a number of the question; empty where a step before made it
};

/// One equation of the solution with its numbers, all in base units, or a sentence.
struct SolutionStep {
  std::string name;      ///< what is computed; empty in a sentence
  std::string text;      ///< for people
  std::string equation;  ///< over the names of `inputs`; empty in a sentence
  std::string words;     ///< the equation for people, in the question's own names
  std::string numbers;   ///< the equation with the numbers in the places of the names
  std::vector<SolutionInput> inputs;
  double value = 0;
  std::string unit;
  std::string source;
};

struct NumericAnswer {
  double value = 0;
  std::string unit;      ///< "1" for a plain number
  double tolerance = 0;  ///< share of the value by which an answer may be off; 0: exactly
};

struct Question {
  std::string id;  ///< template/seed, or the id of a written question
  std::string template_id;
  std::string objective;  ///< "2.7"
  QuestionKind kind = QuestionKind::choice;
  double difficulty = 1;  ///< 1 recall, 2 understanding, 3 reasoning over a situation
  QuestionLevel level = QuestionLevel::associate;
  QuestionAsks asks = QuestionAsks::recall;
  std::string prompt;
  std::string drawing;                  ///< preformatted lines above the prompt; empty where there are none
  std::string picture;                  ///< id of a drawing of core/study/data/drawings above the prompt, or empty
  std::string hidden;                   ///< id of the part of the picture that is asked for, or empty
  std::vector<std::string> lefts;       ///< of match
  std::vector<QuestionOption> options;  ///< as shown
  /// Indices of options: the right ones of a choice, in the right order of an order, one for each left of a match.
  std::vector<std::size_t> answer;
  std::optional<NumericAnswer> number;  ///< of numeric; of choices between numbers the right one
  std::vector<SolutionStep> solution;
  std::string source;  ///< separated by "; "
  /// Of generated questions whose numbers a screen of the planner takes: it shows the answer, or what leads to it.
  std::optional<PlannerCase> planner;
};

}  // namespace podwright
