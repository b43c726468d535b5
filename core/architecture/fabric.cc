#include "architecture/fabric.h"

#include "architecture/counted.h"

namespace podwright {
namespace {

/// Nothing where the value would be less than one.
std::vector<Patch> patches(std::string_view at, double value) {
  if (value < 1) return {};
  return {{at, value}};
}

double leaves_per_unit(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric) {
  return need.rails * fabric.leaves_of_rail;
}

/// Leaves and spines by the rules, whatever the request says of them.
Patch leaf_by_rule() { return Patch().clear("/leaf_ports_down").clear("/uplinks"); }
Patch tree_by_rule() { return Patch("/topology", "fat-tree").and_also(leaf_by_rule()); }

using Refusals = std::vector<Infeasible>;

/// More nodes than the units that are asked for have places.
void refuse_units(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, Refusals& refusals) {
  if (need.nodes <= fabric.nodes_of_shell) return;
  refusals.push_back(
      {"scalable-units",
       say("scalable-units", "units"_v = fabric.scalable_units, "places"_v = fabric.nodes_of_shell,
           "nodes"_v = need.nodes),
       need.nodes - fabric.nodes_of_shell,
       "nodes",
       {{"/scalable_units", fabric_units(need.nodes, need.nodes_per_unit)}, {"/nodes", fabric.nodes_of_shell}}});
}

bool refuse_leaf(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, Refusals& refusals) {
  const double used = fabric.leaf_ports_down + fabric.uplinks;
  if (fabric.uplinks >= 1 && used <= need.switch_ports) return false;
  const double largest = most_leaf_ports_down(need.switch_ports, need.oversubscription);
  Infeasible refusal{"leaf-ports", say("leaf-ports", "endpoints"_v = fabric.leaf_ports_down), 1, "ports",
                     patches("/leaf_ports_down", largest)};
  if (fabric.uplinks >= 1) {
    refusal.message = say("leaf-ports/both", "down"_v = fabric.leaf_ports_down, "up"_v = fabric.uplinks,
                          "switch_ports"_v = need.switch_ports);
    refusal.shortfall = used - need.switch_ports;
    if (fabric.leaf_ports_down < need.switch_ports)
      refusal.ways_out = patches("/uplinks", need.switch_ports - fabric.leaf_ports_down);
  }
  refusal.ways_out.push_back(leaf_by_rule());
  refusals.push_back(refusal);
  return true;
}

void refuse_pair(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, Refusals& refusals) {
  const double most_units = std::floor(fabric.max_nodes_two_tiers / need.nodes_per_unit);
  if (fabric.nodes_of_shell <= fabric.max_nodes_two_tiers) return;
  refusals.push_back({"pair-ports",
                      say("pair-ports", "switch_ports"_v = need.switch_ports,
                          "most_nodes"_v = fabric.max_nodes_two_tiers, "nodes"_v = fabric.nodes_of_shell),
                      fabric.nodes_of_shell - fabric.max_nodes_two_tiers, "nodes",
                      patches("/nodes", most_units * need.nodes_per_unit)});
  refusals.back().ways_out.push_back(tree_by_rule());
}

/// A core takes a link from each pod.
void refuse_pods(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, Refusals& refusals) {
  const double leaves = need.switch_ports * half_of_ports(need.switch_ports);
  if (fabric.leaf.per_plane <= leaves) return;
  refusals.push_back(
      {"tiers",
       say("tiers", "switch_ports"_v = need.switch_ports, "most_leaves"_v = leaves, "leaves"_v = fabric.leaf.per_plane),
       fabric.leaf.per_plane - leaves, "leaves",
       patches("/nodes", std::floor(leaves / leaves_per_unit(need, fabric)) * need.nodes_per_unit)});
}

/// A spine takes a link from each leaf of its group, a core one from each group.
void refuse_groups(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, Refusals& refusals) {
  const double half = half_of_ports(need.switch_ports);
  const double leaves = leaves_of_group(fabric.scalable_units, need.units_per_group, fabric.leaves_of_rail);
  if (leaves > half)
    refusals.push_back(
        {"rail-group",
         say("rail-group", "switch_ports"_v = need.switch_ports, "most_leaves"_v = half, "leaves"_v = leaves),
         leaves - half, "leaves", patches("/units_per_group", std::floor(half / fabric.leaves_of_rail))});
  const double groups = rail_group_count(need.rails, fabric.scalable_units, need.units_per_group);
  if (groups > need.switch_ports && fabric.core.per_plane > 0)
    refusals.push_back(
        {"core-group", say("core-group", "switch_ports"_v = need.switch_ports, "groups"_v = groups),
         groups - need.switch_ports, "rail groups",
         patches("/nodes", std::floor(need.switch_ports / need.rails) * need.units_per_group * need.nodes_per_unit)});
  for (Infeasible& refusal : refusals)
    if (refusal.code == "rail-group" || refusal.code == "core-group") refusal.ways_out.push_back(tree_by_rule());
}

void refuse_manager(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, Refusals& refusals) {
  const double free = fabric.leaf_ports - fabric.node_leaf_links;
  if (need.manager_links <= free) return;
  Infeasible refusal{"manager-ports",
                     say("manager-ports", "ports"_v = need.manager_links, "free_ports"_v = std::max(0.0, free)),
                     need.manager_links - free, "ports", patches("/nodes", fabric.max_nodes)};
  if (need.topology != FabricTopology::switch_pair)
    refusal.ways_out.emplace_back("/scalable_units", fabric.scalable_units + 1);
  refusals.push_back(refusal);
}

}  // namespace

std::vector<Infeasible> fabric_refusals(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric) {
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
    notes.push_back("The shell is built whole: every leaf, spine and uplink is in place, " +
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
