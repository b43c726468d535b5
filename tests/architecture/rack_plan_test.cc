#include "architecture/rack_plan.h"

#include <gtest/gtest.h>

#include <random>

#include "architecture/site_parts.h"

namespace podwright::rack_plan_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

std::optional<RackPlan<NoTrace>> plan_of(const DesignParts& parts, double nodes, std::optional<double> units,
                                         const RackLimits<NoTrace>& limits, double packed = 0) {
  NoTrace trace;
  return rack_plan(trace, facts(), parts, parts.architecture, nodes, units, limits, usual_circuit(trace, facts()),
                   packed);
}

// The published build: 38 racks, 96 and 12 PDUs.
TEST(RackPlan, OfTheH100SuperPodOfFourUnits) {
  const auto plan = plan_of(design_of("dgx-h100", "dgx-superpod-h100"), 127, 4, rack_of(41));
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->in_rack.nodes, 4);
  EXPECT_EQ(plan->compute_racks, 32);
  EXPECT_EQ(plan->other_racks, 6);
  EXPECT_EQ(plan->racks, 38);
  EXPECT_EQ(plan->compute_pdus, 96);
  EXPECT_EQ(plan->other_pdus, 12);
  EXPECT_EQ(plan->pdus, 108);
  EXPECT_NEAR(plan->rack_power / kw(1), 40.8, 1e-9);
  ASSERT_TRUE(plan->feeds.has_value());
  EXPECT_EQ(plan->feeds->feeds, 3);
  EXPECT_NEAR(plan->feeds->after_loss / kw(1), 20.4, 1e-9);
  EXPECT_NEAR(*plan->rack_weight_kg, 521.8, 1e-9);
  EXPECT_NEAR(*plan->floor_m2, 38 * 0.8 * (1.2 + 1.05), 1e-9);
}

TEST(RackPlan, OtherRacksAreNeverFewerThanTheDevicesNeed) {
  const auto plan = plan_of(design_of("dgx-h100", "dgx-superpod-h100"), 127, 4, rack_of(41), 9);
  EXPECT_EQ(plan->other_racks, 9);
  EXPECT_EQ(plan->drawn_other_racks, 6);
}

TEST(RackPlan, OneUnitHasAShareOfTheDrawing) {
  const auto plan = plan_of(design_of("dgx-h100", "dgx-superpod-h100"), 31, 1, rack_of(41));
  EXPECT_EQ(plan->compute_racks, 8);
  EXPECT_EQ(plan->other_racks, 2);
}

TEST(RackPlan, B200StandsTwoInARack) {
  const auto plan = plan_of(design_of("dgx-b200", "dgx-superpod-b200"), 31, 1, rack_of(60));
  EXPECT_EQ(plan->in_rack.by_power, 4);
  EXPECT_EQ(plan->in_rack.by_height, 4);
  EXPECT_EQ(plan->in_rack.as_drawn, 2);
  EXPECT_EQ(plan->in_rack.nodes, 2);
  EXPECT_NEAR(plan->rack_power / kw(1), 28.6, 1e-9);
}

// Three PDUs in a rack of about 56 kW are printed; the circuit of the guide needs as many feeds.
TEST(RackPlan, B300HasThreePdusARack) {
  const auto plan = plan_of(design_of("dgx-b300", "dgx-superpod-b300-xdr"), 72, 1, rack_of(60));
  EXPECT_EQ(plan->in_rack.nodes, 4);
  EXPECT_EQ(plan->compute_pdus, 18 * 3);
  EXPECT_EQ(plan->feeds->feeds, 3);
}

TEST(RackPlan, HeightAndWeightLimitToo) {
  NoTrace trace;
  const DesignParts parts = design_of("dgx-h100");
  EXPECT_EQ(nodes_in_rack(trace, parts, parts.architecture, rack_of(100, 42))->nodes, 5);
  RackLimits<NoTrace> light = rack_of(100, 48);
  light.load_kg = 400;
  EXPECT_EQ(nodes_in_rack(trace, parts, parts.architecture, light)->nodes, 3);
  EXPECT_EQ(nodes_in_rack(trace, parts, parts.architecture, light)->by_weight, 3);
}

