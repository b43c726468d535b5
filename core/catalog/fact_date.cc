#include "catalog/fact_date.h"

namespace podwright {
namespace {

struct Date {
  int year = 0;
  int month = 1;
  int day = 1;
};

/// Hinnant, "chrono-Compatible Low-Level Date Algorithms".
long day_number(Date date) {
  const int year = date.month <= 2 ? date.year - 1 : date.year;
  const int era = year / 400;
  const int year_of_era = year - era * 400;
  const int day_of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
  const int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return static_cast<long>(era) * 146097 + day_of_era - 719468;
}

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  if (text.size() < at + count) return {};
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (text[i] < '0' || text[i] > '9') return {};
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

}  // namespace

std::optional<long> earliest_day(std::string_view text) {
  const std::optional<int> year = digits(text, 0, 4);
  if (!year || *year < 1990 || *year > 2100) return {};
  Date date{.year = *year};
  if (text.size() < 6 || text[4] != '-') return day_number(date);
  const std::optional<int> number = digits(text, 6, 1);
  if (text[5] == 'H' && number == 2) date.month = 7;
  if (text[5] == 'Q' && number) date.month = 3 * *number - 2;
  if (text.substr(5) == "mid") date.month = 5;
  if (const auto month = digits(text, 5, 2); month && *month >= 1 && *month <= 12) {
    date.month = *month;
    if (text.size() > 7 && text[7] == '-')
      if (const auto day = digits(text, 8, 2); day && *day >= 1 && *day <= 31) date.day = *day;
  }
  return day_number(date);
}

}  // namespace podwright
