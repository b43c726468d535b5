#pragma once
/// Counts and bandwidths of a switched network between nodes. docs/method/fabric.md derives them and says where they
/// were checked. All counts are of one plane unless the name says otherwise; a link joins two ports.
#include <algorithm>
#include <cmath>

#include "architecture/even_divisor.h"
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Endpoints that one switch joins.
constexpr double one_switch_limit(double switch_ports) { return switch_ports; }
inline constexpr Formula<one_switch_limit> kOneSwitchLimit{.id = "architecture.one_switch_limit",
                                                           .inputs = {"switch_ports"},
                                                           .equation = "switch_ports",
                                                           .source = "docs/method/fabric.md#limits"};

/// Endpoints of a non-blocking tree of leaves and spines.
constexpr double two_tier_limit(double switch_ports) { return switch_ports * switch_ports / 2.0; }
inline constexpr Formula<two_tier_limit> kTwoTierLimit{.id = "architecture.two_tier_limit",
                                                       .inputs = {"switch_ports"},
                                                       .equation = "switch_ports ^ 2 / 2",
                                                       .source = "docs/method/fabric.md#limits"};

/// Endpoints of a non-blocking tree of leaves, spines and cores.
constexpr double three_tier_limit(double switch_ports) { return switch_ports * switch_ports * switch_ports / 4.0; }
inline constexpr Formula<three_tier_limit> kThreeTierLimit{.id = "architecture.three_tier_limit",
                                                           .inputs = {"switch_ports"},
                                                           .equation = "switch_ports ^ 3 / 4",
                                                           .source = "docs/method/fabric.md#limits"};

/// Bytes that a switch forwards at most, counted in one direction.
constexpr BytesPerSecond switch_capacity(double switch_ports, BytesPerSecond link) { return switch_ports * link; }
inline constexpr Formula<switch_capacity> kSwitchCapacity{.id = "architecture.switch_capacity",
                                                          .inputs = {"switch_ports", "link"},
                                                          .equation = "switch_ports * link",
                                                          .source = "docs/method/fabric.md#bandwidth"};

/// Most endpoints on one leaf at this oversubscription (1: non-blocking).
inline double most_leaf_ports_down(double switch_ports, double oversubscription) {
  return std::floor(switch_ports * oversubscription / (oversubscription + 1.0));
}
inline constexpr Formula<most_leaf_ports_down> kMostLeafPortsDown{
    .id = "architecture.most_leaf_ports_down",
    .inputs = {"switch_ports", "oversubscription"},
    .equation = "floor(switch_ports * oversubscription / (oversubscription + 1))",
    .source = "docs/method/fabric.md#leaves"};

/// Leaves of one rail of one scalable unit.
inline double leaves_per_rail(double nodes_per_unit, double leaf_ports_down) {
  return std::ceil(nodes_per_unit / leaf_ports_down);
}
inline constexpr Formula<leaves_per_rail> kLeavesPerRail{.id = "architecture.leaves_per_rail",
                                                         .inputs = {"nodes_per_unit", "leaf_ports_down"},
                                                         .equation = "ceil(nodes_per_unit / leaf_ports_down)",
                                                         .source = "docs/method/fabric.md#leaves"};

/// Endpoints on one leaf when the leaves of a rail share its nodes evenly.
inline double even_leaf_ports_down(double nodes_per_unit, double leaves_of_rail) {
  return std::ceil(nodes_per_unit / leaves_of_rail);
}
inline constexpr Formula<even_leaf_ports_down> kEvenLeafPortsDown{.id = "architecture.even_leaf_ports_down",
                                                                  .inputs = {"nodes_per_unit", "leaves_of_rail"},
                                                                  .equation = "ceil(nodes_per_unit / leaves_of_rail)",
                                                                  .source = "docs/method/fabric.md#leaves"};