TEST(RackPlan, ASystemThatIsARackStandsAlone) {
  NoTrace trace;
  EXPECT_EQ(nodes_in_rack(trace, design_of("gb200-nvl72"), nullptr, rack_of(320))->nodes, 1);
  EXPECT_EQ(nodes_in_rack(trace, design_of("gb200-nvl72"), nullptr, rack_of(130))->nodes, 0);
}

TEST(RackPlan, IsAbsentWhereNoSystemFitsOrNoPowerIsKnown) {
  EXPECT_FALSE(plan_of(design_of("dgx-b200"), 4, std::nullopt, rack_of(12)).has_value());
  EXPECT_FALSE(plan_of(design_of("oem-pcie-8-gpu"), 4, std::nullopt, rack_of(40)).has_value());
}

TEST(ItPower, OfTheH100SuperPodOfFourUnits) {
  NoTrace trace;
  const auto item = [](std::string_view id) { return item_of(facts().switches, id); };
  const std::vector<SwitchCount<NoTrace>> switches{{"compute", item("qm9700"), 48},
                                                   {"storage", item("qm9700"), 16},
                                                   {"in-band", item("sn4600c"), 8},
                                                   {"out-of-band", item("sn2201"), 8}};
  const auto power = it_power(trace, design_of("dgx-h100"), 127.0, switches);
  ASSERT_TRUE(power.has_value());
  EXPECT_NEAR(power->systems / kw(1), 1295.4, 1e-9);
  EXPECT_NEAR(power->total / kw(1), 1409.99, 0.005);
  EXPECT_TRUE(power->not_known.empty());
}

TEST(ItPower, NamesSwitchesWhosePowerIsNotKnown) {
  NoTrace trace;
  const std::vector<SwitchCount<NoTrace>> switches{{"compute", item_of(facts().switches, "sn5610"), 12}};
  const auto power = it_power(trace, design_of("dgx-b300"), 72.0, switches);
  EXPECT_EQ(power->total, power->systems);
  ASSERT_EQ(power->not_known.size(), 1u);
  EXPECT_EQ(power->not_known[0].find("Power of Spectrum-4 SN5610: no public figure"), 0u);
}

TEST(Cooling, OfAnAirCooledSystem) {
  NoTrace trace;
  const auto cooling = cooling_numbers(trace, kw(10.2), design_of("dgx-h100").system, 15.0, 10.0);
  EXPECT_NEAR(cooling.btu_per_h, 34804, 0.5);
  EXPECT_NEAR(*cooling.air_m3_per_h, 2030, 0.5);
  EXPECT_NEAR(*cooling.air_cfm, 1195, 0.5);
  EXPECT_FALSE(cooling.liquid.has_value());
}

TEST(Cooling, OfALiquidCooledRackIsSharedWithTheAir) {
  NoTrace trace;
  const auto cooling = cooling_numbers(trace, kw(142), design_of("gb300-nvl72").system, 15.0, 10.0);
  EXPECT_NEAR(*cooling.liquid / kw(1), 127.8, 1e-9);
  EXPECT_NEAR(*cooling.air / kw(1), 14.2, 1e-9);
  EXPECT_NEAR(*cooling.liquid_l_per_min, 127.8 * 60 / 41.86, 1e-6);
}

TEST(Cooling, IsAbsentWhereTheShareIsNotKnown) {
  NoTrace trace;
  const auto cooling = cooling_numbers(trace, kw(30), design_of("dgx-rubin-nvl8").system, 15.0, 10.0);
  EXPECT_GT(cooling.btu_per_h, 0);
  EXPECT_FALSE(cooling.liquid.has_value());
  EXPECT_FALSE(cooling.air.has_value());
}

