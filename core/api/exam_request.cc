#include "api/exam_request.h"

#include <cstdint>

#include "api/describe_head.h"
#include "api/write_common.h"
#include "api/write_question.h"
#include "api/written_packs_request.h"
#include "base/whole.h"
#include "study/exam.h"

namespace podwright {

void describe(FieldVisitor& v, const Catalog&, ExamRequest& r) {
  describe_head(v, "exam");
  v.count({.key = "seed",
           .help = "Number that the exam is drawn from; the same seed and packs give the same exam",
           .range = {0, kMostSeed},
           .default_source = "the first exam"},
          r.seed);
  describe_written_packs(v, r.written);
}

Answer answer_exam(const Catalog& catalog, const ExamRequest& request, const std::vector<Assumption>& assumptions) {
  JsonWriter out;
  out.begin_object();
  out.text("kind", "exam");
  out.begin_list("questions");
  for (const Question& question : make_exam(catalog, request.written, static_cast<std::uint64_t>(request.seed)))
    write_question(out, question);
  out.end_list();
  write_foot(out, catalog, assumptions, {});
  out.end_object();
  return {out.take(), Outcome::answer};
}

}  // namespace podwright
