#include "catalog/fact_date.h"

#include <string>

#include "base/civil_day.h"

namespace podwright {
namespace {

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  if (text.size() < at + count) return {};
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (text[i] < '0' || text[i] > '9') return {};
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

}  // namespace

std::optional<std::int64_t> earliest_day(std::string_view text) {
  const std::optional<int> year = digits(text, 0, 4);
  if (!year || *year < 1990 || *year > 2100) return {};
  int month = 1;
  int day = 1;
  if (text.size() >= 6 && text[4] == '-') {
    const std::optional<int> number = digits(text, 6, 1);
    if (text[5] == 'H' && number == 2) month = 7;
    if (text[5] == 'Q' && number) month = 3 * *number - 2;
    if (text.substr(5) == "mid") month = 5;
    if (const auto given = digits(text, 5, 2); given && *given >= 1 && *given <= 12) {
      month = *given;
      if (const auto last = digits(text, 8, 2); text.size() > 7 && text[7] == '-' && last && *last >= 1) day = *last;
    }
  }
  return day_number(std::to_string(*year) + "-" + two_digits(month) + "-" + two_digits(day));
}

}  // namespace podwright
