#include <gtest/gtest.h>

#include <random>

#include "architecture/management_wiring.h"
#include "architecture/storage_wiring.h"
#include "architecture/wiring_checks.h"

namespace podwright::side_wirings_test {
namespace {

using test::devices;
using test::devices_of_role;
using test::ends;
using test::ends_from;
using test::expect_sound;
using test::labels;
using test::links_by_role;
using test::RoleCounts;

/// The published build of DGX H100: 127 systems in 4 units.
StorageFabricNeed<NoTrace> h100_storage(double nodes = 127, double units = 4) {
  return {.nodes = nodes,
          .scalable_units = units,
          .nodes_per_unit = 32,
          .ports_per_node = 2,
          .storage_ports = 12 * units,
          .switch_ports = 64,
          .leaf_ports_down = 32,
          .node_oversubscription = 4.0 / 3.0,
          .manager_ports = 4,
          .ports_per_cage = 2};
}

StorageFabric<NoTrace> built(const StorageFabricNeed<NoTrace>& need) { return build_storage_fabric(need); }

InBandFabric<NoTrace> built(const InBandNeed<NoTrace>& need) { return build_in_band_fabric(need); }

double most_ports(const NetworkWiring& wiring, const std::string& role) {
  std::vector<double> used(wiring.devices.size());
  double most = 0;
  for (const Wire& wire : wiring.wires)
    for (const std::uint32_t device : {wire.from_device, wire.to_device})
      if (wiring.devices[device].role == role) most = std::max(most, ++used[device]);
  return most;
}

TEST(StorageWiring, OfTheH100Build) {
  const StorageFabricNeed<NoTrace> need = h100_storage();
  const StorageFabric<NoTrace> fabric = built(need);
  EXPECT_FALSE(storage_wiring_refusal(need, fabric));
  const NetworkWiring wiring = storage_wiring(need, fabric, {.nodes = labels("n", 127)});
  expect_sound(wiring);
  RoleCounts links = links_by_role(wiring);
  EXPECT_EQ((links[{"system", "storage-leaf"}]), 254);
  EXPECT_EQ((links[{"storage", "storage-leaf"}]), 48);
  EXPECT_EQ((links[{"fabric-manager", "storage-leaf"}]), 4);
  EXPECT_EQ((links[{"storage-leaf", "storage-spine"}]), 240);
  EXPECT_EQ(devices_of_role(wiring, "storage-leaf"), 12);
  EXPECT_EQ(devices_of_role(wiring, "storage-spine"), 4);
  // The two ports of a node go to the two leaves of its unit.
  EXPECT_EQ(ends(wiring, wiring.wires[66]), "n34 st1 - st-u002-n1 2");
  EXPECT_EQ(ends(wiring, wiring.wires[67]), "n34 st2 - st-u002-n2 2");
  // 24 uplinks of a leaf of nodes, 12 of one of storage, the same number to each spine; 60 ports of a spine.
  EXPECT_EQ(most_ports(wiring, "storage-spine"), 60);
  std::map<std::pair<std::string, std::string>, int> pairs;
  for (const Wire& wire : wiring.wires)
    if (wiring.devices[wire.to_device].role == "storage-spine")
      ++pairs[{wiring.devices[wire.from_device].label, wiring.devices[wire.to_device].label}];
  EXPECT_EQ(pairs.size(), 48u);
  for (const auto& [pair, count] : pairs) EXPECT_EQ(count, pair.first.find("-s1") == std::string::npos ? 6 : 3);
  EXPECT_EQ(ends(wiring, wiring.wires[254]), "storage-001 1 - st-u001-s1 1");
}

TEST(StorageWiring, NodesAndStorageKeepTheirPlacesWhenUnitsAreAdded) {
  const auto some = [](double nodes, double units) {
    const StorageFabricNeed<NoTrace> need = h100_storage(nodes, units);
    const NetworkWiring wiring = storage_wiring(need, built(need), {.nodes = labels("n", nodes)});
    return ends_from(wiring, {"n1", "n2", "n33", "n40", "storage-001", "storage-002"});
  };
  EXPECT_EQ(some(64, 2), some(127, 4));
  EXPECT_EQ(some(64, 2), some(90, 3));
}

TEST(StorageWiring, OfRandomSizes) {
  std::mt19937_64 random(3);
  const auto pick = [&](int low, int high) { return low + static_cast<int>(random() % (high - low + 1)); };
  int whole = 0;
  for (int round = 0; round < 600 && !testing::Test::HasFailure(); ++round) {
    StorageFabricNeed<NoTrace> need = h100_storage();
    need.scalable_units = pick(1, 12);
    need.nodes_per_unit = pick(1, 72);
    need.nodes = std::max(1.0, need.scalable_units * need.nodes_per_unit - pick(0, 20));
    need.ports_per_node = pick(1, 4);
    need.storage_ports = pick(1, 120);
    need.switch_ports = pick(16, 144);
    need.leaf_ports_down = std::max(1.0, std::floor(need.switch_ports / 2));
    need.node_oversubscription = pick(2, 6) / 2.0;
    need.manager_ports = pick(0, 4);
    const StorageFabric<NoTrace> fabric = built(need);
    if (storage_wiring_refusal(need, fabric)) continue;
    ++whole;
    StorageHosts hosts{.nodes = labels("n", need.nodes), .storage = {}, .managers = {}};
    if (random() % 2 == 0) hosts.storage = labels("s", pick(1, 20));
    const NetworkWiring wiring = storage_wiring(need, fabric, hosts);
    expect_sound(wiring);
    RoleCounts links = links_by_role(wiring);
    EXPECT_EQ((links[{"system", "storage-leaf"}]), fabric.node_ports);
    EXPECT_EQ((links[{"storage", "storage-leaf"}]), need.storage_ports);
    EXPECT_EQ((links[{"fabric-manager", "storage-leaf"}]), need.manager_ports);
    EXPECT_NEAR((links[{"storage-leaf", "storage-spine"}]), std::ceil(fabric.uplinks - 1e-6), 1e-6);
    EXPECT_EQ((links[{"storage-spine", "storage-core"}]),
              fabric.third ? (links[{"storage-leaf", "storage-spine"}]) : 0);
    EXPECT_EQ(devices_of_role(wiring, "storage-leaf") + devices_of_role(wiring, "storage-spine") +
                  devices_of_role(wiring, "storage-core"),
              fabric.switches);
    EXPECT_LE(most_ports(wiring, "storage-core"), need.switch_ports);
    EXPECT_LE(most_ports(wiring, "storage-leaf"), need.switch_ports);
    EXPECT_LE(most_ports(wiring, "storage-spine"), need.switch_ports);
  }
  EXPECT_GE(whole, 200);
}

/// Blocks whose spines a core is joined to, the fewest of any core; spines are named by block: "st-b003-s05".
std::size_t fewest_blocks_of_a_core(const NetworkWiring& wiring, const std::string& role) {
  std::map<std::uint32_t, std::set<std::string>> blocks;
  for (const Wire& wire : wiring.wires)
    if (wiring.devices[wire.to_device].role == role)
      blocks[wire.to_device].insert(
          wiring.devices[wire.from_device].label.substr(0, wiring.devices[wire.from_device].label.rfind('-')));
  std::size_t fewest = wiring.devices.size();
  for (const auto& [core, of_core] : blocks) fewest = std::min(fewest, of_core.size());
  return fewest;
}

TEST(StorageWiring, CoresJoinEveryBlock) {
  for (const double units : {13.0, 18.0, 64.0}) {
    const StorageFabricNeed<NoTrace> need = h100_storage(32 * units - 1, units);
    const StorageFabric<NoTrace> fabric = built(need);
    ASSERT_FALSE(storage_wiring_refusal(need, fabric));
    const NetworkWiring wiring = storage_wiring(need, fabric, {.nodes = labels("n", need.nodes)});
    expect_sound(wiring);
    EXPECT_EQ(devices_of_role(wiring, "storage-core"), fabric.third->cores);
    EXPECT_LE(most_ports(wiring, "storage-spine"), 64);
    EXPECT_LE(most_ports(wiring, "storage-core"), 64);
    EXPECT_EQ(static_cast<double>(wiring.wires.size()), fabric.cables + need.storage_ports + need.manager_ports);
    EXPECT_EQ(static_cast<double>(fewest_blocks_of_a_core(wiring, "storage-core")), fabric.third->blocks);
  }
}

TEST(StorageWiring, SpinesWithTooFewPortsAreRefused) {
  StorageFabricNeed<NoTrace> need = h100_storage();
  need.storage_ports = 4;  // one uplink a storage leaf, so one spine for all
  EXPECT_TRUE(storage_wiring_refusal(need, built(need)));
}

const InBandNeed<NoTrace> kH100InBand{
    .hosts = 135, .switch_ports = 64, .inter_switch_links = 2, .uplinks = 4, .cores = 2};

std::vector<WiredDevice> h100_hosts() {
  std::vector<WiredDevice> hosts = devices("srv", "management", 8);
  for (const WiredDevice& node : devices("n", "system", 127)) hosts.push_back(node);
  return hosts;
}

TEST(InBandWiring, OfTheH100Build) {
  const InBandFabric<NoTrace> fabric = built(kH100InBand);
  EXPECT_FALSE(in_band_wiring_refusal(kH100InBand, fabric));
  const NetworkWiring wiring = in_band_wiring(kH100InBand, fabric, h100_hosts());
  expect_sound(wiring);
  RoleCounts links = links_by_role(wiring);
  EXPECT_EQ((links[{"system", "in-band-leaf"}]), 254);
  EXPECT_EQ((links[{"management", "in-band-leaf"}]), 16);
  EXPECT_EQ((links[{"in-band-leaf", "in-band-leaf"}]), 6);
  EXPECT_EQ((links[{"in-band-leaf", "in-band-core"}]), 24);
  EXPECT_EQ(ends(wiring, wiring.wires[2 * 58]), "n51 in1 - in-p002-l1 1");
  EXPECT_EQ(ends(wiring, wiring.wires[2 * 58 + 1]), "n51 in2 - in-p002-l2 1");
}

TEST(InBandWiring, OfRandomSizes) {
  std::mt19937_64 random(4);
  const auto pick = [&](int low, int high) { return low + static_cast<int>(random() % (high - low + 1)); };
  int whole = 0;
  for (int round = 0; round < 300 && !testing::Test::HasFailure(); ++round) {
    const InBandNeed<NoTrace> need{.hosts = static_cast<double>(pick(1, round % 10 == 0 ? 5000 : 300)),
                                   .switch_ports = static_cast<double>(pick(16, 64)),
                                   .inter_switch_links = static_cast<double>(pick(0, 4)),
                                   .uplinks = static_cast<double>(pick(0, 5)),
                                   .cores = static_cast<double>(pick(0, 12))};
    const InBandFabric<NoTrace> fabric = built(need);
    if (in_band_wiring_refusal(need, fabric)) continue;
    ++whole;
    const NetworkWiring wiring = in_band_wiring(need, fabric, devices("h", "system", need.hosts));
    expect_sound(wiring);
    RoleCounts links = links_by_role(wiring);
    EXPECT_EQ((links[{"system", "in-band-leaf"}]), 2 * need.hosts);
    EXPECT_EQ((links[{"in-band-leaf", "in-band-leaf"}]), fabric.inter_switch_cables);
    EXPECT_EQ((links[{"in-band-leaf", "in-band-core"}]), fabric.uplink_cables);
    EXPECT_LE(most_ports(wiring, "in-band-leaf"), need.switch_ports);
    EXPECT_LE(most_ports(wiring, "in-band-core"), need.switch_ports);
  }
  EXPECT_GE(whole, 100);
}

TEST(InBandWiring, CoresJoinEveryBlock) {
  InBandNeed<NoTrace> need = kH100InBand;
  need.hosts = 2050;
  need.third = build_third_tier(ThirdTierNeed<NoTrace>{
      .parts = 36, .links_of_part = 8, .links = 288, .most_spines = 4, .switch_ports = 64, .least_cores = 2});
  need.cores = need.third->cores;
  const InBandFabric<NoTrace> fabric = built(need);
  ASSERT_FALSE(in_band_wiring_refusal(need, fabric));
  const NetworkWiring wiring = in_band_wiring(need, fabric, devices("h", "system", need.hosts));
  expect_sound(wiring);
  RoleCounts links = links_by_role(wiring);
  EXPECT_EQ((links[{"in-band-leaf", "in-band-spine"}]), 288);
  EXPECT_EQ((links[{"in-band-spine", "in-band-core"}]), 288);
  EXPECT_LE(most_ports(wiring, "in-band-spine"), 64);
  EXPECT_LE(most_ports(wiring, "in-band-core"), 64);
  EXPECT_EQ(fewest_blocks_of_a_core(wiring, "in-band-core"), 3u);
}

struct OutOfBandBuild {
  NetworkWiring in_band;
  OutOfBandNeed need;
  OutOfBandFabric<NoTrace> fabric;
};

/// The lists of the document: systems, InfiniBand switches, servers and managers, in-band switches, PDUs.
void h100_out_of_band(OutOfBandBuild& build) {
  build.in_band = in_band_wiring(kH100InBand, built(kH100InBand), h100_hosts());
  build.need = {.switch_ports = 48, .uplinks = 2, .pair_links = 2, .in_band_ports = 64, .in_band = &build.in_band};
  for (const auto& [prefix, role, count] : {std::tuple("n", "system", 127),
                                            {"ib", "compute-leaf", 64},
                                            {"srv", "management", 4},
                                            {"ufm", "fabric-manager", 4}})
    for (const WiredDevice& device : devices(prefix, role, count)) build.need.managed.push_back(device);
  for (const WiredDevice& device : build.in_band.devices)
    if (device.role.rfind("in-band-", 0) == 0) build.need.managed.push_back(device);
  for (const WiredDevice& device : devices("pdu", "pdu", 108)) build.need.managed.push_back(device);
  NoTrace trace;
  build.fabric = build_out_of_band_fabric(trace, {127.0, 64.0, 8.0, 8.0, 2.0, 108.0}, 48.0, 2.0);
}

TEST(OutOfBandWiring, OfTheH100Build) {
  OutOfBandBuild build;
  h100_out_of_band(build);
  EXPECT_FALSE(out_of_band_wiring_refusal(build.fabric, build.need));
  const NetworkWiring wiring = out_of_band_wiring(build.fabric, build.need);
  expect_sound(wiring);
  RoleCounts links = links_by_role(wiring);
  EXPECT_EQ((links[{"system", "out-of-band"}]), 127);
  EXPECT_EQ((links[{"pdu", "out-of-band"}]), 108);
  EXPECT_EQ((links[{"fabric-manager", "fabric-manager"}]), 2);
  EXPECT_EQ((links[{"out-of-band", "in-band-leaf"}]), build.fabric.uplink_cables);
  EXPECT_EQ(wiring.wires.size(), build.fabric.ports + build.fabric.uplink_cables);
  EXPECT_EQ(most_ports(wiring, "out-of-band"), 50);
  // No port of an in-band switch twice over both networks.
  std::set<std::string> in_band_ports;
  for (const NetworkWiring* network : std::vector<const NetworkWiring*>{&build.in_band, &wiring})
    for (const Wire& wire : network->wires)
      for (const auto& [device, port] : {std::pair(wire.from_device, wire.from_port), {wire.to_device, wire.to_port}}) {
        const std::string name = network->devices[device].label + " " + network->ports[port];
        EXPECT_TRUE(in_band_ports.insert(name).second) << name;
      }
  // The first switch of the third pair, behind its last host.
  EXPECT_EQ(ends(wiring, wiring.wires[317]), "oob-001 49 - in-p003-l1 20");
  EXPECT_EQ(ends(wiring, wiring.wires[318]), "oob-001 50 - in-p003-l2 20");
}

TEST(OutOfBandWiring, OfRandomSizes) {
  std::mt19937_64 random(7);
  const auto pick = [&](int low, int high) { return low + static_cast<int>(random() % (high - low + 1)); };
  int whole = 0;
  for (int round = 0; round < 300 && !testing::Test::HasFailure(); ++round) {
    const InBandNeed<NoTrace> in_band{.hosts = static_cast<double>(pick(1, 600)),
                                      .switch_ports = static_cast<double>(pick(32, 64)),
                                      .inter_switch_links = 2,
                                      .uplinks = 4,
                                      .cores = static_cast<double>(pick(2, 6))};
    if (in_band_wiring_refusal(in_band, built(in_band))) continue;
    const NetworkWiring hosts = in_band_wiring(in_band, built(in_band), devices("n", "system", in_band.hosts));
    OutOfBandNeed need{.switch_ports = static_cast<std::uint32_t>(pick(8, 48)),
                       .uplinks = static_cast<std::uint32_t>(pick(0, 4)),
                       .pair_links = static_cast<std::uint32_t>(pick(0, 3)),
                       .managed = hosts.devices,
                       .in_band_ports = static_cast<std::uint32_t>(in_band.switch_ports),
                       .in_band = &hosts};
    for (const WiredDevice& manager : devices("ufm", "fabric-manager", pick(2, 5))) need.managed.push_back(manager);
    NoTrace trace;
    const OutOfBandFabric<NoTrace> fabric = build_out_of_band_fabric(
        trace, {static_cast<double>(need.managed.size()), static_cast<double>(need.pair_links)},
        static_cast<double>(need.switch_ports), static_cast<double>(need.uplinks));
    if (out_of_band_wiring_refusal(fabric, need)) continue;
    ++whole;
    const NetworkWiring wiring = out_of_band_wiring(fabric, need);
    expect_sound(wiring);
    EXPECT_EQ(wiring.wires.size(), fabric.ports + fabric.uplink_cables);
    EXPECT_EQ(devices_of_role(wiring, "out-of-band"), fabric.switches);
    EXPECT_LE(most_ports(wiring, "out-of-band"), need.switch_ports + need.uplinks);
  }
  EXPECT_GE(whole, 100);
}

TEST(OutOfBandWiring, UplinksWithoutAPortAreRefused) {
  OutOfBandBuild build;
  h100_out_of_band(build);
  const InBandNeed<NoTrace> full{.hosts = 58, .switch_ports = 64, .inter_switch_links = 2, .uplinks = 4, .cores = 2};
  build.in_band = in_band_wiring(full, built(full), devices("n", "system", 58));
  // 56 free ports of each core take the 14 uplinks.
  EXPECT_FALSE(out_of_band_wiring_refusal(build.fabric, build.need));
  EXPECT_EQ((links_by_role(out_of_band_wiring(build.fabric, build.need))[{"out-of-band", "in-band-core"}]), 14);
  const InBandNeed<NoTrace> no_core{.hosts = 62, .switch_ports = 64, .inter_switch_links = 2, .uplinks = 0, .cores = 0};
  build.in_band = in_band_wiring(no_core, built(no_core), devices("n", "system", 62));
  EXPECT_TRUE(out_of_band_wiring_refusal(build.fabric, build.need));
  build.need.managed.pop_back();
  EXPECT_TRUE(out_of_band_wiring_refusal(build.fabric, build.need));
}

}  // namespace
}  // namespace podwright::side_wirings_test
