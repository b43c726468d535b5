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
constexpr int kLargestPower = 22;

/// whole / 10^places: a number above zero that is rounded to so many digits as `whole` has.
struct Rounded {
  std::int64_t whole;
  int places;
  /// The nearest double.
  double value() const;
};

double Rounded::value() const {
  const double digits = static_cast<double>(whole);
  // Below 2^53 and with an exact power one rounding gives the nearest.
  if (places >= 0 && places <= kLargestPower) return digits / kPowersOfTen[places];
  if (places < 0 && -places <= kLargestPower) return digits * kPowersOfTen[-places];
  return std::strtod((std::to_string(whole) + "e" + std::to_string(-places)).c_str(), nullptr);
}

/// By doubles alone, where they can tell: one rounding brings `size` to `digits` places before the point, wrong by half
/// an ulp at most. Absent near the middle of two numbers, and where no exact power of ten leads there.
std::optional<Rounded> rounded_without_text(double size, int digits) {
  const double end = kPowersOfTen[digits];
  const double begin = kPowersOfTen[digits - 1];
  if (!(size >= 1e-8 && size < 1e22)) return std::nullopt;
  int places = 0;
  const auto scaled_by = [&] { return places < 0 ? size / kPowersOfTen[-places] : size * kPowersOfTen[places]; };
  while (scaled_by() >= end) --places;
  while (places < kLargestPower && scaled_by() < begin) ++places;
  const double scaled = scaled_by();
  const double whole = std::floor(scaled);
  const double rest = scaled - whole;
  const double doubt = scaled * 0x1p-51;
  if (scaled < begin * (1 + 0x1p-50) || std::fabs(rest - 0.5) <= doubt) return std::nullopt;
  const double nearest = rest < 0.5 ? whole : whole + 1.0;
  if (nearest >= end) return std::nullopt;
  return Rounded{static_cast<std::int64_t>(nearest), places};
}

/// `size` > 0 to `digits` (1 to 15) significant digits, ties as the exact value of the double has them.
Rounded rounded_to(double size, int digits) {
  if (const auto rounded = rounded_without_text(size, digits)) return *rounded;
  const std::string scientific = print("%.*e", digits - 1, size);
  std::int64_t whole = 0;
  const std::size_t exponent = scientific.find('e');
  for (std::size_t i = 0; i < exponent; ++i) {
    if (scientific[i] != '.') whole = whole * 10 + (scientific[i] - '0');
  }
  return {whole, digits - 1 - std::atoi(scientific.c_str() + exponent + 1)};
}

/// Without zeros behind the last digit that counts.
std::string plain_text(Rounded number) {
  while (number.places > 0 && number.whole % 10 == 0) {
    number.whole /= 10;
    --number.places;
  }
  std::string text = std::to_string(number.whole);
  if (number.places <= 0) return text.append(static_cast<std::size_t>(-number.places), '0');
  const auto decimals = static_cast<std::size_t>(number.places);
  if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
  return text.insert(text.size() - decimals, ".");
}

}  // namespace

std::string shortest_number(double x) {
  PODWRIGHT_ASSERT(std::isfinite(x));
  if (x == std::floor(x) && std::fabs(x) < 1e15) return std::to_string(static_cast<std::int64_t>(x));
  return nlohmann::json(x).dump();
}

std::string human_number(double x, int digits) {
  PODWRIGHT_ASSERT(std::isfinite(x) && digits >= 1 && digits <= 15);
  if (x == 0.0) return "0";
  const Rounded rounded = rounded_to(std::fabs(x), digits);
  const int exponent = digits - 1 - rounded.places;
  const bool negative = x < 0;
  if (exponent >= 15 || exponent < -6) return shortest_number(negative ? -rounded.value() : rounded.value());
  return with_commas((negative ? "-" : "") + plain_text(rounded));
}

std::string percent_text(double share, int digits) { return human_number(100 * share, digits) + " %"; }

std::string fixed_number(double x, int decimals) {
  PODWRIGHT_ASSERT(std::isfinite(x));
  std::string text = print("%.*f", decimals, x);
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  return with_commas(std::move(text));
}

std::string dollars_text(double usd) {
  // The number as answers show it.
  const double size = std::fabs(rounded_for_display(usd));
  const std::string sign = usd < 0 ? "−$" : "$";
  // Judged as it will be written: 999,600 is a million to three digits.
  const double shown = rounded_for_display(size, 3);
  if (shown >= 1e12) return sign + human_number(size / 1e12) + " trillion";
  if (shown >= 1e9) return sign + human_number(size / 1e9) + " billion";
  if (shown >= 1e6) return sign + human_number(size / 1e6) + " million";
  return sign + (size == 0 || (size >= 0.1 && size < 1000) ? fixed_number(size, 2) : human_number(size));
}

std::string duration_text(double seconds) {
  struct Step {
    double from, base;
    const char* sign;
  };
  constexpr Step kSteps[] = {{172800, 86400, "days"}, {7200, 3600, "h"},  {120, 60, "min"}, {1, 1, "s"},
                             {1e-4, 1e-3, "ms"},      {1e-6, 1e-6, "µs"}, {0, 1e-9, "ns"}};
  const double size = std::fabs(seconds);
  if (size < 1e-12) return "0 s";  // what is left of a wait that a model has as nearly nothing
  for (const Step& step : kSteps)
    if (size >= step.from) return human_number(seconds / step.base) + " " + step.sign;
  return "";
}

double rounded_for_display(double x, int digits) {
  if (x == 0.0 || !std::isfinite(x)) return x;
  const double rounded = rounded_to(std::fabs(x), digits).value();
  return x < 0 ? -rounded : rounded;
}

}  // namespace podwright
