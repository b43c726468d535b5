#pragma once
/// Fields of a question of the study tool.
#include "api/answer_field.h"
#include "base/json_write.h"
#include "study/question.h"

namespace podwright {

/// Of numeric questions a number; else options, counted from 0: the right ones in their order, or one for each
/// left-hand text.
template <class Table>
void describe_right_answer(Table& v, const Question& question) {
  const bool numeric = question.kind == QuestionKind::numeric;
  if (const auto part = v.when(numeric)) {
    const NumericAnswer& right = or_empty(question.number);
    v.number({"number", "Number"}, right.value);
    v.text({"unit", "Unit"}, right.unit);
    v.number({"tolerance", "Share by which it may be off"}, right.tolerance);
  }
  if (const auto part = v.when(!numeric))
    v.column({"options", "Options"}, question.answer, [](std::size_t index) { return static_cast<double>(index); });
}

template <class Table>
void describe(Table& v, const SolutionStep& step) {
  v.text({"text", "Step"}, step.text);
  if (const auto part = v.when(!step.equation.empty())) {
    v.text({"name", "Computed"}, step.name);
    v.text({"equation", "Equation"}, step.equation);
    v.list({"inputs", "Inputs"}, step.inputs, [&](const SolutionInput& input) {
      v.text({"name", "Name"}, input.name);
      v.number({"value", "Value"}, input.value);
      v.text({"unit", "Unit"}, input.unit);
      v.text({"source", "Source"}, unless_empty(input.source));
    });
    v.number({"value", "Value"}, step.value);
    v.text({"unit", "Unit"}, step.unit);
    v.text({"source", "Source"}, step.source);
  }
}

template <class Table>
void describe(Table& v, const Question& question) {
  const QuestionKind kind = question.kind;
  v.text({"id", "Question"}, question.id);
  v.text({"template", "Template"}, unless_empty(question.template_id));
  v.text({"objective", "Objective"}, question.objective);
  v.word({"kind", "Kind"}, kind, kQuestionKindWords);
  v.number({"difficulty", "Difficulty", unit::kNone, "1 recall, 2 understanding, 3 reasoning over a situation"},
           question.difficulty);
  v.text({"prompt", "Prompt"}, question.prompt);
  v.text({"drawing", "Drawing"}, unless_empty(question.drawing));
  if (const auto part = v.when(kind == QuestionKind::match))
    v.column({"lefts", "To be matched"}, question.lefts, [](const std::string& left) { return left; });
  const bool choice =
      kind == QuestionKind::choice || kind == QuestionKind::choose_two || kind == QuestionKind::read_drawing;
  v.list({"options", "Options"}, question.options, [&](const QuestionOption& option) {
    v.text({"text", "Option"}, option.text);
    if (const auto part = v.when(choice)) v.flag({"right", "Right"}, option.right);
    v.text({"why", "Why"}, option.why);
    v.text({"mistake", "Mistake"}, unless_empty(option.mistake));
  });
  v.group({"answer", "Answer"}, [&] { describe_right_answer(v, question); });
  v.list({"solution", "Solution"}, question.solution);
  v.text({"source", "Source"}, question.source);
  v.object({"planner", "In the planner"}, question.planner, [&](const PlannerCase& shown) {
    v.text({"screen", "Screen"}, shown.screen);
    v.any({"request", "Request"}, [&](JsonWriter& out) { out.verbatim(shown.request); });
  });
}

}  // namespace podwright
