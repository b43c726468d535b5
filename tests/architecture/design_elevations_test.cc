#include "architecture/design_elevations.h"

#include <gtest/gtest.h>

#include <set>

#include "architecture/management_plan.h"
#include "architecture/site_parts.h"

namespace podwright::design_elevations_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

std::vector<std::string> labels_of(const std::string& prefix, double count) {
  std::vector<std::string> labels;
  for (double i = 1; i <= count; ++i) labels.push_back(prefix + std::to_string(static_cast<int>(i)));
  return labels;
}

/// Switches and servers of a SuperPOD H100 in proportion to the build of four units.
std::vector<DeviceGroup> others_of(double units) {
  const auto group = [&](const char* item, const char* role, const char* prefix, double of_unit) {
    return switch_group(*item_of(facts().switches, item), role, labels_of(prefix, std::ceil(of_unit * units)));
  };
  return {group("qm9700", "compute", "c", 12),
          group("qm9700", "storage", "s", 4),
          group("sn4600c", "in-band", "i", 2),
          group("sn2201", "out-of-band", "o", 2),
          server_group(facts(), "management", labels_of("m", 4)),
          server_group(facts(), "fabric-manager", labels_of("u", 4))};
}

struct Built {
  RackPlan<NoTrace> plan;
  Elevations elevations;
};

Built built(const DesignParts& parts, double nodes, double units, double rack_kw) {
  NoTrace trace;
  const ElevationLimits limits{.rack_units = 48, .power = kw(rack_kw), .load_kg = std::nullopt};
  const std::vector<DeviceGroup> others = others_of(units);
  const auto plan = rack_plan<NoTrace>(trace, facts(), parts, parts.architecture, nodes, units, rack_of(rack_kw),
                                       usual_circuit(trace, facts()), packed_racks(others, limits));
  return {*plan, design_elevations(parts, labels_of("n", nodes), static_cast<std::uint32_t>(plan->in_rack.nodes),
                                   others, static_cast<std::uint32_t>(plan->other_racks), limits)};
}

TEST(DesignElevations, OfFourUnitsAreThePlannedRacks) {
  const Built four = built(design_of("dgx-h100", "dgx-superpod-h100"), 127, 4, 41);
  EXPECT_EQ(four.plan.racks, 38);
  EXPECT_EQ(four.elevations.racks.size(), 38u);
  EXPECT_TRUE(four.elevations.unplaced.empty());
  std::set<std::string> labels;
  for (const RackElevation& rack : four.elevations.racks) {
    EXPECT_TRUE(labels.insert(rack.label).second);
    EXPECT_LE(rack.power, kw(41));
    for (const RackedDevice& device : rack.devices) EXPECT_TRUE(labels.insert(device.label).second) << device.label;
  }
  EXPECT_EQ(labels.size(), 38u + 127 + 48 + 16 + 8 + 8 + 4 + 4);
}

TEST(DesignElevations, HaveAsManyRacksAsThePlanAtEverySize) {
  double before = 0;
  for (double units = 1; units <= 64; ++units) {
    const Built build = built(design_of("dgx-h100", "dgx-superpod-h100"), 32 * units - 1, units, 41);
    EXPECT_EQ(static_cast<double>(build.elevations.racks.size()), build.plan.racks) << units;
    EXPECT_GE(build.plan.racks, before);
    before = build.plan.racks;
    for (const RackElevation& rack : build.elevations.racks) EXPECT_LE(rack.power, kw(41));
  }
}

TEST(DesignElevations, OfNvl72RacksAreTheSystemsThemselves) {
  const Built eight = built(design_of("gb300-nvl72", "dgx-superpod-gb300"), 8, 1, 160);
  EXPECT_EQ(eight.plan.compute_racks, 8);
  EXPECT_EQ(eight.elevations.racks[7].label, "n8");
  EXPECT_EQ(static_cast<double>(eight.elevations.racks.size()), eight.plan.racks);
}

TEST(DesignElevations, EverySwitchStatesItsHeight) {
  for (const Switch& item : facts().switches) EXPECT_TRUE(item.rack_units.has_value()) << item.id;
}

TEST(DesignElevations, AnOemServerTakesTheBodyOfTheDgx) {
  DesignParts parts = design_of("oem-hgx-8-gpu");
  parts.power_system = item_of(facts().systems, "dgx-b200");
  const DeviceGroup group = system_group(parts, {"n1"});
  EXPECT_EQ(group.kind.item_id, "oem-hgx-8-gpu");
  EXPECT_EQ(group.kind.rack_units, 10u);
  EXPECT_EQ(group.kind.power, kw(14.3));
}

}  // namespace
}  // namespace podwright::design_elevations_test
