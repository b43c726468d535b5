#include "base/nearest.h"

#include <algorithm>

#include "base/lower_case.h"
#include "base/stable_sort.h"

namespace podwright {
int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> before(width);
  std::vector<int> above(width);
  std::vector<int> row(width);
  for (std::size_t j = 0; j < width; ++j) above[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const int replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates, std::size_t most) {
  const std::string sought = lower_case(word.substr(0, 80));
  struct Near {
    int distance;
    const std::string* name;
  };
  std::vector<Near> found;
  for (const std::string& candidate : candidates) {
    const std::string name = lower_case(candidate);
    int distance = edit_distance(sought, name);
    if (sought.size() >= 3 && name.find(sought) != std::string::npos) distance = 0;
    const auto longest = static_cast<int>(std::max(sought.size(), name.size()));
    if (2 * distance <= longest) found.push_back({distance, &candidate});
  }
  sort_stably(found, [](const Near& x, const Near& y) { return x.distance < y.distance; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < found.size() && i < most; ++i) names.push_back(*found[i].name);
  return names;
}

std::string either_of(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "\"" : i + 1 == words.size() ? " or \"" : ", \"") + words[i] + "\"";
  return text;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         std::string_view otherwise) {
  const std::vector<std::string> near = nearest(word, candidates, 5);
  return near.empty() ? std::string(otherwise) : "Did you mean " + either_of(near) + "?";
}

std::string first_of(const std::vector<std::string>& words, std::size_t most) {
  if (words.size() <= most) return joined(words);
  const std::vector<std::string> first(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(most));
  return joined(first) + " and " + std::to_string(words.size() - most) + " more";
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

}  // namespace podwright
