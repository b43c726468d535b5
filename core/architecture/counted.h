#pragma once
/// Counts, amounts and names in sentences.
#include <string>
#include <string_view>

#include "base/number_text.h"
#include "base/units.h"

namespace podwright {

/// All digits, with commas: "2,048", "10.2".
inline std::string grouped(double x) { return human_number(x, 15); }

/// "11.3 kW".
std::string kilowatts_text(Watts power);

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

}  // namespace podwright
