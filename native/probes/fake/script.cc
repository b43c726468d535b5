#include "probes/fake/script.h"

#include <cstdlib>

namespace podwright::probes::fake {
namespace {

bool matches(std::string_view pattern, std::string_view probe) {
  if (!pattern.empty() && pattern.back() == '*') {
    pattern.remove_suffix(1);
    return probe.substr(0, pattern.size()) == pattern;
  }
  return pattern == probe;
}

}  // namespace

bool Script::has(std::string_view step, std::string_view probe, std::string* value) const {
  std::string_view rest = text_;
  while (!rest.empty()) {
    const std::size_t end = rest.find(';');
    const std::string_view one = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    const std::size_t at = one.find('@');
    const std::string_view head = one.substr(0, at);
    const std::size_t equals = head.find('=');
    if (head.substr(0, equals) != step) continue;
    if (at != std::string_view::npos && !matches(one.substr(at + 1), probe)) continue;
    if (value != nullptr && equals != std::string_view::npos) *value = std::string(head.substr(equals + 1));
    return true;
  }
  return false;
}

double Script::number(std::string_view step, std::string_view probe, double otherwise) const {
  std::string value;
  return has(step, probe, &value) ? std::strtod(value.c_str(), nullptr) : otherwise;
}

}  // namespace podwright::probes::fake
