#include "study/blueprint.h"

#include <algorithm>
#include <cmath>

namespace podwright {

std::vector<std::string> spaced_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool Blueprint::has(std::string_view objective) const {
  for (std::string_view rest = objectives; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == objective) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

std::string_view domain_of(std::string_view objective) { return objective.substr(0, objective.find('.')); }

std::vector<std::size_t> questions_of_domains(const Blueprint& blueprint) {
  std::vector<std::size_t> counts;
  std::vector<double> rests;
  std::size_t left = blueprint.questions;
  for (const BlueprintDomain& domain : blueprint.domains) {
    const double exact = domain.weight * static_cast<double>(blueprint.questions);
    // A hair above, so that 0.22 * 50 does not become 10 by its last bit.
    counts.push_back(static_cast<std::size_t>(std::floor(exact + 1e-9)));
    rests.push_back(exact - static_cast<double>(counts.back()));
    left -= counts.back();
  }
  for (; left > 0; --left) {
    const auto most = std::max_element(rests.begin(), rests.end());
    ++counts[static_cast<std::size_t>(most - rests.begin())];
    *most = 0;
  }
  return counts;
}

}  // namespace podwright