TEST(Ups, CarriesTheLoadWithOneModuleOut) {
  const auto ups = ups_numbers<NoTrace>(kw(1410), kw(500), seconds(300));
  EXPECT_EQ(ups.modules, 4);
  EXPECT_NEAR(ups.energy / kwh(1), 117.5, 1e-9);
  EXPECT_GE((ups.modules - 1) * kw(500), kw(1410));
}

TEST(UsualCircuit, GivesWhatTheGuideLists) {
  NoTrace trace;
  const auto circuit = usual_circuit(trace, facts());
  ASSERT_TRUE(circuit.has_value());
  EXPECT_NEAR(rack_feeds(kw(40.8), *circuit).feed_power / kw(1), 32.777, 0.0005);
}

// --- properties

const char* const kSystems[] = {"dgx-a100", "dgx-h100", "dgx-h200", "dgx-b200", "dgx-b300", "gb200-nvl72"};

TEST(RackProperties, ARackNeverDrawsMoreThanItsLimit) {
  NoTrace trace;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> kilowatts(5, 400);
  std::uniform_real_distribution<double> units(6, 52);
  for (int round = 0; round < 3000; ++round) {
    const DesignParts parts = design_of(kSystems[random() % 6]);
    const RackLimits<NoTrace> limits = rack_of(kilowatts(random), units(random));
    const auto in_rack = nodes_in_rack(trace, parts, parts.architecture, limits);
    ASSERT_TRUE(in_rack.has_value());
    const PlannedPower power = *planned_power(*parts.power_system);
    EXPECT_LE(in_rack->nodes * power.value, *limits.power * (1 + 1e-12));
    if (parts.system->rack_units) {
      EXPECT_LE(in_rack->nodes * *parts.system->rack_units, limits.rack_units + 1e-9);
    }
  }
}

TEST(RackProperties, MoreNodesNeverNeedFewerRacks) {
  for (const char* system : kSystems) {
    const DesignParts parts = design_of(system);
    double before = 0;
    for (double nodes = 1; nodes <= 400; ++nodes) {
      const auto plan = plan_of(parts, nodes, std::nullopt, rack_of(160));
      ASSERT_TRUE(plan.has_value());
      EXPECT_GE(plan->racks, before) << system << " " << nodes;
      before = plan->racks;
    }
  }
}

TEST(RackProperties, TheOthersCarryTheRackWhenOneFeedIsLost) {
  NoTrace trace;
  const auto circuit = usual_circuit(trace, facts());
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> kilowatts(0.1, 500);
  for (int round = 0; round < 3000; ++round) {
    const Watts power = kw(kilowatts(random));
    const RackFeeds<NoTrace> feeds = rack_feeds(power, *circuit);
    EXPECT_GE(feeds.feeds, 2);
    EXPECT_LE(feeds.after_loss, feeds.feed_power * (1 + 1e-12));
    EXPECT_GE(feeds.after_loss * (feeds.feeds - 1), power * (1 - 1e-12));
  }
}

// The traced code is the same code.
TEST(RackPlan, IsTheSameWithATrace) {
  Trace trace;
  const DesignParts parts = design_of("dgx-h100", "dgx-superpod-h100");
  const RackLimits<Trace> limits{.power = trace.input("/rack_power_kw", kw(41)),
                                 .rack_units = trace.input("/rack_units", 48.0),
                                 .load_kg = std::nullopt};
  const auto plan = rack_plan<Trace>(trace, facts(), parts, parts.architecture, trace.input("/nodes", 127.0),
                                     trace.input("/units", 4.0), limits, usual_circuit(trace, facts()), 3);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->racks.value, 38);
  EXPECT_EQ(plan->pdus->value, 108);
  for (const TraceNode& node : trace.nodes())
    if (node.id.rfind("catalog/", 0) == 0) {
      EXPECT_FALSE(node.source.empty()) << node.id;
    }
}

}  // namespace
}  // namespace podwright::rack_plan_test
