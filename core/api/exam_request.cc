#include "api/exam_request.h"

#include <cstdint>

#include "api/describe_head.h"
#include "api/write_common.h"
#include "api/write_question.h"
#include "study/exam.h"

namespace podwright {
namespace {

/// Whole numbers that a double keeps.
constexpr double kMostSeed = 9007199254740991.0;

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

}  // namespace

void describe(FieldVisitor& v, const Catalog&, ExamRequest& r) {
  describe_head(v, "exam");
  v.count({.key = "seed",
           .help = "Number that the exam is drawn from; the same seed and packs give the same exam",
           .range = {0, kMostSeed},
           .default_source = "the first exam"},
          r.seed);
  std::optional<std::string> packs;
  v.object(
      {.key = "written", .help = "Packs of written questions, each under its objective; absent: generated ones alone"},
      packs);
  Errors errors;
  if (packs) r.written = read_packs(*packs, errors);
  v.problems(errors);
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
