#include "architecture/compute_wiring.h"

#include <gtest/gtest.h>

#include <random>

#include "architecture/cable_schedule.h"
#include "architecture/fabric_limits.h"
#include "architecture/fabric_needs.h"
#include "architecture/wiring_checks.h"

namespace podwright::compute_wiring_test {
namespace {

using test::built;
using test::devices_of_role;
using test::ends;
using test::expect_sound;
using test::gb200;
using test::h100;
using test::labels;
using test::links_by_role;
using test::need;
using test::RoleCounts;

NetworkWiring wired(const FabricNeed<NoTrace>& need) {
  return compute_wiring(need, built(need), labels("n", need.nodes));
}

void expect_whole(const FabricNeed<NoTrace>& need) {
  const Fabric<NoTrace> fabric = built(need);
  const NetworkWiring wiring = wired(need);
  expect_sound(wiring);
  RoleCounts links = links_by_role(wiring);
  EXPECT_EQ((links[{"system", "compute-leaf"}]), fabric.node_leaf_links);
  EXPECT_EQ((links[{"fabric-manager", "compute-leaf"}]), need.manager_links);
  EXPECT_EQ((links[{"compute-leaf", "compute-leaf"}]), fabric.inter_switch_links);
  EXPECT_EQ((links[{"compute-leaf", "compute-spine"}]), fabric.leaf_spine_links);
  EXPECT_EQ((links[{"compute-spine", "compute-core"}]), fabric.spine_core_links);
  EXPECT_EQ(devices_of_role(wiring, "compute-leaf"), fabric.leaf.total);
  EXPECT_EQ(devices_of_role(wiring, "compute-spine"), fabric.spine.total);
  EXPECT_EQ(devices_of_role(wiring, "compute-core"), fabric.core.total);
  EXPECT_EQ(wiring.ports.size(), need.rails * need.planes + need.switch_ports + (need.manager_links > 0 ? 1 : 0));
}

TEST(ComputeWiring, OfPublishedDesigns) {
  expect_whole(h100(31, 4));
  expect_whole(h100(127, 4));
  expect_whole(h100(512));
  expect_whole(test::b300_spectrum(256));
  expect_whole(gb200(2));
  expect_whole(test::switch_pair(12, 8, 128));
  expect_whole(need(8, 8, 64, 8));
}

TEST(ComputeWiring, SaysWhatTheScheduleSays) {
  const FabricNeed<NoTrace> need = h100(127, 4);
  const NetworkWiring wiring = compute_wiring(need, built(need), labels("dgx-", 127));
  const CableSchedule schedule = cable_schedule(need, built(need));
  ASSERT_EQ(wiring.wires.size(), schedule.links.size());
  EXPECT_EQ(wiring.wires.size(), 2044u);
  EXPECT_EQ(ends(wiring, wiring.wires[33 * 8 + 2]), "dgx-34 nic3-1 - p1-u002-r3-l1 2");
  for (std::size_t i = 0; i < wiring.wires.size(); ++i) {
    const Wire& wire = wiring.wires[i];
    const FabricLink& link = schedule.links[i];
    EXPECT_EQ(wiring.devices[wire.to_device].label, device_label(schedule.layout, link.to));
    EXPECT_EQ(wiring.ports[wire.to_port], port_label(schedule.layout, link.to));
    if (link.from.kind == FabricDevice::node || link.from.kind == FabricDevice::manager) continue;
    EXPECT_EQ(wiring.devices[wire.from_device].label, device_label(schedule.layout, link.from));
    EXPECT_EQ(wiring.ports[wire.from_port], port_label(schedule.layout, link.from));
  }
}

TEST(ComputeWiring, NamesUnits) {
  const NetworkWiring wiring = wired(h100(127, 4));
  EXPECT_EQ(wiring.devices[0].unit, 1u);
  EXPECT_EQ(wiring.devices[126].unit, 4u);
  for (const WiredDevice& device : wiring.devices) {
    if (device.role == "compute-leaf") {
      EXPECT_EQ(device.label.substr(3, 4), "u00" + std::to_string(device.unit));
    }
  }
  const NetworkWiring racks = wired(gb200(3));
  for (const Wire& wire : racks.wires)
    if (racks.devices[wire.to_device].role != "compute-core") {
      EXPECT_EQ(racks.devices[wire.from_device].unit, racks.devices[wire.to_device].unit);
    }
}

TEST(ComputeWiring, DealsTheManagersLinks) {
  const FabricNeed<NoTrace> need = h100(127, 4);
  const NetworkWiring two = compute_wiring(need, built(need), labels("n", 127), {"ufm1", "ufm2"});
  expect_sound(two);
  EXPECT_EQ(devices_of_role(two, "fabric-manager"), 2);
  EXPECT_EQ(ends(two, two.wires[127 * 8 + 2]).substr(0, 9), "ufm1 hca2");
  const NetworkWiring own = wired(need);
  EXPECT_EQ(ends(own, own.wires[127 * 8 + 2]).substr(0, 7), "m3 hca1");
}

TEST(ComputeWiring, OfRandomSizes) {
  std::mt19937_64 random(11);
  const auto pick = [&](double low, double high) {
    return low + static_cast<double>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  int whole = 0;
  for (int round = 0; round < 150 && !testing::Test::HasFailure(); ++round) {
    const bool large = round % 8 == 0;
    FabricNeed<NoTrace> wanted = large ? need(pick(2000, 20000), pick(1, 8), pick(64, 144), pick(16, 160))
                                       : need(pick(1, 600), pick(1, 9), pick(4, 144), pick(1, 160));
    if (!large) wanted.topology = static_cast<FabricTopology>(random() % 3);
    wanted.planes = pick(1, 2);
    wanted.manager_links = pick(0, 5);
    wanted.units_per_group = pick(1, 5);
    const Fabric<NoTrace> fabric = built(wanted);
    if (!fabric_refusals(wanted, fabric).empty()) continue;
    ++whole;
    SCOPED_TRACE(testing::Message() << "nodes " << wanted.nodes << " rails " << wanted.rails << " ports "
                                    << wanted.switch_ports << " unit " << wanted.nodes_per_unit << " topology "
                                    << static_cast<int>(wanted.topology));
    expect_whole(wanted);
  }
  EXPECT_GE(whole, 40);
}

TEST(ComputeWiring, Of16384GpusHasThreeWiresForEach) {
  const FabricNeed<NoTrace> need = h100(2048);
  const Fabric<NoTrace> fabric = built(need);
  const std::vector<std::string> nodes = labels("n", 2048);
  const NetworkWiring wiring = compute_wiring(need, fabric, nodes);
  EXPECT_EQ(wiring.wires.size(), 3u * 16384u);
}

}  // namespace
}  // namespace podwright::compute_wiring_test
