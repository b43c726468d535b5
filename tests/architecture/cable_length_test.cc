#include "architecture/cable_length.h"

#include <gtest/gtest.h>

#include "architecture/cable_schedule.h"
#include "architecture/fabric_needs.h"
#include "architecture/wiring_checks.h"

namespace podwright::cable_length_test {
namespace {

using test::labels;

/// 0.8 m racks in rows 2.25 m apart, 0.5 m to the tray, 1 m of slack.
FloorPlan plain_floor() {
  return {.rack_width = 0.8, .row_pitch = 2.25, .rack_unit = 0.04445, .tray_clearance = 0.5, .slack = 1};
}

DeviceKind kind(const std::string& role, std::uint32_t units) {
  DeviceKind kind;
  kind.role = role;
  kind.rack_units = units;
  return kind;
}

Elevations of_racks(double systems, double others) {
  const ElevationLimits limits{.rack_units = 48};
  Elevations elevations;
  fill_racks(elevations, {.kind = kind("system", 8), .labels = labels("n", systems)}, 4, limits, "r");
  pack_racks(elevations, {{.kind = kind("compute-leaf", 1), .labels = labels("l", others)}},
             static_cast<std::uint32_t>(others), limits, "x");
  return elevations;
}

TEST(CableLength, Classes) {
  EXPECT_EQ(kCableLengths[cable_length_class(2.999)], 3);
  EXPECT_EQ(kCableLengths[cable_length_class(3)], 3);
  EXPECT_EQ(kCableLengths[cable_length_class(30.1)], 50);
  EXPECT_EQ(kCableLengths[cable_length_class(2000)], 2000);
  EXPECT_EQ(cable_length_class(2000.1), kNoLength);
}

TEST(CableLength, RowsMakeTheFloorSquare) {
  // 38 racks: 11 in a row are 8.8 m, 4 rows 9 m.
  EXPECT_EQ(racks_in_row(38.0, row_pitch_m(1.2, 1.2, 0.9), 0.8), 11);
  EXPECT_EQ(DevicePlaces(of_racks(127, 6), plain_floor()).racks_per_row(), 11u);
}

TEST(CableLength, WithinARack) {
  const DevicePlaces places(of_racks(8, 1), plain_floor());
  // Middles of the first and the fourth system: 4 and 28 units up.
  EXPECT_NEAR(places.cable_m(*places.find("n1"), *places.find("n4")), 24 * 0.04445 + 1, 1e-9);
}

TEST(CableLength, OverTheTray) {
  const DevicePlaces places(of_racks(16, 1), plain_floor());
  EXPECT_EQ(places.racks_per_row(), 4u);
  // Five racks: r001, r002, x001 in the middle, r003 and, in the next row, r004.
  const DevicePlace node = *places.find("n1"), leaf = *places.find("l1"), last = *places.find("n13");
  EXPECT_NEAR(places.cable_m(node, leaf), (44 + 47.5) * 0.04445 + 2 * 0.5 + 2 * 0.8 + 1, 1e-9);
  EXPECT_NEAR(places.cable_m(leaf, last), (44 + 47.5) * 0.04445 + 2 * 0.5 + 2 * 0.8 + 2.25 + 1, 1e-9);
  EXPECT_EQ(places.cable_m(node, last), places.cable_m(last, node));
}

TEST(CableLength, OfPartsOfARackWithoutAUnit) {
  const DevicePlaces places(of_racks(8, 1), plain_floor());
  EXPECT_EQ(places.find("r002-pdu-3")->rack, places.find("n5")->rack);
  EXPECT_EQ(places.find("r002-pdu-3")->unit, 24);
  EXPECT_FALSE(places.find("r009-pdu1"));
  EXPECT_FALSE(places.find("storage"));
}

CableRules rules_of(const char* lanes, bool copper = false) {
  CableRules rules{.rules = {}, .copper = copper};
  for (const char* role : {"compute-leaf", "compute-spine", "compute-core"})
    rules.rules.push_back({role, cable_reaches(embedded_catalog_facts(), lanes)});
  return rules;
}

/// A node and three switches: in its rack, and far off in the same row.
NetworkWiring four_devices() {
  return {.network = "compute",
          .devices = {{"n1", "system", 1},
                      {"s1", "compute-leaf", 1},
                      {"s2", "compute-leaf", 2},
                      {"s3", "compute-spine", 0}},
          .ports = {"1", "2", "3"},
          .wires = {{0, 0, 1, 0}, {0, 1, 2, 0}, {1, 1, 2, 1}, {1, 2, 3, 0}}};
}

Elevations four_places(int racks_between) {
  Elevations elevations{.rack_units = 48, .kinds = {kind("system", 8), kind("switch", 1)}};
  elevations.racks.push_back({.label = "r001", .devices = {{0, 1, "n1"}, {1, 9, "s1"}, {1, 11, "s3"}}});
  for (int i = 0; i < racks_between; ++i)
    elevations.racks.push_back({.label = "e" + std::to_string(i), .devices = {{0, 1, "x" + std::to_string(i)}}});
  elevations.racks.push_back({.label = "r999", .devices = {{0, 1, "z"}, {1, 9, "s2"}}});
  return elevations;
}

TEST(CableLength, MediumFollowsLengthLanesAndEnds) {
  FloorPlan floor = plain_floor();
  floor.racks_per_row = 1000;
  const auto media = [&](int between, const CableRules& rules) {
    std::string words;
    for (const CableRun& run : cable_runs(four_devices(), DevicePlaces(four_places(between), floor), rules))
      words += std::string(kCableMediumWords[static_cast<std::size_t>(run.medium)]) + " ";
    return words;
  };
  EXPECT_EQ(media(0, rules_of("100g")), "multimode multimode multimode multimode ");
  EXPECT_EQ(media(0, rules_of("100g", true)), "copper multimode multimode copper ");
  EXPECT_EQ(media(60, rules_of("100g")), "multimode single-mode single-mode multimode ");
  EXPECT_EQ(media(5, rules_of("200g")), "single-mode single-mode single-mode single-mode ");
  EXPECT_EQ(media(0, rules_of("25g", true)), "copper active-optical active-optical copper ");
  EXPECT_EQ(media(0, rules_of("1g")), "twisted-pair twisted-pair twisted-pair twisted-pair ");
  EXPECT_EQ(media(0, rules_of("no rate")), "    ");
}

TEST(CableLength, LinksOfASwitchPairAreCopperWhereItReaches) {
  Elevations elevations{.rack_units = 48, .kinds = {kind("switch", 1)}};
  elevations.racks.push_back({.label = "x001", .devices = {{0, 1, "s1"}, {0, 2, "s2"}}});
  const NetworkWiring pair{.network = "compute",
                           .devices = {{"s1", "compute-leaf", 0}, {"s2", "compute-leaf", 0}},
                           .ports = {"1"},
                           .wires = {{0, 0, 1, 0}}};
  EXPECT_EQ(cable_runs(pair, DevicePlaces(elevations, plain_floor()), rules_of("100g"))[0].medium, CableMedium::copper);
}

TEST(CableLength, LinesSumToTheCables) {
  const FabricNeed<NoTrace> need = test::b300_spectrum(256);
  const Fabric<NoTrace> fabric = test::built(need);
  const NetworkWiring wiring = compute_wiring(need, fabric, labels("n", need.nodes));
  Elevations elevations = of_racks(need.nodes, 0);
  std::vector<std::string> leaves;
  for (const WiredDevice& device : wiring.devices)
    if (device.role == "compute-leaf") leaves.push_back(device.label);
  pack_racks(elevations, {{.kind = kind("compute-leaf", 2), .labels = leaves}}, 8, {.rack_units = 48}, "x");
  const std::vector<CableRun> runs = cable_runs(wiring, DevicePlaces(elevations, plain_floor()), rules_of("100g"));
  std::map<std::string, double> links, cables;
  for (const CableLine& line : cable_lines(wiring, runs)) {
    links[line.to_role] += line.links;
    cables[line.to_role] += line.cables;
    // Spines stand in no rack here.
    EXPECT_EQ(line.length_m.has_value(), line.to_role == "compute-leaf");
  }
  EXPECT_EQ(links["compute-leaf"], fabric.node_leaf_links);
  EXPECT_EQ(cables["compute-leaf"], fabric.node_leaf_cables);
  EXPECT_EQ(links["compute-spine"], fabric.leaf_spine_links);
  EXPECT_EQ(cables["compute-spine"], fabric.leaf_spine_cables);
}

TEST(CableLength, LanesOfTheSwitchesOfTheCatalog) {
  std::map<std::string, std::string> lanes;
  for (const Switch& item : embedded_catalog_facts().switches) {
    lanes[item.id] = lane_rate(item);
    EXPECT_FALSE(cable_reaches(embedded_catalog_facts(), lanes[item.id]).empty()) << item.id;
  }
  EXPECT_EQ(lanes["qm9700"], "100g");
  EXPECT_EQ(lanes["qm8790"], "50g");
  EXPECT_EQ(lanes["q3400"], "200g");
  EXPECT_EQ(lanes["sn5600"], "100g");
  EXPECT_EQ(lanes["sn4600c"], "25g");
  EXPECT_EQ(lanes["sn2201"], "1g");
  EXPECT_TRUE(floor_plan(embedded_catalog_facts()));
}

TEST(CableLength, Of16384GpusHasALengthForEachWire) {
  const FabricNeed<NoTrace> need = test::h100(2048);
  const NetworkWiring wiring = compute_wiring(need, test::built(need), labels("n", need.nodes));
  const Elevations elevations = of_racks(need.nodes, 10);
  const std::vector<CableRun> runs = cable_runs(wiring, DevicePlaces(elevations, plain_floor()), rules_of("100g"));
  EXPECT_EQ(runs.size(), wiring.wires.size());
  EXPECT_LT(cable_lines(wiring, runs).size(), 100u);
}

}  // namespace
}  // namespace podwright::cable_length_test
