#include "study/quantity_text.h"

#include <array>
#include <cmath>
#include <span>

#include "base/number_text.h"

namespace podwright {
namespace {

struct Scale {
  double base_units;
  std::string_view sign;
};

constexpr std::array<Scale, 8> kDecimal{
    {{1e21, "Z"}, {1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
constexpr std::array<Scale, 5> kTimes{{{3600, "h"}, {60, "min"}, {1, "s"}, {1e-3, "ms"}, {1e-6, "\xC2\xB5s"}}};
constexpr std::array<Scale, 3> kEnergies{{{3.6e12, "GWh"}, {3.6e9, "MWh"}, {3.6e6, "kWh"}}};

std::string scaled(double base, std::span<const Scale> scales, std::string_view unit) {
  const double size = std::fabs(base);
  const Scale* chosen = &scales.back();
  for (const Scale& scale : scales)
    if (size >= scale.base_units * 0.9995) {
      chosen = &scale;
      break;
    }
  return human_number(base / chosen->base_units) + " " + std::string(chosen->sign) + std::string(unit);
}

std::string three_digits(double value) {
  const bool whole = value == std::floor(value) && std::fabs(value) < 1e8;
  return whole ? fixed_number(value, 0) : human_number(value);
}

/// Runs and repairs last whole days; times between failures are given in hours.
bool is_days(double seconds) {
  const double days = seconds / 86400;
  return days >= 2 && days <= 120 && days == std::floor(days);
}

}  // namespace

std::string quantity_text(double base, std::string_view unit) {
  if (base == 0) return unit == "1" ? "0" : "0 " + std::string(unit);
  if (unit == "1") return std::fabs(base) >= 1e9 ? large_number(base) : three_digits(base);
  if (unit == "B" || unit == "B/s" || unit == "FLOP" || unit == "FLOP/s" || unit == "W")
    return scaled(base, kDecimal, unit);
  if (unit == "s" && is_days(base)) return counted(base / 86400, "day");
  if (unit == "s") return scaled(base, kTimes, "");
  if (unit == "J" && std::fabs(base) >= 3.6e6) return scaled(base, kEnergies, "");
  if (unit == "1/s" && std::fabs(base) >= 1e6) return human_number(base / 1e6) + " MHz";
  if (unit == "1/s") return three_digits(base) + " per second";
  if (unit == "USD") return dollars_text(base);
  if (unit == "USD/s") return dollars_text(base * 3600) + " an hour";
  if (unit == "USD/J") return dollars_text(base * 3.6e6) + " per kWh";
  return three_digits(base) + " " + std::string(unit);
}

std::string in_unit_text(double value, std::string_view unit) {
  if (unit == "1") return three_digits(value);
  if (unit == "USD") return dollars_text(value);
  if (unit == "USD/h") return dollars_text(value) + " an hour";
  if (unit == "USD a year") return dollars_text(value) + " a year";
  return three_digits(value) + " " + std::string(unit);
}

std::string count_text(double count) { return three_digits(count); }

std::string large_number(double count) {
  constexpr std::array<Scale, 3> kWords{{{1e12, " trillion"}, {1e9, " billion"}, {1e6, " million"}}};
  for (const Scale& word : kWords)
    if (count >= word.base_units) return human_number(count / word.base_units) + std::string(word.sign);
  return three_digits(count);
}

std::string with_article(std::string_view name) {
  const bool vowel = !name.empty() && std::string_view("AEFHILMNORSX").find(name.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(name);
}

std::string counted(double count, std::string_view singular) {
  return three_digits(count) + " " + std::string(singular) + (count == 1 ? "" : "s");
}

}  // namespace podwright
