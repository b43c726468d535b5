#include "api/question_request.h"

#include <cstdint>

#include "api/describe_head.h"
#include "api/write_common.h"
#include "api/write_question.h"
#include "study/make_question.h"

namespace podwright {
namespace {

/// Whole numbers that a double keeps.
constexpr double kMostSeed = 9007199254740991.0;

std::vector<std::string> template_ids() {
  std::vector<std::string> ids;
  for (const Template& one : question_templates()) ids.emplace_back(one.id);
  return ids;
}

}  // namespace

void describe(FieldVisitor& v, const Catalog&, QuestionRequest& r) {
  describe_head(v, "question");
  v.word({.key = "objective", .help = "Objective of the exam that the question is about"}, r.objective,
         generated_objectives());
  v.word({.key = "template", .help = "Template whose numbers are drawn"}, r.template_id, template_ids());
  v.count({.key = "seed",
           .help = "Number that the question's numbers are drawn from; the same seed gives the same question",
           .range = {0, kMostSeed},
           .default_source = "the first question"},
          r.seed);
  v.rule(r.objective.empty() != r.template_id.empty(), "objective",
         "Exactly one of \"objective\" and \"template\" must be given.",
         "Write {\"kind\": \"question\", \"objective\": \"2.7\", \"seed\": 7}.");
}

Answer answer_question(const Catalog& catalog, const QuestionRequest& request,
                       const std::vector<Assumption>& assumptions) {
  const auto seed = static_cast<std::uint64_t>(request.seed);
  const Template& of =
      request.objective.empty() ? *find_template(request.template_id) : template_of_objective(request.objective, seed);
  JsonWriter out;
  out.begin_object();
  out.text("kind", "question");
  out.key("question");
  write_question(out, make_question(catalog, of, seed));
  write_foot(out, catalog, assumptions, {});
  out.end_object();
  return {out.take(), Outcome::answer};
}

}  // namespace podwright
