#include "architecture/side_fabrics.h"

#include <gtest/gtest.h>

#include "architecture/sizes.h"

namespace podwright {
namespace {

/// The published build of four units of DGX H100 with 127 systems.
StorageFabric<NoTrace> storage_of_four_units() {
  NoTrace trace;
  return build_storage_fabric(trace, StorageFabricNeed<NoTrace>{.nodes = 127,
                                                                .scalable_units = 4,
                                                                .nodes_per_unit = 32,
                                                                .ports_per_node = 2,
                                                                .storage_ports = 48,
                                                                .switch_ports = 64,
                                                                .leaf_ports_down = 32,
                                                                .node_oversubscription = 4.0 / 3.0,
                                                                .manager_ports = 4,
                                                                .ports_per_cage = 2});
}

TEST(StorageFabric, OfTheH100Build) {
  const StorageFabric<NoTrace> fabric = storage_of_four_units();
  EXPECT_DOUBLE_EQ(fabric.uplinks, 240);
  EXPECT_DOUBLE_EQ(fabric.cables, 494);
  EXPECT_EQ(fabric.switch_transceivers, 369);
  EXPECT_NEAR(fabric.oversubscription, 1.3229, 0.00005);
  EXPECT_EQ(fabric.node_leaves, 8);
  EXPECT_EQ(fabric.storage_leaves, 4);
  EXPECT_EQ(fabric.spines, 4);
  EXPECT_EQ(fabric.switches, 16);
}

TEST(InBandFabric, OfTheH100Build) {
  NoTrace trace;
  // 127 systems, and 8 management servers and storage heads.
  const InBandFabric<NoTrace> fabric = build_in_band_fabric(
      trace,
      InBandNeed<NoTrace>{.hosts = 127 + 4 + 4, .switch_ports = 64, .inter_switch_links = 2, .uplinks = 4, .cores = 2});
  EXPECT_EQ(fabric.leaves, 6);
  EXPECT_EQ(fabric.switches, 8);
  EXPECT_EQ(fabric.inter_switch_cables, 6);
  EXPECT_EQ(fabric.uplink_cables, 24);
}

TEST(OutOfBandFabric, OfTheH100Build) {
  NoTrace trace;
  const OutOfBandFabric<NoTrace> fabric =
      build_out_of_band_fabric(trace, {127.0, 64.0, 8.0, 8.0, 2.0, 108.0}, 48.0, 2.0);
  EXPECT_EQ(fabric.ports, 317);
  // The document has 8 switches; ports of the storage systems are not in its list.
  EXPECT_EQ(fabric.switches, 7);
}

TEST(Racks, OfTheH100Build) {
  const double compute = rack_count(127, 4);
  EXPECT_EQ(compute, 32);
  EXPECT_EQ(compute + 6, 38);
  EXPECT_EQ(links_of_each(compute, 3), 96);
  EXPECT_EQ(links_of_each(6, 2), 12);
}

}  // namespace
}  // namespace podwright
