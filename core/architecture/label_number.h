#pragma once
/// Numbers in labels.
#include <cstdint>
#include <string>
#include <string_view>

namespace podwright {

/// `prefix` and the number with at least `digits` digits: "oob-007".
inline std::string numbered_label(std::string_view prefix, std::uint32_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return std::string(prefix) + text;
}

}  // namespace podwright
