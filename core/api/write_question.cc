#include "api/write_question.h"

#include "base/words.h"

namespace podwright {
namespace {

bool is_choice(QuestionKind kind) {
  return kind == QuestionKind::choice || kind == QuestionKind::choose_two || kind == QuestionKind::read_drawing;
}

void write_options(JsonWriter& out, const Question& question) {
  out.begin_list("options");
  for (const QuestionOption& option : question.options) {
    out.begin_object();
    out.text("text", option.text);
    if (is_choice(question.kind)) out.boolean("right", option.right);
    out.text("why", option.why);
    if (!option.mistake.empty()) out.text("mistake", option.mistake);
    out.end_object();
  }
  out.end_list();
}

/// `number` of a numeric question; else `options`, indices from 0: those that are right, in their order, or for each
/// left-hand text.
void write_answer(JsonWriter& out, const Question& question) {
  out.begin_object("answer");
  if (question.kind == QuestionKind::numeric) {
    out.number("number", question.number->value);
    out.text("unit", question.number->unit);
    out.number("tolerance", question.number->tolerance);
  } else {
    out.begin_list("options");
    for (const std::size_t index : question.answer) out.number(static_cast<double>(index));
    out.end_list();
  }
  out.end_object();
}

void write_step(JsonWriter& out, const SolutionStep& step) {
  out.begin_object();
  out.text("text", step.text);
  if (!step.equation.empty()) {
    out.text("name", step.name);
    out.text("equation", step.equation);
    out.begin_list("inputs");
    for (const SolutionInput& input : step.inputs) {
      out.begin_object();
      out.text("name", input.name);
      out.number("value", input.value);
      out.text("unit", input.unit);
      if (!input.source.empty()) out.text("source", input.source);
      out.end_object();
    }
    out.end_list();
    out.number("value", step.value);
    out.text("unit", step.unit);
    out.text("source", step.source);
  }
  out.end_object();
}

}  // namespace

void write_question(JsonWriter& out, const Question& question) {
  out.begin_object();
  out.text("id", question.id);
  if (!question.template_id.empty()) out.text("template", question.template_id);
  out.text("objective", question.objective);
  out.text("kind", word_of(question.kind, kQuestionKindWords));
  out.number("difficulty", question.difficulty);
  out.text("prompt", question.prompt);
  if (!question.drawing.empty()) out.text("drawing", question.drawing);
  if (question.kind == QuestionKind::match) {
    out.begin_list("lefts");
    for (const std::string& left : question.lefts) out.text(left);
    out.end_list();
  }
  write_options(out, question);
  write_answer(out, question);
  out.begin_list("solution");
  for (const SolutionStep& step : question.solution) write_step(out, step);
  out.end_list();
  out.text("source", question.source);
  if (question.planner) {
    out.begin_object("planner");
    out.text("screen", question.planner->screen);
    out.key("request");
    out.verbatim(question.planner->request);
    out.end_object();
  }
  out.end_object();
}

}  // namespace podwright
