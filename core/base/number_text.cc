#include "base/number_text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

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

}  // namespace

std::string shortest_number(double x) {
  PODWRIGHT_ASSERT(std::isfinite(x));
  if (x == std::floor(x) && std::fabs(x) < 1e15) return print("%.*f", 0, x == 0.0 ? 0.0 : x);
  return nlohmann::json(x).dump();
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

double rounded_for_display(double x) { return std::strtod(print("%.*g", 15, x).c_str(), nullptr); }

}  // namespace podwright
