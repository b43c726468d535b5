#include "export/hostlist.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "architecture/label_number.h"

namespace podwright {
namespace {

/// More digits do not fit the numbers used here; such names are written out.
constexpr std::size_t kMostDigits = 9;

/// "n00017" is "n", 5 digits, 17. Digits 0: the name ends with none.
struct NumberedName {
  std::string prefix;
  std::size_t digits = 0;
  std::uint32_t number = 0;
};

NumberedName split(const std::string& name) {
  std::size_t begin = name.size();
  while (begin > 0 && name.size() - begin < kMostDigits && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  NumberedName parts{.prefix = name.substr(0, begin), .digits = name.size() - begin};
  for (std::size_t i = begin; i < name.size(); ++i)
    parts.number = parts.number * 10 + static_cast<std::uint32_t>(name[i] - '0');
  return parts;
}

std::string ranges(std::vector<std::uint32_t> numbers, std::size_t digits) {
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += numbered_label("", numbers[i], digits);
    if (last > i) text += "-" + numbered_label("", numbers[last], digits);
    i = last + 1;
  }
  return text;
}

}  // namespace

std::string hostlist(const std::vector<std::string>& names) {
  struct Group {
    NumberedName first;
    std::vector<std::uint32_t> numbers;
  };
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::size_t>, std::size_t> known;
  for (const std::string& name : names) {
    const NumberedName parts = split(name);
    const auto [at, added] = known.emplace(std::pair(parts.prefix, parts.digits), groups.size());
    if (added) groups.push_back({parts, {}});
    groups[at->second].numbers.push_back(parts.number);
  }
  std::string text;
  for (const Group& group : groups) {
    if (!text.empty()) text += ',';
    text += group.first.prefix;
    if (group.first.digits == 0) continue;
    if (group.numbers.size() == 1)
      text += numbered_label("", group.numbers.front(), group.first.digits);
    else
      text += "[" + ranges(group.numbers, group.first.digits) + "]";
  }
  return text;
}

}  // namespace podwright
