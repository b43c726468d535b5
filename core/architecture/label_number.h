#pragma once
/// Numbers in labels.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

/// `prefix` and the number with at least `digits` digits: "oob-007".
inline std::string numbered_label(std::string_view prefix, std::uint32_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return std::string(prefix) + text;
}

/// Those of 1 to `count`.
inline std::vector<std::string> numbered_labels(std::string_view prefix, double count, std::size_t digits) {
  std::vector<std::string> labels;
  labels.reserve(static_cast<std::size_t>(count));
  for (std::uint32_t i = 1; i <= static_cast<std::uint32_t>(count); ++i)
    labels.push_back(numbered_label(prefix, i, digits));
  return labels;
}

}  // namespace podwright
