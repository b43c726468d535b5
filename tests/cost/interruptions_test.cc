#include "cost/interruptions.h"

#include <gtest/gtest.h>

namespace podwright::interruptions_test {
namespace {

Interruptions<NoTrace> interruptions(Seconds between, Seconds write, Seconds restart) {
  return {.mean_time_between_failures = between, .restart = restart, .write = write, .pause = write, .interval = {}};
}

// Spot machines at 2.00 USD per GPU-hour, taken back with 5 % an hour; 3 min for a checkpoint, 10 min to come back.
TEST(InterruptedRun, OfSpotMachines) {
  NoTrace trace;
  const auto run =
      interrupted_run(trace, hours(1000), usd_per_hour(2), interruptions(hours(20), seconds(180), seconds(600)));
  ASSERT_TRUE(run.possible);
  EXPECT_NEAR(run.goodput.interval / hours(1), 1.414, 5e-4);
  EXPECT_NEAR(100 * (1 - run.goodput.share), 7.904, 5e-4);
  EXPECT_NEAR(run.effective / usd_per_hour(1), 2.1717, 5e-5);
  EXPECT_NEAR(run.wall_time / hours(1), 1085.8, 0.05);
  EXPECT_NEAR(run.cost / usd(1), 2171.7, 0.05);
  EXPECT_NEAR((run.cost - run.lost) / usd(1), 2000, 1e-6);
}

// Llama 3: a failure every 3.0931 h on 16,384 GPUs, 12 s and 5 min.
TEST(InterruptedRun, OfLlama3) {
  NoTrace trace;
  const auto run =
      interrupted_run(trace, days(54), usd_per_hour(2), interruptions(hours(3.0931), seconds(12), seconds(300)));
  EXPECT_NEAR(run.goodput.interval.base_units() / 60, 8.616, 8.6e-3);
  EXPECT_NEAR(100 * run.goodput.share, 92.66, 0.093);
}

TEST(InterruptedRun, SaysWhenItNeverEnds) {
  NoTrace trace;
  EXPECT_FALSE(
      interrupted_run(trace, hours(10), usd_per_hour(1), interruptions(seconds(300), seconds(100), seconds(300)))
          .possible);
}

TEST(InterruptedRun, SparesHaveAPrice) { EXPECT_EQ(cost_of_spares(6.0, usd(285000)), usd(1710000)); }

}  // namespace
}  // namespace podwright::interruptions_test
