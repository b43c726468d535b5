#include "architecture/cable_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <unordered_set>
#include <vector>

#include "architecture/fabric.h"
#include "architecture/fabric_needs.h"
#include "architecture/wiring_checks.h"

namespace podwright::cable_schedule_test {
namespace {

using test::b300_spectrum;
using test::built;
using test::gb200;
using test::h100;
using test::need;
using test::switch_pair;

constexpr std::size_t kKinds = 5;

struct Tally {
  std::map<std::pair<FabricDevice, FabricDevice>, double> links;
  std::array<std::unordered_set<std::uint32_t>, kKinds> devices;
};

/// Every end is a port of its own within its switch.
Tally tally(const FabricNeed<NoTrace>& need, const CableSchedule& schedule) {
  Tally tally;
  std::vector<std::uint64_t> ends;
  const auto end = [&](const FabricPort& port) {
    const auto kind = static_cast<std::uint64_t>(port.kind);
    ends.push_back(kind << 56U | static_cast<std::uint64_t>(port.device) << 20U | port.port);
    tally.devices[static_cast<std::size_t>(kind)].insert(port.device);
    if (port.kind == FabricDevice::node) {
      EXPECT_LT(port.port, need.rails * need.planes);
      EXPECT_LT(port.device, need.nodes);
    } else {
      EXPECT_GE(port.port, 1);
      EXPECT_LE(port.port, need.switch_ports);
    }
  };
  for (const FabricLink& link : schedule.links) {
    end(link.from);
    end(link.to);
    ++tally.links[{link.from.kind, link.to.kind}];
  }
  std::sort(ends.begin(), ends.end());
  EXPECT_EQ(std::adjacent_find(ends.begin(), ends.end()), ends.end()) << "a port with two cables";
  return tally;
}

/// Uplinks of each leaf go to every spine of its group, the same number to each.
void expect_even_leaves(const CableSchedule& schedule, double uplinks) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> pairs;
  for (const FabricLink& link : schedule.links)
    if (link.from.kind == FabricDevice::leaf && link.to.kind == FabricDevice::spine)
      ++pairs[{link.from.device, link.to.device}];
  std::map<std::uint32_t, std::set<double>> sizes;
  std::map<std::uint32_t, double> total;
  for (const auto& [pair, links] : pairs) {
    sizes[pair.first].insert(links);
    total[pair.first] += links;
  }
  for (const auto& [leaf, different] : sizes) {
    EXPECT_EQ(different.size(), 1u) << leaf;
    EXPECT_EQ(total[leaf], uplinks);
  }
}

void expect_whole(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric) {
  const CableSchedule schedule = cable_schedule(need, fabric);
  Tally counted = tally(need, schedule);
  using enum FabricDevice;
  EXPECT_EQ((counted.links[{node, leaf}]), fabric.node_leaf_links);
  EXPECT_EQ(fabric.node_leaf_links, need.nodes * need.rails * need.planes);
  EXPECT_EQ((counted.links[{manager, leaf}]), need.manager_links);
  EXPECT_EQ((counted.links[{leaf, leaf}]), fabric.inter_switch_links);
  EXPECT_EQ((counted.links[{leaf, spine}]), fabric.leaf_spine_links);
  EXPECT_EQ((counted.links[{spine, core}]), fabric.spine_core_links);
  EXPECT_EQ(counted.devices[static_cast<std::size_t>(spine)].size(), fabric.spine.total);
  EXPECT_EQ(counted.devices[static_cast<std::size_t>(core)].size(), fabric.core.total);
  EXPECT_EQ(counted.devices[static_cast<std::size_t>(node)].size(), need.nodes);
  expect_even_leaves(schedule, fabric.uplinks);
}

void expect_whole(const FabricNeed<NoTrace>& need) {
  const Fabric<NoTrace> fabric = built(need);
  ASSERT_TRUE(fabric_refusals(need, fabric).empty());
  expect_whole(need, fabric);
}

TEST(CableSchedule, OfPublishedDesigns) {
  expect_whole(h100(31, 4));
  expect_whole(h100(127, 4));
  expect_whole(h100(512));
  expect_whole(b300_spectrum(256));
  for (const double units : {1.0, 2.0, 3.0, 16.0}) expect_whole(gb200(units));
  expect_whole(need(576, 8, 144, 72));
  FabricNeed<NoTrace> a100 = need(140, 8, 40, 20);
  a100.topology = FabricTopology::rail_groups;
  a100.units_per_group = 7;
  expect_whole(a100);
  expect_whole(switch_pair(12, 8, 128));
  expect_whole(switch_pair(7, 3, 64));
  expect_whole(need(8, 8, 64, 8));
  expect_whole(h100(5 * 128));
  expect_whole(h100(300, 4));
}

TEST(CableSchedule, ASpineOfGb200HasOneLinkToEachCoreOfItsGroup) {
  const FabricNeed<NoTrace> need = gb200(16);
  const CableSchedule schedule = cable_schedule(need, built(need));
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> pairs;
  for (const FabricLink& link : schedule.links)
    if (link.to.kind == FabricDevice::core) {
      ++pairs[{link.from.device, link.to.device}];
      EXPECT_EQ(link.from.device % 6, link.to.device / 24);
    }
  EXPECT_EQ(pairs.size(), 9216u);
}

TEST(CableSchedule, ANodeSendsEachRailToALeafOfThatRail) {
  const FabricNeed<NoTrace> need = h100(64);
  const CableSchedule schedule = cable_schedule(need, built(need));
  const FabricLink& link = schedule.links[33 * 8 + 2];
  EXPECT_EQ(device_label(schedule.layout, link.from), "n00034");
  EXPECT_EQ(port_label(schedule.layout, link.from), "nic3-1");
  EXPECT_EQ(device_label(schedule.layout, link.to), "p1-u002-r3-l1");
  EXPECT_EQ(port_label(schedule.layout, link.to), "2");
}

TEST(CableSchedule, LabelsStayWhenUnitsAreAdded) {
  const auto ends_of_nodes = [](double nodes) {
    const FabricNeed<NoTrace> need = h100(nodes);
    const CableSchedule schedule = cable_schedule(need, built(need));
    std::set<std::string> ends;
    for (const FabricLink& link : schedule.links)
      if (link.from.kind == FabricDevice::node && link.from.device < 64)
        ends.insert(device_label(schedule.layout, link.from) + port_label(schedule.layout, link.from) +
                    device_label(schedule.layout, link.to) + port_label(schedule.layout, link.to));
    return ends;
  };
  EXPECT_EQ(ends_of_nodes(64), ends_of_nodes(200));
  EXPECT_EQ(ends_of_nodes(64), ends_of_nodes(512));
}

TEST(CableSchedule, LabelsAreUnique) {
  for (const FabricNeed<NoTrace>& need : {h100(512), b300_spectrum(128), gb200(2), switch_pair(8, 8, 64)}) {
    const CableSchedule schedule = cable_schedule(need, built(need));
    std::set<std::string> labels;
    for (const FabricLink& link : schedule.links)
      for (const FabricPort& port : {link.from, link.to})
        EXPECT_TRUE(
            labels.insert(device_label(schedule.layout, port) + " " + port_label(schedule.layout, port)).second);
  }
}

TEST(CableSchedule, OfRandomSizes) {
  std::mt19937_64 random(5);
  const auto pick = [&](double low, double high) {
    return low + static_cast<double>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  int built_whole = 0;
  int built_large = 0;
  for (int round = 0; round < 400; ++round) {
    // Every eighth is large: a tree of big switches.
    const bool large = round % 8 == 0;
    FabricNeed<NoTrace> wanted = large ? need(pick(2000, 20000), pick(1, 8), pick(64, 144), pick(16, 160))
                                       : need(pick(1, 600), pick(1, 9), pick(4, 144), pick(1, 160));
    if (!large) wanted.topology = static_cast<FabricTopology>(random() % 3);
    wanted.planes = pick(1, 3);
    wanted.oversubscription = pick(2, 6) / 2;
    wanted.manager_links = pick(0, 5);
    wanted.units_per_group = pick(1, 5);
    if (random() % 4 == 0) wanted.leaf_ports_down = pick(1, wanted.switch_ports);
    if (random() % 4 == 0) wanted.uplinks = pick(1, wanted.switch_ports);
    const Fabric<NoTrace> fabric = built(wanted);
    if (!fabric_refusals(wanted, fabric).empty()) continue;
    ++built_whole;
    if (large) ++built_large;
    SCOPED_TRACE(testing::Message() << "nodes " << wanted.nodes << " rails " << wanted.rails << " ports "
                                    << wanted.switch_ports << " unit " << wanted.nodes_per_unit << " planes "
                                    << wanted.planes << " topology " << static_cast<int>(wanted.topology));
    if (fabric.spine.total > 0) {
      EXPECT_EQ(std::fmod(fabric.uplinks, wanted.topology == FabricTopology::fat_tree && fabric.tiers == 2
                                              ? fabric.spine.per_plane
                                              : fabric.spines_of_group),
                0);
    }
    expect_whole(wanted, fabric);
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GE(built_whole, 120);
  EXPECT_GE(built_large, 20);
}

TEST(Fabric, MoreNodesNeverNeedFewerSwitches) {
  std::mt19937_64 random(6);
  const auto switches = [](const Fabric<NoTrace>& fabric) {
    return fabric.leaf.total + fabric.spine.total + fabric.core.total;
  };
  int editions = 0;
  for (int round = 0; round < 300; ++round) {
    FabricNeed<NoTrace> wanted = need(1, 1 + static_cast<double>(random() % 9), 4 + static_cast<double>(random() % 141),
                                      1 + static_cast<double>(random() % 100));
    wanted.topology = static_cast<FabricTopology>(random() % 3);
    wanted.oversubscription = 1 + static_cast<double>(random() % 3);
    wanted.manager_links = static_cast<double>(random() % 5);
    wanted.units_per_group = 1 + static_cast<double>(random() % 4);
    if (random() % 3 == 0)
      wanted.leaf_ports_down = 1 + std::floor(wanted.switch_ports / 2 / static_cast<double>(1 + random() % 3));
    double before = 0;
    for (double nodes = 1; nodes <= 20000; nodes += 1 + std::floor(nodes / 50)) {
      wanted.nodes = nodes;
      const Fabric<NoTrace> fabric = built(wanted);
      const double now = switches(fabric);
      EXPECT_GE(now, before) << "at " << nodes << " nodes, rails " << wanted.rails << " ports " << wanted.switch_ports
                             << " unit " << wanted.nodes_per_unit << " r " << wanted.oversubscription << " topology "
                             << static_cast<int>(wanted.topology);
      before = now;
    }
    ++editions;
  }
  EXPECT_EQ(editions, 300);
}

TEST(CableSchedule, Of16384GpusHasThreeLinksForEach) {
  const FabricNeed<NoTrace> need = h100(2048);
  const CableSchedule schedule = cable_schedule(need, built(need));
  EXPECT_EQ(schedule.links.size(), 3u * 16384u);
}

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

void expect_whole_wiring(const FabricNeed<NoTrace>& need) {
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
  expect_whole_wiring(h100(31, 4));
  expect_whole_wiring(h100(127, 4));
  expect_whole_wiring(h100(512));
  expect_whole_wiring(test::b300_spectrum(256));
  expect_whole_wiring(gb200(2));
  expect_whole_wiring(test::switch_pair(12, 8, 128));
  expect_whole_wiring(need(8, 8, 64, 8));
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
    if (round % 3 == 0) wanted.core_oversubscription = 2.5;
    const Fabric<NoTrace> fabric = built(wanted);
    if (!fabric_refusals(wanted, fabric).empty()) continue;
    ++whole;
    SCOPED_TRACE(testing::Message() << "nodes " << wanted.nodes << " rails " << wanted.rails << " ports "
                                    << wanted.switch_ports << " unit " << wanted.nodes_per_unit << " topology "
                                    << static_cast<int>(wanted.topology));
    expect_whole_wiring(wanted);
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
}  // namespace podwright::cable_schedule_test
