// The worked examples 10, 12, 14 to 17, 19 to 21 and 24 of docs/method/racks_and_power.md and docs/method/storage.md.
#include <gtest/gtest.h>

#include <cmath>

#include "architecture/design_size.h"
#include "architecture/management_plan.h"
#include "architecture/racks.h"
#include "architecture/storage_plan.h"
#include "reliability/checkpoint.h"
#include "reliability/failures.h"
#include "reliability/goodput.h"

namespace podwright::site_examples_test {
namespace {

constexpr Bytes kPerParameter = checkpoint_bytes_per_parameter(bytes(2), bytes(4), bytes(8));

// 10: DGX SuperPOD H100, 4 units: 127 nodes, 4 a rack, 6 other racks.
TEST(SiteExamples, RacksOfFourUnits) {
  const double compute = rack_count(127.0, 4.0);
  EXPECT_EQ(compute, 32);
  const double devices = out_of_band_devices(127.0, 64.0, 8.0, 8.0);
  EXPECT_EQ(out_of_band_ports(devices, 96.0 + 12.0, 2.0), 317);
}

// 12
TEST(SiteExamples, PowerOfARack) {
  EXPECT_DOUBLE_EQ(systems_power(4.0, kw(10.2)) / kw(1), 40.8);
  EXPECT_DOUBLE_EQ(systems_power(2.0, kw(14.3)) / kw(1), 28.6);
}

// 14: the guide lists 32.7 kW for a circuit of 415 V and 60 A.
TEST(SiteExamples, FeedsWithOneLost) {
  const Watts apparent = feed_apparent_power(415.0, 60.0, 0.8);
  EXPECT_NEAR(apparent / kw(1), 34.50, 0.005);
  const Watts feed = apparent * 0.95;
  EXPECT_NEAR(feed / kw(1), 32.777, 0.0005);
  EXPECT_EQ(feeds_per_rack(kw(40.8), feed), 3);
  EXPECT_NEAR(feed_load_after_loss(kw(40.8), 3.0) / kw(1), 20.4, 1e-9);
}

// 15
TEST(SiteExamples, HeatAndAirOfOneSystem) {
  EXPECT_NEAR(heat_btu_per_h(kw(10.2)), 34804, 0.5);
  const double flow = air_flow_m3_per_s(kw(10.2), 15.0);
  EXPECT_NEAR(air_flow_m3_per_h(flow), 2030, 0.5);
  EXPECT_NEAR(air_flow_cfm(flow), 1195, 0.5);
}

// 16
TEST(SiteExamples, WaterOfARack) { EXPECT_NEAR(water_flow_l_per_min(kw(115), 10.0), 164.8, 0.05); }

// 17
TEST(SiteExamples, CheckpointOf70B) { EXPECT_EQ(checkpoint_size(70e9, kPerParameter), gb(980)); }

// 19
TEST(SiteExamples, TimeBetweenFailures) {
  const Seconds per_failure = 16384.0 * days(54) / 419.0;
  const auto between_h = [&](double gpus) { return mean_time_between_failures(per_failure, gpus) / hours(1); };
  EXPECT_NEAR(between_h(248), 204.3, 0.05);
  EXPECT_NEAR(between_h(1016), 49.9, 0.05);
  EXPECT_NEAR(between_h(16384), 3.093, 0.0005);
  EXPECT_NEAR(between_h(100000), 0.507, 0.0005);
}

// 20 and 21: restart 0.
TEST(SiteExamples, IntervalsOfYoungAndDaly) {
  const Seconds between = seconds(11135);
  EXPECT_NEAR(young_interval(seconds(22.68), between).base_units(), 710.7, 0.05);
  EXPECT_NEAR(daly_interval(seconds(22.68), between).base_units(), 695.7, 0.05);
  const Seconds young = young_interval(seconds(22.68), between);
  EXPECT_NEAR(100 * lost_share(seconds(22.68), young, between, seconds(0)), 6.38, 0.005);

  const Seconds rare = seconds(735634);
  EXPECT_NEAR(young_interval(seconds(15.806), rare).base_units(), 4822, 0.5);
  EXPECT_NEAR(daly_interval(seconds(15.806), rare).base_units(), 4812, 0.5);
  const Seconds rare_young = young_interval(seconds(15.806), rare);
  EXPECT_NEAR(100 * lost_share(seconds(15.806), rare_young, rare, seconds(0)), 0.656, 0.0005);
}

// 24
TEST(SiteExamples, CapacityOfA30TBDataset) {
  const Bytes data = dataset_capacity(tb(30), 5.0);
  const Bytes checkpoints = checkpoint_capacity(20.0, checkpoint_size(70e9, kPerParameter));
  EXPECT_DOUBLE_EQ(data / tb(1), 150);
  EXPECT_DOUBLE_EQ(checkpoints / tb(1), 19.6);
  EXPECT_DOUBLE_EQ(storage_capacity(data, checkpoints, bytes(0)) / tb(1), 169.6);
}

}  // namespace
}  // namespace podwright::site_examples_test
