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

namespace {

/// "llama-3.1-70b": llama, 3.1 and 70b.
std::vector<std::string_view> split_name(std::string_view name) {
  std::vector<std::string_view> words;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("-_ /"), name.size());
    if (end > 0) words.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return words;
}

/// Part of the name, or all of its words among those of the name.
bool is_in(std::string_view sought, std::string_view name) {
  if (sought.size() < 3) return false;
  if (name.find(sought) != std::string_view::npos) return true;
  const std::vector<std::string_view> words = split_name(sought);
  const std::vector<std::string_view> others = split_name(name);
  return words.size() > 1 && std::all_of(words.begin(), words.end(), [&](std::string_view word) {
           return std::find(others.begin(), others.end(), word) != others.end();
         });
}

/// "l4-24gb" begins with "l4".
bool begins_with(std::string_view sought, std::string_view name) {
  return sought.size() > name.size() + 1 && sought.substr(0, name.size()) == name &&
         sought.substr(name.size()).find_first_of("-_ /") == 0;
}

}  // namespace

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates, std::size_t most) {
  const std::string sought = lower_case(word.substr(0, 80));
  struct Near {
    int distance;
    bool longer;
    const std::string* name;
  };
  std::vector<Near> found;
  for (const std::string& candidate : candidates) {
    const std::string name = lower_case(candidate);
    const bool longer = begins_with(sought, name);
    const int edits = edit_distance(sought, name);
    const int distance = is_in(sought, name) ? 0 : longer ? std::min(edits, 1) : edits;
    const auto longest = static_cast<int>(std::max(sought.size(), name.size()));
    if (2 * distance <= longest) found.push_back({distance, longer && edits > 1, &candidate});
  }
  // One typing error is nearer than a name with more behind it.
  sort_stably(found, [](const Near& x, const Near& y) {
    return x.distance != y.distance ? x.distance < y.distance : x.longer < y.longer;
  });
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
