#include "architecture/side_fabrics.h"

#include <gtest/gtest.h>

#include "architecture/design_size.h"

namespace podwright::side_fabrics_test {
namespace {

StorageFabric<NoTrace> storage_of_units(double units, double nodes) {
  return build_storage_fabric(StorageFabricNeed<NoTrace>{.nodes = nodes,
                                                         .scalable_units = units,
                                                         .nodes_per_unit = 32,
                                                         .ports_per_node = 2,
                                                         .storage_ports = 12 * units,
                                                         .switch_ports = 64,
                                                         .leaf_ports_down = 32,
                                                         .node_oversubscription = 4.0 / 3.0,
                                                         .manager_ports = 4,
                                                         .ports_per_cage = 2});
}

/// The published build of four units of DGX H100 with 127 systems.
TEST(StorageFabric, OfTheH100Build) {
  const StorageFabric<NoTrace> fabric = storage_of_units(4, 127);
  EXPECT_FALSE(fabric.third);
  EXPECT_DOUBLE_EQ(fabric.uplinks, 240);
  EXPECT_DOUBLE_EQ(fabric.cables, 494);
  EXPECT_EQ(fabric.switch_transceivers, 369);
  EXPECT_NEAR(fabric.oversubscription, 1.3229, 0.00005);
  EXPECT_EQ(fabric.node_leaves, 8);
  EXPECT_EQ(fabric.storage_leaves, 4);
  EXPECT_EQ(fabric.spines, 4);
  EXPECT_EQ(fabric.switches, 16);
}

// 12 units have 720 uplinks, which 12 spines of 64 ports take; a storage leaf has no uplink for a 13th spine.
TEST(StorageFabric, TwoTiersEndWithTheUplinksOfAStorageLeaf) {
  EXPECT_FALSE(storage_of_units(12, 384).third);
  EXPECT_EQ(storage_of_units(12, 384).spines, 12);
  EXPECT_TRUE(storage_of_units(13, 416).third);
}

// 12 spines with 32 ports downwards take the 60 uplinks of 6 units: 64 units are 11 blocks. 3,840 links need 60 cores.
TEST(StorageFabric, CoresJoinBlocksOfWholeUnits) {
  const StorageFabric<NoTrace> fabric = storage_of_units(64, 2048);
  ASSERT_TRUE(fabric.third);
  EXPECT_EQ(fabric.third->parts_of_block, 6);
  EXPECT_EQ(fabric.third->blocks, 11);
  EXPECT_EQ(fabric.third->spines_of_block, 12);
  EXPECT_EQ(fabric.spines, 132);
  EXPECT_EQ(fabric.uplinks, 3840);
  EXPECT_EQ(fabric.third->links, 3840);
  EXPECT_EQ(fabric.third->cores, 60);
  EXPECT_EQ(fabric.switches, 3 * 64 + 132 + 60);
  EXPECT_EQ(fabric.cables, 4096 + 3840 + 3840);
  EXPECT_EQ(fabric.switch_transceivers, (4096 + 4 * 3840 + 4) / 2);
}

TEST(StorageFabric, MoreUnitsNeverNeedFewerSwitches) {
  double before = 0;
  for (double units = 1; units <= 200; ++units) {
    const StorageFabric<NoTrace> fabric = storage_of_units(units, 32 * units);
    EXPECT_GE(fabric.switches, before) << units;
    EXPECT_GE(fabric.spines * 64, fabric.uplinks * (fabric.third ? 2 : 1)) << units;
    if (fabric.third) {
      EXPECT_GE(fabric.third->cores * 64, fabric.third->links) << units;
    }
    before = fabric.switches;
  }
}

TEST(InBandFabric, OfTheH100Build) {
  // 127 systems, and 8 management servers and storage heads.
  const InBandFabric<NoTrace> fabric = build_in_band_fabric(
      InBandNeed<NoTrace>{.hosts = 127 + 4 + 4, .switch_ports = 64, .inter_switch_links = 2, .uplinks = 4, .cores = 2});
  EXPECT_EQ(fabric.leaves, 6);
  EXPECT_EQ(fabric.switches, 8);
  EXPECT_EQ(fabric.inter_switch_cables, 6);
  EXPECT_EQ(fabric.uplink_cables, 24);
}

// Leaves of 58 hosts, 4 uplinks: 4 spines with 32 ports downwards take those of 16 pairs; 36 pairs have 288.
TEST(InBandFabric, CoresJoinBlocksOfPairs) {
  const ThirdTierNeed<NoTrace> tier{
      .parts = 36, .links_of_part = 8, .links = 288, .most_spines = 4, .switch_ports = 64, .least_cores = 2};
  ASSERT_TRUE(third_tier_holds(tier));
  InBandNeed<NoTrace> need{
      .hosts = 2050, .switch_ports = 64, .inter_switch_links = 2, .uplinks = 4, .cores = 5, .places = 2087.0};
  need.third = build_third_tier(tier);
  EXPECT_EQ(need.third->parts_of_block, 16);
  EXPECT_EQ(need.third->blocks, 3);
  EXPECT_EQ(need.third->spines, 12);
  EXPECT_EQ(need.third->cores, 5);
  const InBandFabric<NoTrace> fabric = build_in_band_fabric(need);
  EXPECT_EQ(fabric.pairs, 36);
  EXPECT_EQ(fabric.switches, 72 + 12 + 5);
}

TEST(OutOfBandFabric, OfTheH100Build) {
  NoTrace trace;
  const OutOfBandFabric<NoTrace> fabric =
      build_out_of_band_fabric(trace, {127.0, 64.0, 8.0, 8.0, 2.0, 108.0}, 48.0, 2.0);
  EXPECT_EQ(fabric.ports, 317);
  // The document has 8 switches; ports of the storage systems are not in its list.
  EXPECT_EQ(fabric.switches, 7);
}

}  // namespace
}  // namespace podwright::side_fabrics_test
