#include "reliability/fleet.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reliability/failures.h"

namespace podwright::fleet_test {
namespace {

// Lockwood: nodes of 41,900 FIT, 1,024 of them.
TEST(Fleet, OfPublishedNodes) {
  const Seconds node = mean_time_of_failures_in_time(41900.0);
  EXPECT_NEAR(node / hours(1), 23866, 23866e-4);
  EXPECT_NEAR(100 * yearly_failures(1.0, node), 36.704, 36.704e-4);
  EXPECT_NEAR(yearly_failures(1024.0, node), 375.85, 375.85e-4);
  EXPECT_NEAR(mean_time_between_failures(node, 1024.0) / hours(1), 23.307, 23.307e-4);
  EXPECT_NEAR(failures_in_time(node), 41900, 1e-6);
}

// Llama 3 405B: 419 interruptions in 54 days on 16,384 GPUs, printed as 50,677 GPU-hours.
TEST(Fleet, OfLlama3) {
  const Seconds gpu = gpu_time_per_failure(16384.0, days(54), 419.0);
  EXPECT_NEAR(gpu / hours(1), 50677, 5);
  EXPECT_NEAR(mean_time_between_failures(gpu, 16384.0) / hours(1), 3.0931, 3.1e-4);
}

// 6.50 failures per 1,000 node-days, 2,048 and 16,384 nodes of 8 GPUs; printed 1.8 h for 16,384 GPUs and 14 min.
TEST(Fleet, OfAResearchCluster) {
  const Seconds node = days(1000) / 6.5;
  EXPECT_NEAR(mean_time_between_failures(node, 2048.0) / hours(1), 1.803, 0.005 * 1.803);
  EXPECT_NEAR(mean_time_between_failures(node, 16384.0).base_units() / 60, 13.52, 0.005 * 13.52);
  EXPECT_NEAR(mean_time_between_failures(node, 1.0 / 8.0) / hours(1), 29538, 1);
}

// OPT-175B: 4.30e23 FLOP on 1,024 GPUs at 147e12 FLOP/s took 63 days, or 56 by another count.
TEST(Fleet, UptimeOfOpt) {
  const Seconds needed = Flops(4.30e23) / (1024 * tflops(147));
  EXPECT_NEAR(needed / days(1), 33.06, 0.034);
  EXPECT_NEAR(100 * uptime(needed, days(63)), 52.48, 0.053);
  EXPECT_NEAR(100 * uptime(needed, days(56)), 59.04, 0.06);
}

TEST(Fleet, RedundantPartsAreCombinedFirst) {
  EXPECT_DOUBLE_EQ(redundant_availability(1, 1, 0.99), 0.99);
  EXPECT_NEAR(redundant_availability(1, 2, 0.99), 0.9999, 1e-15);
  EXPECT_NEAR(redundant_availability(2, 2, 0.99), 0.9801, 1e-15);
  EXPECT_NEAR(redundant_availability(4, 6, 0.9), 0.98415, 1e-12);  // six power supplies of which four suffice
  EXPECT_NEAR(redundant_availability(0, 5, 0.3), 1, 1e-15);
  // A pair with a mean time of 1,000 h and 10 h of repair, against its exact Markov chain.
  EXPECT_NEAR(pair_mean_time(hours(1000), hours(10)) / hours(1), 50000, 1e-6);
  EXPECT_NEAR(pair_mean_time(hours(1000), hours(10)) / hours(1), (3 * 1000 + 1000.0 * 1000 / 10) / 2, 0.04 * 51500);
  EXPECT_NEAR(availability(hours(990), hours(10)), 0.99, 1e-15);
}

TEST(Fleet, SparesCoverARepairPool) {
  // 127 servers, 0.5 failures a year each, two weeks of repair: 2.436 are away on average.
  const double away = machines_in_repair(127.0, 0.5, days(14));
  EXPECT_NEAR(away, 127 * 0.5 * 14 / 365.0, 1e-12);
  const double spares = spare_machines(away, 1.645);
  EXPECT_EQ(spares, 6);  // ceil(2.436 + 2.567)
  EXPECT_NEAR(spares_suffice(away, spares), 0.987525, 5e-7);
  EXPECT_GT(spares_suffice(away, 5), 0.95);
  EXPECT_EQ(spares_suffice(0, 0), 1);
  EXPECT_NEAR(spares_suffice(1, 0), std::exp(-1.0), 1e-15);
  EXPECT_NEAR(spares_suffice(2000, 2000), 0.506, 0.001);
  EXPECT_LT(spares_suffice(away, 2), spares_suffice(away, 3));
}

}  // namespace
}  // namespace podwright::fleet_test
