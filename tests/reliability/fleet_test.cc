#include "reliability/fleet.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reliability/failures.h"

namespace podwright::fleet_test {
namespace {

// Lockwood: nodes of 41,900 FIT, 1,024 of them.
TEST(Fleet, OfPublishedNodes) {
  const Seconds node = hours(1e9) / 41900;  // FIT: failures in a thousand million hours
  EXPECT_NEAR(100 * yearly_failures(1.0, node), 36.704, 36.704e-4);
  EXPECT_NEAR(yearly_failures(1024.0, node), 375.85, 375.85e-4);
  EXPECT_NEAR(mean_time_between_failures(node, 1024.0) / hours(1), 23.307, 23.307e-4);
}

// Llama 3 405B: 419 interruptions in 54 days on 16,384 GPUs, printed as 50,677 GPU-hours.
TEST(Fleet, OfLlama3) {
  const Seconds gpu = 16384.0 * days(54) / 419.0;
  EXPECT_NEAR(mean_time_between_failures(gpu, 16384.0) / hours(1), 3.0931, 3.1e-4);
}

// 6.50 failures per 1,000 node-days, 2,048 and 16,384 nodes of 8 GPUs; printed 1.8 h for 16,384 GPUs and 14 min.
TEST(Fleet, OfAResearchCluster) {
  const Seconds node = days(1000) / 6.5;
  EXPECT_NEAR(mean_time_between_failures(node, 2048.0) / hours(1), 1.803, 0.005 * 1.803);
  EXPECT_NEAR(mean_time_between_failures(node, 16384.0).base_units() / 60, 13.52, 0.005 * 13.52);
  EXPECT_NEAR(mean_time_between_failures(node, 1.0 / 8.0) / hours(1), 29538, 1);
}

TEST(Fleet, RedundantPartsAreCombinedFirst) {
  EXPECT_DOUBLE_EQ(redundant_availability(1, 1, 0.99), 0.99);
  EXPECT_NEAR(redundant_availability(1, 2, 0.99), 0.9999, 1e-15);
  EXPECT_NEAR(redundant_availability(2, 2, 0.99), 0.9801, 1e-15);
  EXPECT_NEAR(redundant_availability(4, 6, 0.9), 0.98415, 1e-12);  // six power supplies of which four suffice
  EXPECT_NEAR(redundant_availability(0, 5, 0.3), 1, 1e-15);
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
