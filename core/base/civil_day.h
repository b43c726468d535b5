#pragma once
/// Days of the Gregorian calendar as text and as numbers.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace podwright {

/// Days since 1970-01-01 of an ISO 8601 date ("2026-11-21"); absent where the text is not a day of the calendar. Years
/// 0001 to 9999.
std::optional<std::int64_t> day_number(std::string_view iso_date);
/// The date of a day, "2026-11-21".
std::string iso_date(std::int64_t day);
/// First day of the month that the day lies in, and of the month after it.
std::int64_t month_start(std::int64_t day);
std::int64_t next_month_start(std::int64_t day);

}  // namespace podwright