/// Uplinks of a leaf whose downward side is full.
constexpr double uplinks_of_full_leaf(double switch_ports, double leaf_ports_down) {
  return switch_ports - leaf_ports_down;
}
inline constexpr Formula<uplinks_of_full_leaf> kUplinksOfFullLeaf{.id = "architecture.uplinks_of_full_leaf",
                                                                  .inputs = {"switch_ports", "leaf_ports_down"},
                                                                  .equation = "switch_ports - leaf_ports_down",
                                                                  .source = "docs/method/fabric.md#leaves"};

/// Uplinks of a leaf with fewer endpoints than it could take; the ports that remain stay dark.
inline double uplinks_of_part_leaf(double leaf_ports_down, double oversubscription) {
  return std::ceil(leaf_ports_down / oversubscription);
}
inline constexpr Formula<uplinks_of_part_leaf> kUplinksOfPartLeaf{
    .id = "architecture.uplinks_of_part_leaf",
    .inputs = {"leaf_ports_down", "oversubscription"},
    .equation = "ceil(leaf_ports_down / oversubscription)",
    .source = "docs/method/fabric.md#leaves"};

/// Scalable units that hold the nodes; each is built whole.
inline double fabric_units(double nodes, double nodes_per_unit) { return std::ceil(nodes / nodes_per_unit); }
inline constexpr Formula<fabric_units> kFabricUnits{.id = "architecture.fabric_units",
                                                    .inputs = {"nodes", "nodes_per_unit"},
                                                    .equation = "ceil(nodes / nodes_per_unit)",
                                                    .source = "docs/method/fabric.md#shell"};

constexpr double nodes_of_shell(double scalable_units, double nodes_per_unit) {
  return scalable_units * nodes_per_unit;
}
inline constexpr Formula<nodes_of_shell> kNodesOfShell{.id = "architecture.nodes_of_shell",
                                                       .inputs = {"scalable_units", "nodes_per_unit"},
                                                       .equation = "scalable_units * nodes_per_unit",
                                                       .source = "docs/method/fabric.md#shell"};

/// Ports of nodes on one plane of the full shell: one for each rail.
constexpr double shell_endpoints(double nodes_of_shell, double rails) { return nodes_of_shell * rails; }
inline constexpr Formula<shell_endpoints> kShellEndpoints{.id = "architecture.shell_endpoints",
                                                          .inputs = {"nodes_of_shell", "rails"},
                                                          .equation = "nodes_of_shell * rails",
                                                          .source = "docs/method/fabric.md#shell"};

constexpr double leaves_of_unit(double rails, double leaves_of_rail) { return rails * leaves_of_rail; }
inline constexpr Formula<leaves_of_unit> kLeavesOfUnit{.id = "architecture.leaves_of_unit",
                                                       .inputs = {"rails", "leaves_of_rail"},
                                                       .equation = "rails * leaves_of_rail",
                                                       .source = "docs/method/fabric.md#leaves"};

constexpr double leaf_count(double scalable_units, double leaves_per_unit) { return scalable_units * leaves_per_unit; }
inline constexpr Formula<leaf_count> kLeafCount{.id = "architecture.leaf_count",
                                                .inputs = {"scalable_units", "leaves_per_unit"},
                                                .equation = "scalable_units * leaves_per_unit",
                                                .source = "docs/method/fabric.md#leaves"};

/// Nodes of whole units whose leaves one layer of spines can join: a spine takes a link from each leaf.
inline double most_nodes_two_tiers(double switch_ports, double leaves_per_unit, double nodes_per_unit) {
  return std::floor(switch_ports / leaves_per_unit) * nodes_per_unit;
}
inline constexpr Formula<most_nodes_two_tiers> kMostNodesTwoTiers{
    .id = "architecture.most_nodes_two_tiers",
    .inputs = {"switch_ports", "leaves_per_unit", "nodes_per_unit"},
    .equation = "floor(switch_ports / leaves_per_unit) * nodes_per_unit",
    .source = "docs/method/fabric.md#limits"};

