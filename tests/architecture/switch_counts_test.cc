#include "architecture/switch_counts.h"

#include <gtest/gtest.h>

namespace podwright::switch_counts_test {
namespace {

// DGX SuperPOD H100: units of 32 nodes with 8 rails, a leaf of 64 ports for each rail of a unit, so that 4 units have
// 32 leaf switches and 16 units 128.
TEST(SwitchCounts, LeafSwitchesOfTheH100Design) {
  const double leaves_of_rail = leaves_per_rail(32.0, most_leaf_ports_down(64.0, 1.0));
  EXPECT_EQ(leaves_of_rail, 1);
  EXPECT_EQ(leaf_switches(4.0, 8.0 * leaves_of_rail), 32);
  EXPECT_EQ(leaf_switches(16.0, 8.0 * leaves_of_rail), 128);
}

TEST(SwitchCounts, LimitOfTwoTiers) {
  EXPECT_EQ(two_tier_limit(40.0), 800);
  EXPECT_EQ(two_tier_limit(64.0), 2048);
  EXPECT_EQ(two_tier_limit(128.0), 8192);
  EXPECT_EQ(two_tier_limit(144.0), 10368);
}

TEST(SwitchCounts, TwoTiersOfEightRails) {
  const auto units = [](double ports) { return most_nodes_two_tiers(ports, 8.0, 1.0); };
  const auto nodes = [](double ports) { return most_nodes_two_tiers(ports, 8.0, ports / 2.0); };
  EXPECT_EQ(units(40), 5);
  EXPECT_EQ(nodes(40), 100);
  EXPECT_EQ(units(64), 8);
  EXPECT_EQ(nodes(64), 256);
  EXPECT_EQ(units(128), 16);
  EXPECT_EQ(nodes(128), 1024);
  EXPECT_EQ(units(144), 18);
  EXPECT_EQ(nodes(144), 1296);
}

TEST(SwitchCounts, SpinesDivideTheUplinks) {
  EXPECT_EQ(least_spines(24.0, 32.0, 64.0), 12);
  EXPECT_EQ(even_spines(12.0, 32.0), 16);
  EXPECT_EQ(least_spines(32.0, 72.0, 144.0), 16);
  EXPECT_EQ(even_spines(16.0, 72.0), 18);
  EXPECT_EQ(least_spines(8.0, 18.0, 32.0), 5);
  EXPECT_EQ(even_spines(5.0, 18.0), 6);
  EXPECT_EQ(core_count(9216.0, 64.0), 144);
}

}  // namespace
}  // namespace podwright::switch_counts_test
