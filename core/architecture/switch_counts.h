#pragma once
/// Counts and bandwidths of a switched network between nodes. docs/method/fabric.md derives them and says where they
/// were checked. All counts are of one plane unless the name says otherwise; a link joins two ports.
#include <cmath>

#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

// Whole parts of a number: how many switches can share the links of one switch evenly.

/// Smallest divisor of `number` that is not below `least`; `number` itself where there is none.
inline double divisor_from(double least, double number) {
  double best = number;
  for (double i = 1; i * i <= number; i += 1) {
    const double other = number / i;
    if (other != std::floor(other)) continue;
    if (i >= least && i < best) best = i;
    if (other >= least && other < best) best = other;
  }
  return best;
}
inline Traced<double> divisor_from(const Traced<double>& least, const Traced<double>& number) {
  return detail::recorded("divisor_from", least, number, divisor_from(least.value, number.value));
}

/// Endpoints of a non-blocking tree of leaves and spines.
constexpr auto two_tier_limit(Of<double> auto switch_ports) {
  return cited("docs/method/fabric.md#limits", switch_ports * switch_ports / 2.0);
}

/// Most endpoints on one leaf at this oversubscription (1: non-blocking).
auto most_leaf_ports_down(Of<double> auto switch_ports, Of<double> auto oversubscription) {
  return cited("docs/method/fabric.md#leaves", floor(switch_ports * oversubscription / (oversubscription + 1.0)));
}

/// Leaves of one rail of one scalable unit.
auto leaves_per_rail(Of<double> auto nodes_per_unit, Of<double> auto leaf_ports_down) {
  return cited("docs/method/fabric.md#leaves", ceil(nodes_per_unit / leaf_ports_down));
}

/// Endpoints on one leaf when the leaves of a rail share its nodes evenly.
auto even_leaf_ports_down(Of<double> auto nodes_per_unit, Of<double> auto leaves_of_rail) {
  return cited("docs/method/fabric.md#leaves", ceil(nodes_per_unit / leaves_of_rail));
}

/// Uplinks of a leaf whose downward side is full.
constexpr auto uplinks_of_full_leaf(Of<double> auto switch_ports, Of<double> auto leaf_ports_down) {
  return cited("docs/method/fabric.md#leaves", switch_ports - leaf_ports_down);
}

/// Uplinks of a leaf with fewer endpoints than it could take; the ports that remain stay dark.
auto uplinks_of_part_leaf(Of<double> auto leaf_ports_down, Of<double> auto oversubscription) {
  return cited("docs/method/fabric.md#leaves", ceil(leaf_ports_down / oversubscription));
}

/// Scalable units that hold the nodes; each is built whole.
auto fabric_units(Of<double> auto nodes, Of<double> auto nodes_per_unit) {
  return cited("docs/method/fabric.md#shell", ceil(nodes / nodes_per_unit));
}

constexpr auto nodes_of_shell(Of<double> auto scalable_units, Of<double> auto nodes_per_unit) {
  return cited("docs/method/fabric.md#shell", scalable_units * nodes_per_unit);
}

constexpr auto leaves_of_unit(Of<double> auto rails, Of<double> auto leaves_of_rail) {
  return cited("docs/method/fabric.md#leaves", rails * leaves_of_rail);
}

/// Number of leaf switches of one plane; `leaves_per_unit` counts those of all rails of a scalable unit.
constexpr auto leaf_switches(Of<double> auto scalable_units, Of<double> auto leaves_per_unit) {
  return cited("docs/method/fabric.md#leaves", scalable_units * leaves_per_unit);
}

/// Nodes of whole units whose leaves one layer of spines can join: a spine takes a link from each leaf.
auto most_nodes_two_tiers(Of<double> auto switch_ports, Of<double> auto leaves_per_unit,
                          Of<double> auto nodes_per_unit) {
  return cited("docs/method/fabric.md#limits", floor(switch_ports / leaves_per_unit) * nodes_per_unit);
}

/// Spines whose downward ports take every uplink of the leaves.
auto least_spines(Of<double> auto leaves, Of<double> auto uplinks, Of<double> auto spine_ports_down) {
  return cited("docs/method/fabric.md#spines", ceil(leaves * uplinks / spine_ports_down));
}

/// Spines over which each leaf spreads its uplinks evenly.
auto even_spines(Of<double> auto least, Of<double> auto uplinks) {
  return cited("docs/method/fabric.md#spines", divisor_from(least, uplinks));
}

/// Half the ports of a spine face the leaves, the other half the cores.
auto half_of_ports(Of<double> auto switch_ports) {
  return cited("docs/method/fabric.md#three-tiers", floor(switch_ports / 2.0));
}

/// Pods of three tiers that are full: as many leaves as a spine has downward ports.
auto full_pods(Of<double> auto leaves, Of<double> auto leaves_per_pod) {
  return cited("docs/method/fabric.md#three-tiers", floor(leaves / leaves_per_pod));
}

/// Leaves that are in the last pod, which is not full.
constexpr auto leaves_beside_full_pods(Of<double> auto leaves, Of<double> auto full_pods,
                                       Of<double> auto leaves_per_pod) {
  return cited("docs/method/fabric.md#three-tiers", leaves - full_pods * leaves_per_pod);
}

