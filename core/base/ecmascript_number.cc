#include "base/ecmascript_number.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "base/result.h"

namespace podwright {

std::string ecmascript_number(double x) {
  PODWRIGHT_ASSERT(std::isfinite(x));
  if (x == 0.0) return "0";
  // Fifteen digits of a normal number end with zeros where fewer read back.
  std::string scientific;
  for (int digits = std::fabs(x) < std::numeric_limits<double>::min() ? 0 : 14; digits < 17; ++digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*e", digits, x);
    scientific = text;
    if (std::strtod(scientific.c_str(), nullptr) == x) break;
  }
  const std::string sign = x < 0 ? "-" : "";
  const std::size_t mark = scientific.find('e');
  // The point follows `point` of the digits.
  const int point = std::atoi(scientific.c_str() + mark + 1) + 1;
  std::string digits;
  for (const char c : scientific.substr(0, mark))
    if (c >= '0' && c <= '9') digits += c;
  digits.erase(std::max<std::size_t>(1, digits.find_last_not_of('0') + 1));
  const int count = static_cast<int>(digits.size());
  const auto zeros = [](int many) { return std::string(static_cast<std::size_t>(many), '0'); };
  if (count <= point && point <= 21) return sign + digits + zeros(point - count);
  if (0 < point && point <= 21) return sign + digits.insert(static_cast<std::size_t>(point), ".");
  if (-6 < point && point <= 0) return sign + "0." + zeros(-point) + digits;
  if (count > 1) digits.insert(1, ".");
  return sign + digits + "e" + (point > 0 ? "+" : "-") + std::to_string(point > 0 ? point - 1 : 1 - point);
}

}  // namespace podwright