/// Spines whose downward ports take every uplink of the leaves.
inline double least_spines(double leaves, double uplinks, double spine_ports_down) {
  return std::ceil(leaves * uplinks / spine_ports_down);
}
inline constexpr Formula<least_spines> kLeastSpines{.id = "architecture.least_spines",
                                                    .inputs = {"leaves", "uplinks", "spine_ports_down"},
                                                    .equation = "ceil(leaves * uplinks / spine_ports_down)",
                                                    .source = "docs/method/fabric.md#spines"};

/// Spines over which each leaf spreads its uplinks evenly.
inline double even_spines(double least, double uplinks) { return divisor_from(least, uplinks); }
inline constexpr Formula<even_spines> kEvenSpines{.id = "architecture.even_spines",
                                                  .inputs = {"least", "uplinks"},
                                                  .equation = "divisor_from(least, uplinks)",
                                                  .source = "docs/method/fabric.md#spines"};

/// Half the ports of a spine face the leaves, the other half the cores.
inline double half_of_ports(double switch_ports) { return std::floor(switch_ports / 2.0); }
inline constexpr Formula<half_of_ports> kHalfOfPorts{.id = "architecture.half_of_ports",
                                                     .inputs = {"switch_ports"},
                                                     .equation = "floor(switch_ports / 2)",
                                                     .source = "docs/method/fabric.md#three-tiers"};

/// Pods of three tiers that are full: as many leaves as a spine has downward ports.
inline double full_pods(double leaves, double leaves_per_pod) { return std::floor(leaves / leaves_per_pod); }
inline constexpr Formula<full_pods> kFullPods{.id = "architecture.full_pods",
                                              .inputs = {"leaves", "leaves_per_pod"},
                                              .equation = "floor(leaves / leaves_per_pod)",
                                              .source = "docs/method/fabric.md#three-tiers"};

/// Leaves that stand in the last pod, which is not full.
constexpr double leaves_beside_full_pods(double leaves, double full_pods, double leaves_per_pod) {
  return leaves - full_pods * leaves_per_pod;
}
inline constexpr Formula<leaves_beside_full_pods> kLeavesBesideFullPods{
    .id = "architecture.leaves_beside_full_pods",
    .inputs = {"leaves", "full_pods", "leaves_per_pod"},
    .equation = "leaves - full_pods * leaves_per_pod",
    .source = "docs/method/fabric.md#three-tiers"};

/// In a full pod a spine has one link to each leaf, so there are as many spines as uplinks of a leaf.
constexpr double spines_of_pods(double full_pods, double uplinks, double spines_of_part_pod) {
  return full_pods * uplinks + spines_of_part_pod;
}
inline constexpr Formula<spines_of_pods> kSpinesOfPods{.id = "architecture.spines_of_pods",
                                                       .inputs = {"full_pods", "uplinks", "spines_of_part_pod"},
                                                       .equation = "full_pods * uplinks + spines_of_part_pod",
                                                       .source = "docs/method/fabric.md#three-tiers"};

/// Cores whose ports take every upward link of the spines.
inline double core_count(double spine_core_links, double switch_ports) {
  return std::ceil(spine_core_links / switch_ports);
}
inline constexpr Formula<core_count> kCoreCount{.id = "architecture.core_count",
                                                .inputs = {"spine_core_links", "switch_ports"},
                                                .equation = "ceil(spine_core_links / switch_ports)",
                                                .source = "docs/method/fabric.md#three-tiers"};

/// Rail groups: the leaves of one rail of some units with spines of their own.
inline double rail_group_count(double rails, double scalable_units, double units_per_group) {
  return rails * std::ceil(scalable_units / units_per_group);
}
inline constexpr Formula<rail_group_count> kRailGroupCount{.id = "architecture.rail_group_count",
                                                           .inputs = {"rails", "scalable_units", "units_per_group"},
                                                           .equation = "rails * ceil(scalable_units / units_per_group)",
                                                           .source = "docs/method/fabric.md#rail-groups"};

