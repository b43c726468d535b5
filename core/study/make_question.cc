#include "study/make_question.h"

#include <algorithm>

#include "base/stable_sort.h"
#include "study/draft.h"

namespace podwright {
namespace {

/// "2.10" comes after "2.9".
bool before(const std::string& a, const std::string& b) {
  return a.substr(0, 1) != b.substr(0, 1) ? a < b : a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

Question make_question(const Catalog& catalog, const Template& of, std::uint64_t seed) {
  return Draft(catalog, of, seed).finish();
}

const std::vector<std::string>& generated_objectives() {
  static const std::vector<std::string> objectives = [] {
    std::vector<std::string> all;
    for (const Template& one : question_templates())
      if (std::find(all.begin(), all.end(), one.objective) == all.end()) all.emplace_back(one.objective);
    sort_stably(all, before);
    return all;
  }();
  return objectives;
}

const Template& template_of_objective(std::string_view objective, std::uint64_t seed) {
  std::vector<const Template*> asked;
  for (const Template& one : question_templates())
    if (one.objective == objective) asked.push_back(&one);
  PODWRIGHT_ASSERT(!asked.empty());
  return *asked[Draws(seed, objective).index(asked.size())];
}

}  // namespace podwright
