#include "base/civil_day.h"

#include <gtest/gtest.h>

namespace podwright::civil_day_test {
namespace {

TEST(CivilDay, CountsFrom1970) {
  EXPECT_EQ(day_number("1970-01-01"), 0);
  EXPECT_EQ(day_number("2000-03-01"), 11017);
  EXPECT_EQ(day_number("2026-11-21"), 20778);
  EXPECT_EQ(day_number("1969-12-31"), -1);
}

TEST(CivilDay, GoesThereAndBack) {
  for (std::int64_t day = *day_number("0001-01-01"); day <= *day_number("9999-12-31"); day += 97)
    EXPECT_EQ(day_number(iso_date(day)), day) << iso_date(day);
}

TEST(CivilDay, RefusesWhatIsNoDay) {
  for (const char* text : {"", "2026-1-1", "2026-13-01", "2026-00-10", "2026-02-29", "2026-04-31", "2026-11-00",
                           "2026/11/21", "2026-11-2x", "0000-01-01", "2026-11-21T00:00:00Z"})
    EXPECT_FALSE(day_number(text).has_value()) << text;
  EXPECT_TRUE(day_number("2028-02-29").has_value());
  EXPECT_TRUE(day_number("2000-02-29").has_value());
  EXPECT_FALSE(day_number("1900-02-29").has_value());
}

TEST(CivilDay, KnowsItsMonth) {
  EXPECT_EQ(iso_date(month_start(*day_number("2026-11-21"))), "2026-11-01");
  EXPECT_EQ(iso_date(next_month_start(*day_number("2026-11-21"))), "2026-12-01");
  EXPECT_EQ(iso_date(next_month_start(*day_number("2026-12-31"))), "2027-01-01");
  EXPECT_EQ(iso_date(next_month_start(*day_number("2028-02-01"))), "2028-03-01");
  EXPECT_EQ(iso_date(month_start(*day_number("2028-02-29"))), "2028-02-01");
}

}  // namespace
}  // namespace podwright::civil_day_test
