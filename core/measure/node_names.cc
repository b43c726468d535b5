#include "measure/node_names.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

namespace podwright {
namespace {

constexpr std::size_t kMostNames = 65536;

Error refused(std::string_view what, std::string_view name) {
  return {"out-of-range", "", std::string(what) + ": \"" + std::string(name) + "\".",
          "Names with commas; ranges as in gpu[01-16]."};
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 9 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::size_t number_of(std::string_view digits) {
  std::size_t number = 0;
  for (const char c : digits) number = number * 10 + static_cast<std::size_t>(c - '0');
  return number;
}

/// The texts between commas that stand outside of brackets.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '[') inside = true;
    if (c == ']') inside = false;
    const bool ends = c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!ends || (inside && i < text.size())) continue;
    if (i > begin) parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

/// The numbers of "01-03,7", as wide as they are written.
Result<std::vector<std::string>> numbers_of(std::string_view inside, std::string_view name) {
  std::vector<std::string> numbers;
  for (const std::string_view part : parts_of(inside)) {
    const std::size_t dash = part.find('-');
    const std::string_view first = part.substr(0, dash);
    const std::string_view last = dash == std::string_view::npos ? first : part.substr(dash + 1);
    if (!is_number(first) || !is_number(last)) return failure(refused("A bracket holds no numbers", name));
    if (number_of(first) > number_of(last)) return failure(refused("A range falls", name));
    if (number_of(last) - number_of(first) >= kMostNames) return failure(refused("Too many names", name));
    for (std::size_t i = number_of(first); i <= number_of(last); ++i) {
      std::string digits = std::to_string(i);
      if (digits.size() < first.size()) digits.insert(0, first.size() - digits.size(), '0');
      numbers.push_back(std::move(digits));
    }
  }
  if (numbers.empty()) return failure(refused("A bracket holds no numbers", name));
  return numbers;
}

/// All names that one part stands for.
Result<std::vector<std::string>> expanded(std::string_view part) {
  std::vector<std::string> names{""};
  std::string_view rest = part;
  while (!rest.empty()) {
    const std::size_t open = std::min(rest.find('['), rest.size());
    for (std::string& name : names) name += rest.substr(0, open);
    rest.remove_prefix(open);
    if (rest.empty()) break;
    const std::size_t close = rest.find(']');
    if (close == std::string_view::npos) return failure(refused("A bracket is not closed", part));
    const auto numbers = numbers_of(rest.substr(1, close - 1), part);
    if (!numbers) return failure(numbers.error());
    if (names.size() * numbers->size() > kMostNames) return failure(refused("Too many names", part));
    std::vector<std::string> longer;
    for (const std::string& name : names)
      for (const std::string& number : *numbers) longer.push_back(name + number);
    names = std::move(longer);
    rest.remove_prefix(close + 1);
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> node_names(std::string_view text) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const std::string_view part : parts_of(text)) {
    const auto of_part = expanded(part);
    if (!of_part) return failure(of_part.error());
    for (const std::string& name : *of_part)
      if (known.insert(name).second) names.push_back(name);
    if (names.size() > kMostNames) return failure(refused("Too many names", part.substr(0, 60)));
  }
  return names;
}

}  // namespace podwright
