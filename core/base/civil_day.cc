#include "base/civil_day.h"

namespace podwright {
namespace {

struct Civil {
  std::int64_t year = 0;
  std::int64_t month = 0;  ///< 1 to 12
  std::int64_t day = 0;    ///< 1 to 31
};

// Years are counted from March, so that the leap day is the last; an era has 400 of them and 146,097 days.
std::int64_t number_of(const Civil& date) {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const std::int64_t era = year / 400;
  const std::int64_t year_of_era = year % 400;
  const std::int64_t month = (date.month + 9) % 12;
  const std::int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

Civil civil_of(std::int64_t day) {
  const std::int64_t shifted = day + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const std::int64_t day_of_era = shifted - era * 146097;
  const std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * day_of_year + 2) / 153;
  Civil date{.year = year_of_era + era * 400,
             .month = month < 10 ? month + 3 : month - 9,
             .day = day_of_year - (153 * month + 2) / 5 + 1};
  if (date.month <= 2) ++date.year;
  return date;
}

void add_digits(std::string& text, std::int64_t number, int digits) {
  std::string reversed;
  for (int i = 0; i < digits; ++i) {
    reversed += static_cast<char>('0' + number % 10);
    number /= 10;
  }
  text.append(reversed.rbegin(), reversed.rend());
}

}  // namespace

std::optional<std::int64_t> day_number(std::string_view iso_date_text) {
  if (iso_date_text.size() != 10 || iso_date_text[4] != '-' || iso_date_text[7] != '-') return std::nullopt;
  const auto number = [&](std::size_t from, std::size_t count) {
    std::int64_t value = 0;
    for (const char c : iso_date_text.substr(from, count)) {
      if (c < '0' || c > '9') return std::int64_t{-1};
      value = value * 10 + (c - '0');
    }
    return value;
  };
  const Civil date{.year = number(0, 4), .month = number(5, 2), .day = number(8, 2)};
  if (date.year < 1 || date.month < 1 || date.month > 12 || date.day < 1 || date.day > 31) return std::nullopt;
  // A day that the month does not have comes back as one of the next month.
  const std::int64_t day = number_of(date);
  if (civil_of(day).day != date.day) return std::nullopt;
  return day;
}

std::string iso_date(std::int64_t day) {
  const Civil date = civil_of(day);
  std::string text;
  add_digits(text, date.year, 4);
  text += '-';
  add_digits(text, date.month, 2);
  text += '-';
  add_digits(text, date.day, 2);
  return text;
}

std::int64_t month_start(std::int64_t day) { return day - civil_of(day).day + 1; }

std::int64_t next_month_start(std::int64_t day) { return month_start(month_start(day) + 31); }

}  // namespace podwright
