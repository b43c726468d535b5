#include "sizing/run_totals.h"

#include <gtest/gtest.h>

namespace podwright::sizing::run_totals_test {
namespace {

TEST(RunTotals, FollowFromTheRate) {
  NoTrace none;
  const auto totals =
      run_totals(none, 8.64e9, 16, PerSecond(1e4), std::optional(usd_per_hour(2)), std::optional(kw(1.5)));
  EXPECT_NEAR(totals.time / days(1), 10, 1e-12);
  EXPECT_NEAR(totals.gpu_time / hours(1), 16 * 240, 1e-9);
  EXPECT_NEAR(totals.cost->base_units(), 2 * 16 * 240, 1e-9);
  EXPECT_NEAR(*totals.energy / kwh(1), 1.5 * 16 * 240, 1e-9);
}

TEST(RunTotals, SayNothingOfWhatIsNotTold) {
  NoTrace none;
  const auto totals = run_totals(none, 1e9, 8, PerSecond(1e4), std::nullopt, std::nullopt);
  EXPECT_FALSE(totals.cost);
  EXPECT_FALSE(totals.energy);
}

}  // namespace
}  // namespace podwright::sizing::run_totals_test
