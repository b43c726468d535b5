#include "golden/question_digest.h"

#include <cstdint>

#include "api/answer_writer.h"
#include "api/question_table.h"
#include "base/digest.h"
#include "study/make_question.h"
#include "study/template.h"

namespace golden {
namespace {

constexpr std::uint64_t kSeeds = 1000;

std::string digest_of(const podwright::Template& of) {
  podwright::Sha256 digest;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    podwright::JsonWriter out;
    podwright::AnswerWriter v(out);
    out.begin_object();
    describe(v, podwright::make_question(podwright::embedded_catalog_facts(), of, seed));
    out.end_object();
    digest.add(out.take());
    digest.add("\n");
  }
  return digest.hex();
}

}  // namespace

std::string question_digests() {
  std::string lines;
  for (const podwright::Template& one : podwright::question_templates())
    lines += std::string(one.id) + "," + digest_of(one) + "\n";
  return lines;
}

}  // namespace golden