/// Leaves of the largest rail group.
inline double leaves_of_group(double scalable_units, double units_per_group, double leaves_of_rail) {
  return std::min(scalable_units, units_per_group) * leaves_of_rail;
}
inline constexpr Formula<leaves_of_group> kLeavesOfGroup{
    .id = "architecture.leaves_of_group",
    .inputs = {"scalable_units", "units_per_group", "leaves_of_rail"},
    .equation = "min(scalable_units, units_per_group) * leaves_of_rail",
    .source = "docs/method/fabric.md#rail-groups"};

constexpr double spines_of_groups(double groups, double spines_of_group) { return groups * spines_of_group; }
inline constexpr Formula<spines_of_groups> kSpinesOfGroups{.id = "architecture.spines_of_groups",
                                                           .inputs = {"groups", "spines_of_group"},
                                                           .equation = "groups * spines_of_group",
                                                           .source = "docs/method/fabric.md#rail-groups"};

/// Nodes on two switches, half of whose ports face the nodes and half the other switch.
inline double most_nodes_of_pair(double switch_ports, double rails) {
  return std::floor(2.0 * std::floor(switch_ports / 2.0) / rails);
}
inline constexpr Formula<most_nodes_of_pair> kMostNodesOfPair{.id = "architecture.most_nodes_of_pair",
                                                              .inputs = {"switch_ports", "rails"},
                                                              .equation = "floor(2 * floor(switch_ports / 2) / rails)",
                                                              .source = "docs/method/fabric.md#switch-pair"};

/// Links between the two switches of a pair: as many as one of them has to nodes.
inline double inter_switch_links(double shell_endpoints) { return std::ceil(shell_endpoints / 2.0); }
inline constexpr Formula<inter_switch_links> kInterSwitchLinks{.id = "architecture.inter_switch_links",
                                                               .inputs = {"shell_endpoints"},
                                                               .equation = "ceil(shell_endpoints / 2)",
                                                               .source = "docs/method/fabric.md#switch-pair"};

/// Switches, links or ports of all planes.
constexpr double over_planes(double per_plane, double planes) { return per_plane * planes; }
inline constexpr Formula<over_planes> kOverPlanes{.id = "architecture.over_planes",
                                                  .inputs = {"per_plane", "planes"},
                                                  .equation = "per_plane * planes",
                                                  .source = "docs/method/fabric.md#planes"};

/// Links of all planes from the nodes that are there.
constexpr double node_leaf_links(double nodes, double rails, double planes) { return nodes * rails * planes; }
inline constexpr Formula<node_leaf_links> kNodeLeafLinks{.id = "architecture.node_leaf_links",
                                                         .inputs = {"nodes", "rails", "planes"},
                                                         .equation = "nodes * rails * planes",
                                                         .source = "docs/method/fabric.md#links"};

/// Links of all planes: every uplink of the shell, with or without nodes below.
constexpr double leaf_spine_links(double leaves, double uplinks, double planes) { return leaves * uplinks * planes; }
inline constexpr Formula<leaf_spine_links> kLeafSpineLinks{.id = "architecture.leaf_spine_links",
                                                           .inputs = {"leaves", "uplinks", "planes"},
                                                           .equation = "leaves * uplinks * planes",
                                                           .source = "docs/method/fabric.md#links"};

inline double cable_count(double links, double links_per_cable) { return std::ceil(links / links_per_cable); }
inline constexpr Formula<cable_count> kCableCount{.id = "architecture.cable_count",
                                                  .inputs = {"links", "links_per_cable"},
                                                  .equation = "ceil(links / links_per_cable)",
                                                  .source = "docs/method/fabric.md#cables"};

/// Transceivers of the nodes that are there; those of two nodes share none.
inline double node_transceivers(double nodes, double links_per_node, double ports_per_cage) {
  return nodes * std::ceil(links_per_node / ports_per_cage);
}
inline constexpr Formula<node_transceivers> kNodeTransceivers{
    .id = "architecture.node_transceivers",
    .inputs = {"nodes", "links_per_node", "ports_per_cage"},
    .equation = "nodes * ceil(links_per_node / ports_per_cage)",
    .source = "docs/method/fabric.md#transceivers"};

