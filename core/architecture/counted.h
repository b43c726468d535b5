#pragma once
/// Counts, amounts and names in sentences.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_text.h"
#include "base/units.h"

namespace podwright {

/// All digits, with commas: "2,048", "10.2".
inline std::string grouped(double x) { return human_number(x, 15); }

/// "11.3 kW".
inline std::string kilowatts_text(Watts power) { return grouped(rounded_for_display(power / kw(1))) + " kW"; }

/// "1 GPU", "2,048 GPUs".
inline std::string counted(double count, std::string_view one, std::string_view many) {
  return grouped(count) + " " + std::string(count == 1 ? one : many);
}

/// "a DGX H100", "an HGX B300": by its sound, which for an abbreviation is the name of its first letter.
inline std::string with_article(std::string_view name) {
  const std::string_view word = name.substr(0, name.find(' '));
  const bool spelled = word.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
  const std::string_view vowels = spelled ? "AEFHILMNORSX8" : "AEIOaeio8";
  const bool an = !name.empty() && vowels.find(name.front()) != std::string_view::npos;
  return (an ? "an " : "a ") + std::string(name);
}

// Numbers in labels.

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
