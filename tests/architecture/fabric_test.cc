#include "architecture/fabric.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "architecture/design_size.h"
#include "architecture/fabric_needs.h"
#include "support/patch_texts.h"

namespace podwright::fabric_test {
namespace {

using test::built;
using test::gb200;
using test::h100;
using test::need;
using test::switch_pair;

constexpr double kTbit = 1e12 / 8;

TEST(Fabric, H100OfSixteenUnits) {
  const Fabric<NoTrace> fabric = built(h100(512));
  EXPECT_EQ(fabric.tiers, 3);
  EXPECT_EQ(fabric.leaf.total, 128);
  EXPECT_EQ(fabric.spine.total, 128);
  EXPECT_EQ(fabric.core.total, 64);
  EXPECT_EQ(fabric.leaf.total + fabric.spine.total + fabric.core.total, 320);
  EXPECT_EQ(fabric.node_leaf_links, 4096);
  EXPECT_EQ(fabric.leaf_spine_links, 4096);
  EXPECT_EQ(fabric.spine_core_links, 4096);
}

TEST(Fabric, H100OfFourUnitsWithItsManager) {
  const FabricNeed<NoTrace> need = h100(127, 4);
  const Fabric<NoTrace> fabric = built(need);
  EXPECT_TRUE(fabric_refusals(need, fabric).empty());
  EXPECT_EQ(fabric.node_leaf_links + fabric.leaf_spine_links, 2040);
  EXPECT_EQ(*fabric.switch_transceivers, 1536);
  EXPECT_EQ(*fabric.node_transceivers, 508);
  EXPECT_DOUBLE_EQ(raw(*fabric.bisection) / kTbit, 204.8);
  EXPECT_DOUBLE_EQ(raw(*fabric.bisection) / 1e12, 25.6);
  EXPECT_EQ(raw(*fabric.injection_per_node), 8 * 50e9);
  EXPECT_EQ(fabric.max_nodes, 127);
  EXPECT_EQ(fabric.max_nodes_two_tiers, 256);
}

TEST(Fabric, ThePairsOfPublishedDesigns) {
  EXPECT_EQ(most_nodes_of_pair(64.0, 8.0), 8);
  EXPECT_EQ(most_nodes_of_pair(128.0, 8.0), 16);
  EXPECT_EQ(built(switch_pair(12, 8, 128)).inter_switch_links, 48);
  EXPECT_EQ(built(switch_pair(20, 4, 128)).inter_switch_links, 40);
  EXPECT_EQ(built(switch_pair(32, 2, 128)).inter_switch_links, 32);
  for (const double nodes : {4.0, 8.0}) {
    FabricNeed<NoTrace> need = switch_pair(nodes, 8, 64);
    need.links_per_cable = 2;
    need.ports_per_cage = 2;
    const Fabric<NoTrace> fabric = built(need);
    EXPECT_TRUE(fabric_refusals(need, fabric).empty());
    EXPECT_EQ(fabric.leaf.total, 2);
    EXPECT_EQ(fabric.inter_switch_cables, 2 * nodes);
    EXPECT_EQ(*fabric.node_transceivers, 4 * nodes);
    EXPECT_EQ(*fabric.switch_transceivers, 4 * nodes);
  }
}

TEST(Fabric, FourRacksInTwoPlanes) {
  FabricNeed<NoTrace> four_racks = need(72, 4, 128, 72);
  four_racks.planes = 2;
  EXPECT_EQ(built(four_racks).leaf.total, 16);
  EXPECT_EQ(built(four_racks).spine.total, 6);
  // The partner's paper has 8 spines, as many as leaves with all their upper ports in use need.
  four_racks.uplinks = 64;
  EXPECT_EQ(built(four_racks).spine.total, 8);
}

TEST(Fabric, RailGroupsOfASingleUnitAreNotJoined) {
  const Fabric<NoTrace> fabric = built(gb200(1));
  EXPECT_EQ(fabric.tiers, 2);
  EXPECT_EQ(fabric.spine.total, 24);
  EXPECT_EQ(fabric.max_nodes_two_tiers, 144);
  EXPECT_EQ(fabric.core.total, 0);
}

TEST(Fabric, OneSwitchIsEnoughForAUnitThatItHolds) {
  const Fabric<NoTrace> fabric = built(need(8, 8, 64, 8));
  EXPECT_EQ(fabric.tiers, 1);
  EXPECT_EQ(fabric.leaf.total, 1);
  EXPECT_EQ(fabric.spine.total, 0);
  EXPECT_EQ(fabric.leaf_spine_links, 0);
}

TEST(Fabric, OversubscribedLeavesHaveMorePortsDown) {
  FabricNeed<NoTrace> three_to_one = need(48, 8, 64, 48);
  three_to_one.oversubscription = 3;
  three_to_one.link = gb_per_s(50);
  const Fabric<NoTrace> fabric = built(three_to_one);
  EXPECT_EQ(fabric.leaf_ports_down, 48);
  EXPECT_EQ(fabric.uplinks, 16);
  EXPECT_EQ(fabric.leaf.total, 8);
  EXPECT_EQ(fabric.spine.total, 2);
  EXPECT_EQ(fabric.oversubscription, 3);
  EXPECT_DOUBLE_EQ(raw(*fabric.bisection), 384 * 50e9 / 6);
}

TEST(Fabric, APartPodSpreadsItsUplinksEvenly) {
  const FabricNeed<NoTrace> need = h100(9 * 32);
  const Fabric<NoTrace> fabric = built(need);
  EXPECT_EQ(fabric.tiers, 3);
  EXPECT_EQ(fabric.spine.total, 32 + 32 + 8);
  EXPECT_EQ(fabric.core.total, 36);
  const auto notes = fabric_notes(need, fabric);
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(),
                          [](const std::string& note) { return note.find("last pod") != std::string::npos; }));
}

