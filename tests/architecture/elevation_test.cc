#include "architecture/elevation.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "architecture/site_parts.h"

namespace podwright::elevation_test {
namespace {

DeviceGroup group_of(std::string role, std::uint32_t units, std::optional<Watts> power, int count, std::string prefix) {
  DeviceGroup group{
      .kind = {.item_id = "", .role = std::move(role), .rack_units = units, .power = power, .weight_kg = std::nullopt}};
  for (int i = 1; i <= count; ++i) group.labels.push_back(prefix + std::to_string(i));
  return group;
}

ElevationLimits limits_of(double power_kw, std::uint32_t units = 48) {
  return {.rack_units = units, .power = kw(power_kw), .load_kg = std::nullopt};
}

/// Every device once, none over another, no rack over its limits.
void check(const Elevations& elevations, const ElevationLimits& limits, std::size_t devices) {
  std::set<std::string> labels;
  for (const RackElevation& rack : elevations.racks) {
    std::set<std::uint32_t> taken;
    Watts power;
    for (const RackedDevice& device : rack.devices) {
      const DeviceKind& kind = elevations.kinds[device.kind];
      EXPECT_TRUE(labels.insert(device.label).second) << device.label;
      EXPECT_GE(device.bottom_unit, 1u);
      EXPECT_LE(device.bottom_unit + kind.rack_units - 1, limits.rack_units);
      for (std::uint32_t i = 0; i < kind.rack_units; ++i)
        EXPECT_TRUE(taken.insert(device.bottom_unit + i).second) << rack.label << " unit " << device.bottom_unit + i;
      if (kind.power) power += *kind.power;
    }
    EXPECT_EQ(rack.power, power);
    if (limits.power) {
      EXPECT_LE(rack.power, *limits.power) << rack.label;
    }
  }
  for (const std::string& label : elevations.unplaced) EXPECT_TRUE(labels.insert(label).second) << label;
  EXPECT_EQ(labels.size(), devices);
}

TEST(Elevation, OfFourSystemsInARack) {
  Elevations elevations;
  fill_racks(elevations, group_of("system", 8, kw(10.2), 127, "n"), 4, limits_of(41), "r");
  ASSERT_EQ(elevations.racks.size(), 32u);
  check(elevations, limits_of(41), 127);
  EXPECT_EQ(elevations.racks[0].label, "r001");
  EXPECT_EQ(elevations.racks[0].devices[1].label, "n2");
  EXPECT_EQ(elevations.racks[0].devices[1].bottom_unit, 9u);
  EXPECT_EQ(elevations.racks[31].devices.size(), 3u);
  EXPECT_NEAR(elevations.racks[0].power / kw(1), 40.8, 1e-9);
}

TEST(Elevation, UnitByUnit) {
  Elevations elevations;
  fill_racks(elevations, group_of("system", 8, kw(10.2), 2, "n"), 4, limits_of(41), "r");
  const std::vector<RackUnit> units = unit_by_unit(elevations, elevations.racks[0]);
  ASSERT_EQ(units.size(), 48u);
  EXPECT_EQ(units[0].device->label, "n1");
  EXPECT_TRUE(units[0].lowest);
  EXPECT_EQ(units[7].device->label, "n1");
  EXPECT_FALSE(units[7].lowest);
  EXPECT_EQ(units[8].device->label, "n2");
  EXPECT_EQ(units[16].device, nullptr);
  EXPECT_EQ(units[47].unit, 48u);
}

/// Switches and servers of the published build of four units.
std::vector<DeviceGroup> four_units() {
  return {group_of("compute", 1, watts(1720), 48, "c"), group_of("storage", 1, watts(1720), 16, "s"),
          group_of("in-band", 2, watts(466), 8, "i"), group_of("out-of-band", 1, watts(98), 8, "o")};
}

// 111 kW of switches: three racks of 41 kW hold them, the drawing spreads them over six.
TEST(Elevation, NetworkRacksOfFourUnits) {
  EXPECT_EQ(packed_racks(four_units(), limits_of(41)), 3u);
  Elevations elevations;
  pack_racks(elevations, four_units(), 6, limits_of(41), "x");
  EXPECT_EQ(elevations.racks.size(), 6u);
  check(elevations, limits_of(41), 80);
  for (const RackElevation& rack : elevations.racks) EXPECT_LE(rack.devices.size(), 14u);
}

TEST(Elevation, NamesWhatNoRackTakes) {
  Elevations elevations;
  fill_racks(elevations, group_of("system", 10, kw(14.3), 2, "n"), 2, limits_of(12), "r");
  EXPECT_TRUE(elevations.racks.empty());
  EXPECT_EQ(elevations.unplaced, (std::vector<std::string>{"n1", "n2"}));
  pack_racks(elevations, {group_of("compute", 4, std::nullopt, 1, "q")}, 1, limits_of(12, 3), "x");
  EXPECT_EQ(elevations.unplaced.size(), 3u);
}

TEST(Elevation, OfAnNvl72Rack) {
  const System* system = item_of(embedded_catalog_facts().systems, "gb200-nvl72");
  Elevations elevations;
  elevations.rack_units = 48;
  stand_rack_systems(elevations, *system, {"n00000", "n00001"}, kw(150));
  ASSERT_EQ(elevations.racks.size(), 2u);
  const RackElevation& rack = elevations.racks[1];
  EXPECT_EQ(rack.label, "n00001");
  EXPECT_EQ(rack.power, kw(150));
  std::map<std::string, double> parts;
  for (const RackedDevice& device : rack.devices) parts[elevations.kinds[device.kind].role] += 1;
  EXPECT_EQ(parts["compute"], *system->trays);
  EXPECT_EQ(parts["nvswitch"], *system->nvswitch_trays);
  EXPECT_EQ(parts["power-shelf"], *system->power_shelves);
  EXPECT_EQ(rack.devices[4].label, "n00001-compute-01");
  EXPECT_EQ(rack.devices[21].label, "n00001-compute-09");
  EXPECT_EQ(rack.devices[20].label, "n00001-nvswitch-09");
  std::set<std::string> labels;
  for (const RackElevation& each : elevations.racks)
    for (const RackedDevice& device : each.devices) EXPECT_TRUE(labels.insert(device.label).second);
}

TEST(Elevation, LabelsStayWhenNodesAreAdded) {
  Elevations small;
  Elevations large;
  fill_racks(small, group_of("system", 8, kw(10.2), 31, "n"), 4, limits_of(41), "r");
  fill_racks(large, group_of("system", 8, kw(10.2), 63, "n"), 4, limits_of(41), "r");
  for (std::size_t i = 0; i + 1 < small.racks.size(); ++i) {
    EXPECT_EQ(small.racks[i].label, large.racks[i].label);
    for (std::size_t j = 0; j < small.racks[i].devices.size(); ++j) {
      EXPECT_EQ(small.racks[i].devices[j].label, large.racks[i].devices[j].label);
      EXPECT_EQ(small.racks[i].devices[j].bottom_unit, large.racks[i].devices[j].bottom_unit);
    }
  }
}

// --- properties

std::vector<DeviceGroup> random_groups(std::mt19937_64& random) {
  std::vector<DeviceGroup> groups;
  const int kinds = 1 + static_cast<int>(random() % 5);
  for (int i = 0; i < kinds; ++i) {
    std::optional<Watts> power;
    if (random() % 4 != 0) power = watts(static_cast<double>(50 + random() % 4000));
    groups.push_back(group_of("kind" + std::to_string(i), 1 + static_cast<std::uint32_t>(random() % 10), power,
                              static_cast<int>(random() % 120), std::string(1, static_cast<char>('a' + i))));
  }
  return groups;
}

std::size_t count(const std::vector<DeviceGroup>& groups) {
  std::size_t devices = 0;
  for (const DeviceGroup& group : groups) devices += group.labels.size();
  return devices;
}

TEST(ElevationProperties, DevicesNeverOverlapAndRacksKeepTheirLimits) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 400; ++round) {
    const std::vector<DeviceGroup> groups = random_groups(random);
    const ElevationLimits limits =
        limits_of(3 + static_cast<double>(random() % 60), 8 + static_cast<std::uint32_t>(random() % 45));
    const std::uint32_t least = packed_racks(groups, limits);
    const std::uint32_t racks = least + static_cast<std::uint32_t>(random() % 5);
    Elevations elevations;
    pack_racks(elevations, groups, racks, limits, "x");
    EXPECT_EQ(elevations.racks.size(), racks);
    check(elevations, limits, count(groups));
  }
}

TEST(ElevationProperties, MoreDevicesNeverNeedFewerRacks) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 400; ++round) {
    std::vector<DeviceGroup> groups = random_groups(random);
    const ElevationLimits limits =
        limits_of(3 + static_cast<double>(random() % 60), 8 + static_cast<std::uint32_t>(random() % 45));
    std::uint32_t before = packed_racks(groups, limits);
    for (int step = 0; step < 30; ++step) {
      DeviceGroup& group = groups[random() % groups.size()];
      group.labels.push_back(group.labels.empty() ? "z" : group.labels.back() + "z");
      const std::uint32_t after = packed_racks(groups, limits);
      EXPECT_GE(after, before);
      before = after;
    }
  }
}

}  // namespace
}  // namespace podwright::elevation_test
