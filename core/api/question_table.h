#pragma once
/// Fields of a question of the study tool.
#include "api/answer_field.h"
#include "base/json_write.h"
#include "study/question.h"

namespace podwright {

/// Of numeric questions a number; else options, counted from 0: the right ones in their order, or one for each
/// left-hand text.
void describe_right_answer(auto& v, const Question& question) {
  const bool numeric = question.kind == QuestionKind::numeric;
  if (const auto part = v.when(numeric)) {
    const NumericAnswer& right = or_empty(question.number);
    v.number({"number", "No."}, right.value);
    v.text({"unit"}, right.unit);
    v.number({"tolerance", "Share by which it may be off"}, right.tolerance);
  }
  if (const auto part = v.when(!numeric))
    v.column({"options"}, question.answer, [](std::size_t index) { return static_cast<double>(index); });
}

void describe(auto& v, const SolutionStep& step) {
  v.text({"text"}, step.text);
  if (const auto part = v.when(!step.equation.empty())) {
    v.text({"name"}, step.name);
    v.text({"equation"}, step.equation);
    v.list({"inputs"}, step.inputs, [&](const SolutionInput& input) {
      v.text({"name"}, input.name);
      v.number({"value"}, input.value);
      v.text({"unit"}, input.unit);
      v.text({"source"}, unless_empty(input.source));
    });
    v.number({"value"}, step.value);
    v.text({"unit"}, step.unit);
    v.text({"source"}, step.source);
  }
}

void describe(auto& v, const Question& question) {
  const QuestionKind kind = question.kind;
  v.text({"id"}, question.id);
  v.text({"template"}, unless_empty(question.template_id));
  v.text({"objective"}, question.objective);
  v.word({"kind"}, kind, kQuestionKindWords);
  v.number({"difficulty", unit::kNone, "1 recall, 2 understanding, 3 reasoning over a situation"}, question.difficulty);
  v.word({"level"}, question.level, kQuestionLevelWords);
  v.word({"asks", "What it takes to answer"}, question.asks, kQuestionAsksWords);
  v.text({"prompt"}, question.prompt);
  v.text({"drawing"}, unless_empty(question.drawing));
  v.text({"picture"}, unless_empty(question.picture));
  v.text({"hidden"}, unless_empty(question.hidden));
  if (const auto part = v.when(kind == QuestionKind::match))
    v.column({"lefts", "To be matched"}, question.lefts, [](const std::string& left) { return left; });
  const bool choice =
      kind == QuestionKind::choice || kind == QuestionKind::choose_two || kind == QuestionKind::read_drawing;
  v.list({"options"}, question.options, [&](const QuestionOption& option) {
    v.text({"text"}, option.text);
    if (const auto part = v.when(choice)) v.flag({"right"}, option.right);
    v.text({"why"}, option.why);
    v.text({"mistake"}, unless_empty(option.mistake));
  });
  v.group({"answer"}, [&] { describe_right_answer(v, question); });
  v.list({"solution"}, question.solution);
  v.text({"source"}, question.source);
  v.object({"planner", "In the planner"}, question.planner, [&](const PlannerCase& shown) {
    v.text({"screen"}, shown.screen);
    v.any({"request"}, [&](JsonWriter& out) { out.verbatim(shown.request); });
  });
}

}  // namespace podwright
