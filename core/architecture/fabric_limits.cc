#include "architecture/fabric_limits.h"

#include "architecture/counted.h"

namespace podwright {
namespace {

std::vector<std::string> patches(std::string_view key, double value) {
  if (value < 1) return {};
  return {number_patch(key, value)};
}

double leaves_per_unit(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric) {
  return need.rails * fabric.leaves_of_rail;
}

/// Leaves and spines by the rules, whatever the request says of them.
constexpr std::string_view kTreeByRule = R"({"topology":"fat-tree","leaf_ports_down":null,"uplinks":null})";
constexpr std::string_view kLeafByRule = R"({"leaf_ports_down":null,"uplinks":null})";

using Refusals = std::vector<FabricRefusal>;

/// More nodes than the units that are asked for have places.
void refuse_units(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, Refusals& refusals) {
  if (need.nodes <= fabric.nodes_of_shell) return;
  refusals.push_back({"scalable-units",
                      counted(fabric.scalable_units, "scalable unit has ", "scalable units have ") +
                          counted(fabric.nodes_of_shell, "place for a node, ", "places for nodes, ") +
                          counted(need.nodes, "is wanted.", "are wanted."),
                      need.nodes - fabric.nodes_of_shell,
                      "nodes",
                      {number_patch("scalable_units", fabric_units(need.nodes, need.nodes_per_unit)),
                       number_patch("nodes", fabric.nodes_of_shell)}});
}

bool refuse_leaf(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, Refusals& refusals) {
  const double used = fabric.leaf_ports_down + fabric.uplinks;
  if (fabric.uplinks >= 1 && used <= need.switch_ports) return false;
  const double largest = most_leaf_ports_down(need.switch_ports, need.oversubscription);
  FabricRefusal refusal{
      "leaf-ports",
      "A leaf with " + counted(fabric.leaf_ports_down, "endpoint", "endpoints") + " has no ports left for uplinks.", 1,
      "ports", patches("leaf_ports_down", largest)};
  if (fabric.uplinks >= 1) {
    refusal.message = "A leaf would need " + grouped(fabric.leaf_ports_down) + " ports to nodes and " +
                      grouped(fabric.uplinks) + " to spines, the switch has " + grouped(need.switch_ports) + ".";
    refusal.shortfall = used - need.switch_ports;
    if (fabric.leaf_ports_down < need.switch_ports)
      refusal.ways_out = patches("uplinks", need.switch_ports - fabric.leaf_ports_down);
  }
  refusal.ways_out.emplace_back(kLeafByRule);
  refusals.push_back(refusal);
  return true;
}

void refuse_pair(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, Refusals& refusals) {
  const double most_units = std::floor(fabric.max_nodes_two_tiers / need.nodes_per_unit);
  if (fabric.nodes_of_shell <= fabric.max_nodes_two_tiers) return;
  refusals.push_back({"pair-ports",
                      "Two switches of " + grouped(need.switch_ports) + " ports hold " +
                          counted(fabric.max_nodes_two_tiers, "node", "nodes") + " at most, the shell has " +
                          grouped(fabric.nodes_of_shell) + ".",
                      fabric.nodes_of_shell - fabric.max_nodes_two_tiers, "nodes",
                      patches("nodes", most_units * need.nodes_per_unit)});
  refusals.back().ways_out.emplace_back(kTreeByRule);
}

/// A core takes a link from each pod.
void refuse_pods(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, Refusals& refusals) {
  const double leaves = need.switch_ports * half_of_ports(need.switch_ports);
  if (fabric.leaf.per_plane <= leaves) return;
  refusals.push_back({"tiers",
                      "Three tiers of switches with " + grouped(need.switch_ports) + " ports join " + grouped(leaves) +
                          " leaves at most, " + grouped(fabric.leaf.per_plane) + " would be needed.",
                      fabric.leaf.per_plane - leaves, "leaves",
                      patches("nodes", std::floor(leaves / leaves_per_unit(need, fabric)) * need.nodes_per_unit)});
}

/// A spine takes a link from each leaf of its group, a core one from each group.
void refuse_groups(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, Refusals& refusals) {
  const double half = half_of_ports(need.switch_ports);
  const double leaves = leaves_of_group(fabric.scalable_units, need.units_per_group, fabric.leaves_of_rail);
  if (leaves > half)
    refusals.push_back({"rail-group",
                        "A spine of " + grouped(need.switch_ports) + " ports joins " + grouped(half) +
                            " leaves at most, a rail group would have " + grouped(leaves) + ".",
                        leaves - half, "leaves", patches("units_per_group", std::floor(half / fabric.leaves_of_rail))});
  const double groups = rail_group_count(need.rails, fabric.scalable_units, need.units_per_group);
  if (groups > need.switch_ports && fabric.core.per_plane > 0)
    refusals.push_back(
        {"core-group",
         "A core of " + grouped(need.switch_ports) + " ports joins as many rail groups at most, " + grouped(groups) +
             " would be needed.",
         groups - need.switch_ports, "rail groups",
         patches("nodes", std::floor(need.switch_ports / need.rails) * need.units_per_group * need.nodes_per_unit)});
  for (FabricRefusal& refusal : refusals)
    if (refusal.code == "rail-group" || refusal.code == "core-group") refusal.ways_out.emplace_back(kTreeByRule);
}

void refuse_manager(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, Refusals& refusals) {
  const double free = fabric.leaf_ports - fabric.node_leaf_links;
  if (need.manager_links <= free) return;
  FabricRefusal refusal{"manager-ports",
                        "The fabric manager needs " + counted(need.manager_links, "port", "ports") +
                            " of the leaves, " + grouped(std::max(0.0, free)) + " are free.",
                        need.manager_links - free, "ports", patches("nodes", fabric.max_nodes)};
  if (need.topology != FabricTopology::switch_pair)
    refusal.ways_out.push_back(number_patch("scalable_units", fabric.scalable_units + 1));
  refusals.push_back(refusal);
}

}  // namespace

std::vector<FabricRefusal> fabric_refusals(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric) {
  Refusals refusals;
  refuse_units(need, fabric, refusals);
  if (need.topology == FabricTopology::switch_pair)
    refuse_pair(need, fabric, refusals);
  else if (fabric.tiers > 1 && refuse_leaf(need, fabric, refusals))
    return refusals;
  else if (need.topology == FabricTopology::rail_groups)
    refuse_groups(need, fabric, refusals);
  else
    refuse_pods(need, fabric, refusals);
  if (refusals.empty()) refuse_manager(need, fabric, refusals);
  return refusals;
}

std::vector<std::string> fabric_notes(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric) {
  std::vector<std::string> notes;
  const double places = fabric.nodes_of_shell - need.nodes;
  if (places > 0)
    notes.push_back("The shell is built whole: every leaf, spine and uplink stands, " +
                    counted(places, "place of a node is free.", "places of nodes are free."));
  const double dark = need.switch_ports - fabric.leaf_ports_down - fabric.uplinks;
  if (fabric.tiers > 1 && dark > 0)
    notes.push_back(counted(dark, "port", "ports") + " of each leaf " + (dark == 1 ? "stays" : "stay") + " dark.");
  const bool part_pod = fabric.spines_of_part_pod > 0;
  const double spines = part_pod ? fabric.spines_of_part_pod : fabric.spines_of_group;
  if (fabric.least_spines > 0 && spines > fabric.least_spines)
    notes.push_back("The uplinks fill " + counted(fabric.least_spines, "spine", "spines") + "; " + grouped(spines) +
                    " are built so that each leaf spreads its " + grouped(fabric.uplinks) + " uplinks evenly.");
  if (part_pod)
    notes.push_back(
        "The last pod is not full. No published design has such a size; its spines follow the rule of the others.");
  if (fabric.spine_core_links < fabric.core.total * need.switch_ports)
    notes.emplace_back("The links of the spines do not fill the last core.");
  if (need.topology == FabricTopology::rail_groups && fabric.core.per_plane == 0)
    notes.emplace_back(
        "The rail groups of a single unit are not joined: traffic between rails crosses the links inside a node.");
  return notes;
}

}  // namespace podwright
