#include "api/study_request.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_fields.h"
#include "api/common_table.h"
#include "api/question_table.h"
#include "base/whole.h"
#include "study/exam.h"
#include "study/make_question.h"
#include "study/template.h"

namespace podwright {
namespace {

/// The packs of an object, each under a name of its own; what is wrong with them is noted.
std::vector<WrittenQuestion> read_packs(const std::string& text, Errors& errors) {
  std::vector<WrittenQuestion> all;
  const auto packs = parse_json(text);
  if (!packs) return all;
  for (std::size_t i = 0; i < packs->items.size(); ++i) {
    auto pack = read_written_pack(packs->items[i]);
    if (pack) {
      for (WrittenQuestion& one : *pack) all.push_back(std::move(one));
      continue;
    }
    for (Error& error : pack.error()) {
      error.path = "/written" + pointer_step(packs->keys[i]) + error.path;
      errors.push_back(std::move(error));
    }
  }
  return all;
}

void describe_written_packs(FieldVisitor& v, std::vector<WrittenQuestion>& written) {
  std::optional<std::string> packs;
  v.object({"written", "Packs of written questions, each under its objective; absent: generated ones alone"}, packs);
  Errors errors;
  if (packs) written = read_packs(*packs, errors);
  v.problems(errors);
}

std::vector<std::string> template_ids() {
  std::vector<std::string> ids;
  for (const Template& one : question_templates()) ids.emplace_back(one.id);
  return ids;
}

/// All of the exams, and what templates ask about beside them.
std::vector<std::string> objectives() {
  std::vector<std::string> all;
  for (const Blueprint& blueprint : kBlueprints)
    for (std::string& one : objectives_of(blueprint)) all.push_back(std::move(one));
  for (const std::string& one : generated_objectives())
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  return all;
}

bool has_template(const std::string& objective) {
  const std::vector<std::string>& generated = generated_objectives();
  return std::find(generated.begin(), generated.end(), objective) != generated.end();
}

/// Generated where anything is; an objective without a template takes one of its written questions.
Question question_of(const Catalog& catalog, const QuestionRequest& request) {
  const auto seed = static_cast<std::uint64_t>(request.seed);
  if (!request.template_id.empty()) return make_question(catalog, *find_template(request.template_id), seed);
  if (has_template(request.objective))
    return make_question(catalog, template_of_objective(request.objective, seed), seed);
  return shown_question(*written_of_objective(request.written, request.objective, seed), seed);
}

void describe_question(auto& v, const Asked& asked, const Question& question) {
  v.text({"kind"}, "question");
  v.object({"question"}, question);
  describe_foot(v, asked);
}

void describe_exam(auto& v, const Asked& asked, const std::vector<Question>& questions) {
  v.text({"kind"}, "exam");
  v.list({"questions"}, questions);
  describe_foot(v, asked);
}

}  // namespace

void describe(FieldVisitor& v, const Catalog&, QuestionRequest& r) {
  describe_head(v, "question");
  v.word({"objective", "Objective of the exam that the question is about"}, r.objective, objectives());
  v.word({"template", "Template whose numbers are drawn"}, r.template_id, template_ids());
  v.count({"seed", "Number that the question's numbers are drawn from; the same seed gives the same question",
           within(0, kMostSeed), "the first question"},
          r.seed);
  describe_written_packs(v, r.written);
  v.rule(r.objective.empty() != r.template_id.empty(), "objective",
         "Exactly one of \"objective\" and \"template\" must be given.",
         "Write {\"kind\": \"question\", \"objective\": \"2.7\", \"seed\": 7}.");
  const bool asks_nothing =
      !r.objective.empty() && !has_template(r.objective) && written_of_objective(r.written, r.objective, 0) == nullptr;
  v.rule(!asks_nothing, "objective", "No template asks about this objective, and no written question of it is given.",
         "Give the objective's pack of written questions in \"written\".");
}

Answer answer_question(const Asked& asked, const QuestionRequest& request) {
  const Question question = question_of(asked.catalog, request);
  return written_answer(nullptr, true, [&](AnswerWriter& v) { describe_question(v, asked, question); });
}

void describe_question_answer(AnswerShape& v) { describe_question(v, nothing_asked(), Question{}); }

void describe(FieldVisitor& v, const Catalog&, ExamRequest& r) {
  describe_head(v, "exam");
  v.word({"exam", "The exam"}, r.exam, std::vector<std::string>(kExamWords.begin(), kExamWords.end()));
  v.count({"seed", "Number that the exam is drawn from; the same seed and packs give the same exam",
           within(0, kMostSeed), "the first exam"},
          r.seed);
  word(v, {"form", "exam: as the exam asks, at its level, with options and few sums; challenge: all"}, r.form,
       kExamFormWords);
  v.text({"seen", "Ids of written questions, separated by spaces, that come only where an objective has no others"},
         r.seen);
  describe_written_packs(v, r.written);
}

Answer answer_exam(const Asked& asked, const ExamRequest& request) {
  const auto blueprint = std::find_if(kBlueprints.begin(), kBlueprints.end(),
                                      [&](const Blueprint& one) { return one.id == request.exam; });
  const std::vector<std::string> seen = spaced_words(request.seen);
  const ExamWish wish{.blueprint = &*blueprint,
                      .seed = static_cast<std::uint64_t>(request.seed),
                      .form = request.form,
                      .seen = {seen.begin(), seen.end()}};
  const auto questions = make_exam(asked.catalog, request.written, wish);
  return written_answer(nullptr, true, [&](AnswerWriter& v) { describe_exam(v, asked, questions); });
}

void describe_exam_answer(AnswerShape& v) { describe_exam(v, nothing_asked(), {}); }

}  // namespace podwright
