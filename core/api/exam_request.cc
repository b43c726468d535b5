#include "api/exam_request.h"

#include <cstdint>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "api/describe_head.h"
#include "api/question_table.h"
#include "api/written_packs_request.h"
#include "base/whole.h"
#include "study/exam.h"

namespace podwright {
namespace {

template <class Table>
void describe_exam(Table& v, const Catalog& catalog, const std::vector<Question>& questions,
                   const std::vector<Assumption>& assumptions) {
  v.text({"kind"}, "exam");
  v.list({"questions"}, questions);
  describe_foot(v, catalog, assumptions, {});
}

}  // namespace

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
  AnswerWriter v(out);
  out.begin_object();
  describe_exam(v, catalog, make_exam(catalog, request.written, static_cast<std::uint64_t>(request.seed)), assumptions);
  out.end_object();
  return {out.take(), Outcome::answer};
}

void describe_exam_answer(AnswerShape& v) { describe_exam(v, Catalog{}, {}, {}); }

}  // namespace podwright
