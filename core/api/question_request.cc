#include "api/question_request.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "api/describe_head.h"
#include "api/question_table.h"
#include "api/written_packs_request.h"
#include "base/whole.h"
#include "study/exam.h"
#include "study/make_question.h"
#include "study/template.h"

namespace podwright {
namespace {

std::vector<std::string> template_ids() {
  std::vector<std::string> ids;
  for (const Template& one : question_templates()) ids.emplace_back(one.id);
  return ids;
}

/// All of the exam, and what templates ask about beside it.
std::vector<std::string> objectives() {
  std::vector<std::string> all(std::begin(kExamObjectives), std::end(kExamObjectives));
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

template <class Table>
void describe_question(Table& v, const Catalog& catalog, const Question& question,
                       const std::vector<Assumption>& assumptions) {
  v.text({"kind"}, "question");
  v.object({"question"}, question);
  describe_foot(v, catalog, assumptions, {});
}

}  // namespace

void describe(FieldVisitor& v, const Catalog&, QuestionRequest& r) {
  describe_head(v, "question");
  v.word({.key = "objective", .help = "Objective of the exam that the question is about"}, r.objective, objectives());
  v.word({.key = "template", .help = "Template whose numbers are drawn"}, r.template_id, template_ids());
  v.count({.key = "seed",
           .help = "Number that the question's numbers are drawn from; the same seed gives the same question",
           .range = {0, kMostSeed},
           .default_source = "the first question"},
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

Answer answer_question(const Catalog& catalog, const QuestionRequest& request,
                       const std::vector<Assumption>& assumptions) {
  JsonWriter out;
  AnswerWriter v(out);
  out.begin_object();
  describe_question(v, catalog, question_of(catalog, request), assumptions);
  out.end_object();
  return {out.take(), Outcome::answer};
}

void describe_question_answer(AnswerShape& v) { describe_question(v, Catalog{}, Question{}, {}); }

}  // namespace podwright
