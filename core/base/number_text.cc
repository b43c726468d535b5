#include "base/number_text.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/result.h"

namespace podwright {
namespace {

std::string with_commas(std::string text) {
  const std::size_t begin = text.front() == '-' ? 1 : 0;
  std::size_t end = text.find('.');
  if (end == std::string::npos) end = text.size();
  for (std::size_t i = end; i > begin + 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string print(const char* format, int digits, double x) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, format, digits, x);
  return buffer;
}

/// 10^0 to 10^22, all exact.
constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// The nearest number of 15 digits where doubles alone can tell it: one rounding brings `x` to 15 places before the
/// point, wrong by 1/16 at most, and one brings the whole number back, as reading its text would. Absent near the
/// middle of two numbers, and beyond 1e-8 to 1e14.
std::optional<double> rounded_without_text(double x) {
  const double size = std::fabs(x);
  if (!(size >= 1e-8 && size < 1e14)) return std::nullopt;
  std::size_t places = 1;
  while (places < 22 && size * kPowersOfTen[places] < 1e14) ++places;
  const double scaled = size * kPowersOfTen[places];
  const double whole = std::floor(scaled);
  const double rest = scaled - whole;
  if (scaled < 1e14 + 1 || scaled > 1e15 - 2 || std::fabs(rest - 0.5) < 0.125) return std::nullopt;
  const double rounded = (rest < 0.5 ? whole : whole + 1.0) / kPowersOfTen[places];
  return x < 0 ? -rounded : rounded;
}

}  // namespace

std::string shortest_number(double x) {
  PODWRIGHT_ASSERT(std::isfinite(x));
  if (x == std::floor(x) && std::fabs(x) < 1e15) return std::to_string(static_cast<std::int64_t>(x));
  return nlohmann::json(x).dump();
}

std::string ecmascript_number(double x) {
  PODWRIGHT_ASSERT(std::isfinite(x));
  if (x == 0.0) return "0";
  std::string scientific;
  for (int digits = 0; digits < 17; ++digits) {
    scientific = print("%.*e", digits, x);
    if (std::strtod(scientific.c_str(), nullptr) == x) break;
  }
  const std::string sign = x < 0 ? "-" : "";
  const std::size_t mark = scientific.find('e');
  // The point stands behind `point` of the digits.
  const int point = std::atoi(scientific.c_str() + mark + 1) + 1;
  std::string digits;
  for (const char c : scientific.substr(0, mark))
    if (c >= '0' && c <= '9') digits += c;
  const int count = static_cast<int>(digits.size());
  const auto zeros = [](int many) { return std::string(static_cast<std::size_t>(many), '0'); };
  if (count <= point && point <= 21) return sign + digits + zeros(point - count);
  if (0 < point && point <= 21) return sign + digits.insert(static_cast<std::size_t>(point), ".");
  if (-6 < point && point <= 0) return sign + "0." + zeros(-point) + digits;
  if (count > 1) digits.insert(1, ".");
  return sign + digits + "e" + (point > 0 ? "+" : "-") + std::to_string(point > 0 ? point - 1 : 1 - point);
}

std::string human_number(double x, int digits) {
  PODWRIGHT_ASSERT(std::isfinite(x));
  if (x == 0.0) return "0";
  // The text of the rounded number in exponent form tells its magnitude without a logarithm.
  const std::string scientific = print("%.*e", digits - 1, x);
  const double rounded = std::strtod(scientific.c_str(), nullptr);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  if (exponent >= 15 || exponent < -6) return shortest_number(rounded);
  std::string text = print("%.*f", exponent < digits ? digits - 1 - exponent : 0, rounded);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return with_commas(std::move(text));
}

std::string fixed_number(double x, int decimals) {
  PODWRIGHT_ASSERT(std::isfinite(x));
  std::string text = print("%.*f", decimals, x);
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  return with_commas(std::move(text));
}

std::string dollars_text(double usd) {
  const double size = std::fabs(usd);
  return "$" + (size >= 0.1 && size < 1000 ? fixed_number(usd, 2) : human_number(usd));
}

double rounded_for_display(double x) {
  if (const auto rounded = rounded_without_text(x)) return *rounded;
  return std::strtod(print("%.*g", 15, x).c_str(), nullptr);
}

}  // namespace podwright