/// Transceivers of the switches: downward ports of the full shell, and both ends of every link between switches.
inline double switch_transceivers(double ports_down, double leaf_spine, double spine_core, double ports_per_cage) {
  return std::ceil((ports_down + 2.0 * leaf_spine + 2.0 * spine_core) / ports_per_cage);
}
inline constexpr Formula<switch_transceivers> kSwitchTransceivers{
    .id = "architecture.switch_transceivers",
    .inputs = {"ports_down", "leaf_spine", "spine_core", "ports_per_cage"},
    .equation = "ceil((ports_down + 2 * leaf_spine + 2 * spine_core) / ports_per_cage)",
    .source = "docs/method/fabric.md#transceivers"};

/// Downward over upward ports of one tier; 1 is non-blocking.
constexpr double tier_oversubscription(double ports_down, double ports_up) { return ports_down / ports_up; }
inline constexpr Formula<tier_oversubscription> kTierOversubscription{.id = "architecture.tier_oversubscription",
                                                                      .inputs = {"ports_down", "ports_up"},
                                                                      .equation = "ports_down / ports_up",
                                                                      .source = "docs/method/fabric.md#bandwidth"};

/// One direction, full shell, all planes. Uplinks beyond the endpoints' own bandwidth add nothing.
inline BytesPerSecond bisection(double ports_down, BytesPerSecond link, double oversubscription) {
  return ports_down * link / (2.0 * std::max(1.0, oversubscription));
}
inline constexpr Formula<bisection> kBisection{.id = "architecture.bisection",
                                               .inputs = {"ports_down", "link", "oversubscription"},
                                               .equation = "ports_down * link / (2 * max(1, oversubscription))",
                                               .source = "docs/method/fabric.md#bandwidth"};

/// What a node can send, one direction.
constexpr BytesPerSecond injection(double links_per_node, BytesPerSecond link) { return links_per_node * link; }
inline constexpr Formula<injection> kInjection{.id = "architecture.injection",
                                               .inputs = {"links_per_node", "link"},
                                               .equation = "links_per_node * link",
                                               .source = "docs/method/fabric.md#bandwidth"};

/// Ports of leaves that are no uplinks, all planes.
constexpr double leaf_ports_for_nodes(double leaves, double switch_ports, double uplinks, double planes) {
  return leaves * (switch_ports - uplinks) * planes;
}
inline constexpr Formula<leaf_ports_for_nodes> kLeafPortsForNodes{
    .id = "architecture.leaf_ports_for_nodes",
    .inputs = {"leaves", "switch_ports", "uplinks", "planes"},
    .equation = "leaves * (switch_ports - uplinks) * planes",
    .source = "docs/method/fabric.md#manager"};

/// Nodes that the shell takes beside the fabric manager.
inline double most_nodes_of_shell(double nodes_of_shell, double leaf_ports, double manager_links,
                                  double links_per_node) {
  return std::min(nodes_of_shell, std::floor((leaf_ports - manager_links) / links_per_node));
}
inline constexpr Formula<most_nodes_of_shell> kMostNodesOfShell{
    .id = "architecture.most_nodes_of_shell",
    .inputs = {"nodes_of_shell", "leaf_ports", "manager_links", "links_per_node"},
    .equation = "min(nodes_of_shell, floor((leaf_ports - manager_links) / links_per_node))",
    .source = "docs/method/fabric.md#manager"};

constexpr double one_more(double count) { return count + 1.0; }
inline constexpr Formula<one_more> kOneMore{.id = "architecture.one_more",
                                            .inputs = {"count"},
                                            .equation = "count + 1",
                                            .source = "docs/method/fabric.md#next-step"};

}  // namespace podwright