/// In a full pod a spine has one link to each leaf, so there are as many spines as uplinks of a leaf.
constexpr auto spines_of_pods(Of<double> auto full_pods, Of<double> auto uplinks, Of<double> auto spines_of_part_pod) {
  return cited("docs/method/fabric.md#three-tiers", full_pods * uplinks + spines_of_part_pod);
}

/// Upward links of a spine with this many down: each spine keeps at least one.
auto tapered_links(Of<double> auto links_down, Of<double> auto oversubscription) {
  return cited("docs/method/fabric.md#taper", ceil(links_down / oversubscription));
}

/// Of leaves and spines together; a side with more links up than down adds nothing.
auto whole_oversubscription(Of<double> auto of_leaves, Of<double> auto of_spines) {
  return cited("docs/method/fabric.md#taper", max(1.0, of_leaves) * max(1.0, of_spines));
}

/// Cores whose ports take every upward link of the spines.
auto core_count(Of<double> auto spine_core_links, Of<double> auto switch_ports) {
  return cited("docs/method/fabric.md#three-tiers", ceil(spine_core_links / switch_ports));
}

/// Rail groups: the leaves of one rail of some units with spines of their own.
auto rail_group_count(Of<double> auto rails, Of<double> auto scalable_units, Of<double> auto units_per_group) {
  return cited("docs/method/fabric.md#rail-groups", rails * ceil(scalable_units / units_per_group));
}

/// Leaves of the largest rail group.
auto leaves_of_group(Of<double> auto scalable_units, Of<double> auto units_per_group, Of<double> auto leaves_of_rail) {
  return cited("docs/method/fabric.md#rail-groups", min(scalable_units, units_per_group) * leaves_of_rail);
}

/// Nodes on two switches, half of whose ports face the nodes and half the other switch.
auto most_nodes_of_pair(Of<double> auto switch_ports, Of<double> auto rails) {
  return cited("docs/method/fabric.md#switch-pair", floor(2.0 * floor(switch_ports / 2.0) / rails));
}

/// Links between the two switches of a pair: as many as one of them has to nodes.
auto inter_switch_links(Of<double> auto shell_endpoints) {
  return cited("docs/method/fabric.md#switch-pair", ceil(shell_endpoints / 2.0));
}

/// Switches, links or ports of all planes.
constexpr auto over_planes(Of<double> auto per_plane, Of<double> auto planes) {
  return cited("docs/method/fabric.md#planes", per_plane * planes);
}

/// Links of all planes from the nodes that are there.
constexpr auto node_leaf_links(Of<double> auto nodes, Of<double> auto rails, Of<double> auto planes) {
  return cited("docs/method/fabric.md#links", nodes * rails * planes);
}

/// Links of all planes: every uplink of the shell, with or without nodes below.
constexpr auto leaf_spine_links(Of<double> auto leaves, Of<double> auto uplinks, Of<double> auto planes) {
  return cited("docs/method/fabric.md#links", leaves * uplinks * planes);
}

auto cable_count(Of<double> auto links, Of<double> auto links_per_cable) {
  return cited("docs/method/fabric.md#cables", ceil(links / links_per_cable));
}

/// Transceivers of the nodes that are there; those of two nodes share none.
auto node_transceivers(Of<double> auto nodes, Of<double> auto links_per_node, Of<double> auto ports_per_cage) {
  return cited("docs/method/fabric.md#transceivers", nodes * ceil(links_per_node / ports_per_cage));
}

/// Transceivers of the switches: downward ports of the full shell, and both ends of every link between switches.
auto switch_transceivers(Of<double> auto ports_down, Of<double> auto leaf_spine, Of<double> auto spine_core,
                         Of<double> auto ports_per_cage) {
  return cited("docs/method/fabric.md#transceivers",
               ceil((ports_down + 2.0 * leaf_spine + 2.0 * spine_core) / ports_per_cage));
}

/// Downward over upward ports of one tier; 1 is non-blocking.
constexpr auto tier_oversubscription(Of<double> auto ports_down, Of<double> auto ports_up) {
  return cited("docs/method/fabric.md#bandwidth", ports_down / ports_up);
}

/// One direction, full shell, all planes. Uplinks beyond the endpoints' own bandwidth add nothing.
auto bisection(Of<double> auto ports_down, Of<BytesPerSecond> auto link, Of<double> auto oversubscription) {
  return cited("docs/method/fabric.md#bandwidth", ports_down * link / (2.0 * max(1.0, oversubscription)));
}

/// What a node can send, one direction.
constexpr auto injection(Of<double> auto links_per_node, Of<BytesPerSecond> auto link) {
  return cited("docs/method/fabric.md#bandwidth", links_per_node * link);
}

/// Ports of leaves that are not uplinks, all planes.
constexpr auto leaf_ports_for_nodes(Of<double> auto leaves, Of<double> auto switch_ports, Of<double> auto uplinks,
                                    Of<double> auto planes) {
  return cited("docs/method/fabric.md#manager", leaves * (switch_ports - uplinks) * planes);
}

/// Nodes that the shell takes besides the fabric manager.
auto most_nodes_of_shell(Of<double> auto nodes_of_shell, Of<double> auto leaf_ports, Of<double> auto manager_links,
                         Of<double> auto links_per_node) {
  return cited("docs/method/fabric.md#manager",
               min(nodes_of_shell, floor((leaf_ports - manager_links) / links_per_node)));
}

constexpr auto one_more(Of<double> auto count) { return cited("docs/method/fabric.md#next-step", count + 1.0); }

}  // namespace podwright
