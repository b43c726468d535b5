/// Times of several nodes beside each other.
#include "measure/slow_nodes.h"

#include <gtest/gtest.h>

namespace podwright::slow_nodes_test {
namespace {

HardwareProfile node_with(double seconds, double noise = 0) {
  HardwareProfile profile;
  ProbeResult result;
  result.probe = "hbm.triad";
  result.devices = {"d0"};
  result.size.bytes = 1e9;
  result.counted.bytes = 3e9;
  result.samples_s.assign(24, seconds * (1 + noise));
  result.time_s = summary_of(result.samples_s);
  profile.results.push_back(result);
  return profile;
}

TEST(SlowNodes, NeedBothDistanceAndDeviations) {
  const auto slow = slow_nodes({node_with(1.0), node_with(1.01), node_with(0.99), node_with(1.0), node_with(1.5)});
  ASSERT_EQ(slow.size(), 1U);
  EXPECT_EQ(slow.front().rank, 4);
  EXPECT_NEAR(slow.front().slower_by, 0.5, 0.01);
  // Far in deviations of a tight fleet, but only 3 % off.
  EXPECT_TRUE(slow_nodes({node_with(1.0), node_with(1.0001), node_with(0.9999), node_with(1.03)}).empty());
  // 20 % off in a fleet that is spread as wide.
  EXPECT_TRUE(slow_nodes({node_with(1.0), node_with(1.2), node_with(0.9), node_with(1.1), node_with(0.8)}).empty());
  // Three are no fleet.
  EXPECT_TRUE(slow_nodes({node_with(1.0), node_with(1.0), node_with(3.0)}).empty());
}

TEST(SlowNodes, MixturesOfOtherExpertsAreOtherSizes) {
  std::vector<HardwareProfile> fleet;
  for (const double seconds : {1.0, 1.01, 0.99, 1.5}) {
    HardwareProfile node = node_with(seconds);
    node.results.push_back(node_with(3).results.front());
    node.results.front().size.experts = 8;
    node.results.back().size.experts = 256;
    fleet.push_back(node);
  }
  const auto slow = slow_nodes(fleet);
  ASSERT_EQ(slow.size(), 1U);
  EXPECT_EQ(slow.front().rank, 3);
}

TEST(SlowNodes, OtherDevicesAndVersionsAreNotCompared) {
  std::vector<HardwareProfile> fleet;
  for (int i = 0; i < 8; ++i) {
    fleet.push_back(node_with(i < 4 ? 1.0 : 2.0));
    fleet.back().devices.push_back({.id = "d0", .kind = "gpu", .name = i < 4 ? "new" : "old"});
  }
  EXPECT_TRUE(slow_nodes(fleet).empty()) << "an old device is no slow new one";
  fleet[1].results.front().time_s = summary_of(std::vector<double>(24, 1.5));
  ASSERT_EQ(slow_nodes(fleet).size(), 1U);
  EXPECT_EQ(slow_nodes(fleet).front().rank, 1);
  EXPECT_EQ(slowness_text(slow_nodes(fleet).front()), "hbm.triad takes 50 % longer than on the other nodes");
  fleet[1].results.front().version = 2;
  EXPECT_TRUE(slow_nodes(fleet).empty()) << "what another version measures may be another thing";
  fleet[5].devices.front().mig_slice = "1g.18gb";
  fleet[5].results.front().time_s = summary_of(std::vector<double>(24, 14.0));
  EXPECT_TRUE(slow_nodes(fleet).empty()) << "a slice is no slow GPU";
}

TEST(SlowNodes, LimitedClocksAreNotBlamedForWhatTheyExplain) {
  std::vector<HardwareProfile> fleet;
  for (const double seconds : {1.0, 1.01, 0.99, 1.0, 1.25}) {
    fleet.push_back(node_with(seconds));
    fleet.back().devices.push_back({});
    fleet.back().devices.front().id = "d0";
    fleet.back().results.front().context.sm_clock_hz = 1.5e9;
  }
  HardwareProfile& last = fleet.back();
  EXPECT_EQ(slow_nodes(fleet).at(0).limit, "");
  last.devices.front().clocks_locked = true;
  // Locked, but not lower: the clock does not explain it.
  EXPECT_EQ(slow_nodes(fleet).at(0).limit, "");
  last.results.front().context.sm_clock_hz = 1.2e9;
  EXPECT_EQ(slow_nodes(fleet).at(0).limit, "clock");
  // A fifth of the clock less makes nothing twice as slow.
  last.results.front().time_s = summary_of(std::vector<double>(24, 2.0));
  EXPECT_EQ(slow_nodes(fleet).at(0).limit, "");
  last.results.front().time_s = summary_of(std::vector<double>(24, 1.25));
  last.devices.front().clocks_locked.reset();
  EXPECT_EQ(slow_nodes(fleet).at(0).limit, "") << "a lower clock alone is no known limit";
  last.devices.front().power_limit_w = 500;
  last.devices.front().power_limit_default_w = 700;
  EXPECT_EQ(slow_nodes(fleet).at(0).limit, "power");
  last.devices.front().power_limit_w = 700;
  last.results.front().context.reasons = {{"sw_power_cap", 0.8}};
  EXPECT_EQ(slow_nodes(fleet).at(0).limit, "power");
}

}  // namespace
}  // namespace podwright::slow_nodes_test