TEST(FabricRefusals, AFullShellHasNoPortForTheManager) {
  const FabricNeed<NoTrace> full = h100(128, 4);
  const auto refusals = fabric_refusals(full, built(full));
  ASSERT_EQ(refusals.size(), 1u);
  EXPECT_EQ(refusals[0].code, "manager-ports");
  EXPECT_EQ(refusals[0].shortfall, 4);
  EXPECT_EQ(texts_of(refusals[0].ways_out), (std::vector<std::string>{"{\"nodes\":127}", "{\"scalable_units\":5}"}));
}

TEST(FabricRefusals, SaysWhatTheLargestSizeIs) {
  const FabricNeed<NoTrace> pair = switch_pair(9, 8, 64);
  const auto too_many = fabric_refusals(pair, built(pair));
  ASSERT_EQ(too_many.size(), 1u);
  EXPECT_EQ(too_many[0].code, "pair-ports");
  EXPECT_EQ(too_many[0].ways_out.front().text(), "{\"nodes\":8}");

  FabricNeed<NoTrace> groups = gb200(17);
  const auto no_core = fabric_refusals(groups, built(groups));
  ASSERT_EQ(no_core.size(), 1u);
  EXPECT_EQ(no_core[0].code, "core-group");
  EXPECT_EQ(no_core[0].ways_out.front().text(), "{\"nodes\":2304}");

  FabricNeed<NoTrace> four_tiers = h100(8193);
  const auto no_pod = fabric_refusals(four_tiers, built(four_tiers));
  ASSERT_EQ(no_pod.size(), 1u);
  EXPECT_EQ(no_pod[0].code, "tiers");
  EXPECT_EQ(no_pod[0].ways_out.front().text(), "{\"nodes\":8192}");

  FabricNeed<NoTrace> few_units = h100(40);
  few_units.scalable_units = 1;
  ASSERT_EQ(fabric_refusals(few_units, built(few_units)).size(), 1u);
  EXPECT_EQ(fabric_refusals(few_units, built(few_units))[0].code, "scalable-units");

  FabricNeed<NoTrace> wide_leaf = h100(32);
  wide_leaf.leaf_ports_down = 64;
  ASSERT_EQ(fabric_refusals(wide_leaf, built(wide_leaf)).size(), 1u);
  EXPECT_EQ(fabric_refusals(wide_leaf, built(wide_leaf))[0].code, "leaf-ports");
}

TEST(NextSize, TheThirtySecondNodeAsksForASecondUnit) {
  const FabricNeed<NoTrace> need = h100(31, 4);
  const FabricNeed<NoTrace> next = next_size(need, built(need));
  EXPECT_EQ(next.nodes, 32);
  const Fabric<NoTrace> fabric = built(next);
  EXPECT_TRUE(fabric_refusals(next, fabric).empty());
  EXPECT_EQ(fabric.leaf.total, 16);
  EXPECT_EQ(fabric.spine.total, 8);
}

TEST(NextSize, TheThirdTierComesAfterTwoHundredFiftySixNodes) {
  const FabricNeed<NoTrace> need = h100(256);
  EXPECT_EQ(built(need).tiers, 2);
  const FabricNeed<NoTrace> next = next_size(need, built(need));
  EXPECT_EQ(next.nodes, 257);
  EXPECT_EQ(built(next).tiers, 3);
}

TEST(Fabric, TracedNumbersEqualThePlainOnes) {
  Trace trace;
  FabricNeed<Trace> traced;
  traced.nodes = trace.input("/nodes", 127.0);
  traced.rails = trace.input("/rails", 8.0);
  traced.switch_ports = trace.input("/switch_ports", 64.0);
  traced.nodes_per_unit = trace.input("/nodes_per_unit", 32.0);
  traced.planes = traced.oversubscription = traced.units_per_group = traced.links_per_cable =
      trace.input("/planes", 1.0);
  traced.manager_links = trace.input("/manager_links", 4.0);
  const Fabric<Trace> fabric = build_fabric(trace, traced);
  const Fabric<NoTrace> plain = built(plain_need(traced));
  EXPECT_EQ(fabric.spine.total.value, plain.spine.total);
  EXPECT_EQ(fabric.leaf_spine_links.value, plain.leaf_spine_links);
  EXPECT_EQ(fabric.max_nodes.value, plain.max_nodes);
  EXPECT_GE(fabric.spine.total.node, 0);
}

}  // namespace
}  // namespace podwright::fabric_test
