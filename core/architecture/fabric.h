#pragma once
/// Switches, links and bandwidths of one network between nodes, for a part of a shell that is built whole. One code for
/// search and explanation: a template over the tracer. docs/method/fabric.md.
///
///   const Fabric<NoTrace> fabric = build_fabric(trace, need);
///   fabric_refusals(need, fabric)   // empty: the fabric can be built
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/switch_counts.h"
#include "base/arithmetic.h"
#include "base/infeasible.h"
#include "base/trace.h"

namespace podwright {

enum class FabricTopology {
  fat_tree,     ///< leaves of one rail each; one layer of spines joins all, or pods with cores above
  rail_groups,  ///< each rail of some units has its own spines; cores above join the groups
  switch_pair   ///< two switches, half of whose ports face the nodes and half each other
};
inline constexpr std::array<std::string_view, 3> kFabricTopologyWords{"fat-tree", "rail-groups", "switch-pair"};

/// What a fabric is built from. Counts are whole and at least 1, except manager_links, which may be 0.
template <class Tracer>
struct FabricNeed {
  using Count = Known<Tracer, double>;
  FabricTopology topology = FabricTopology::fat_tree;
  Count nodes{};                               ///< that are there
  Count rails{};                               ///< links of one node to one plane, each to another leaf
  Count switch_ports{};                        ///< at the speed of the links
  Count nodes_per_unit{};                      ///< of a scalable unit
  Count planes{};                              ///< independent copies
  Count oversubscription{};                    ///< downward over upward ports of a leaf, at least 1
  Count manager_links{};                       ///< leaf ports of the fabric manager
  Count units_per_group{};                     ///< scalable units whose leaves share a rail group
  Count links_per_cable{};                     ///< 2 where a cable is a twin
  std::optional<Count> scalable_units;         ///< built whole; absent: as many as hold the nodes
  std::optional<Count> leaf_ports_down;        ///< endpoints on one leaf; absent: the nodes of a rail shared evenly
  std::optional<Count> uplinks;                ///< of one leaf; absent: by the oversubscription
  std::optional<Count> core_oversubscription;  ///< links of a spine down over those up to the cores; absent: 1
  std::optional<Count> ports_per_cage;         ///< that one transceiver serves; absent: transceivers are not counted
  std::optional<Known<Tracer, BytesPerSecond>> link;  ///< one direction; absent: no bandwidths
  bool manager_gives_way = false;  ///< the manager leaves the fabric when its links are needed by the last node
};

template <class Tracer>
struct FabricTier {
  Known<Tracer, double> per_plane{};
  Known<Tracer, double> total{};
};

template <class Tracer>
struct Fabric {
  using Count = Known<Tracer, double>;
  using Rate = Known<Tracer, BytesPerSecond>;
  Count tiers{};
  Count scalable_units{};
  Count nodes_of_shell{};
  Count endpoints{};        ///< ports of nodes of the full shell, one plane
  Count leaf_ports_down{};  ///< endpoints on one leaf
  Count uplinks{};          ///< of one leaf; to the other switch in a pair
  Count leaves_of_rail{};   ///< of one unit
  Count spines_of_group{};  ///< of one rail group, one full pod, or the only layer
  FabricTier<Tracer> leaf;
  FabricTier<Tracer> spine;
  FabricTier<Tracer> core;
  Count node_leaf_links{};  ///< all planes, as all links below
  Count leaf_spine_links{};
  Count spine_core_links{};
  Count inter_switch_links{};  ///< of a switch pair
  Count node_leaf_cables{};
  Count leaf_spine_cables{};
  Count spine_core_cables{};
  Count inter_switch_cables{};
  Count shell_ports{};                          ///< ports of nodes of the full shell, all planes
  Count leaf_ports{};                           ///< ports of leaves that are no uplinks, all planes
  Count oversubscription{};                     ///< of the leaves
  std::optional<Count> spine_oversubscription;  ///< where there are cores
  Count max_nodes{};                            ///< that this shell takes beside the fabric manager
  Count max_nodes_two_tiers{};
  std::optional<Count> node_transceivers;
  std::optional<Count> switch_transceivers;
  std::optional<Rate> bisection;
  std::optional<Rate> injection_per_node;

  // Plain numbers of the way there, for notes and for the schedule of links.
  double least_spines = 0;        ///< before they were made to divide the uplinks; of the last layer, pod or group
  double spines_of_part_pod = 0;  ///< of the pod that is not full, 0 where there is none
};

template <class Tracer>
class FabricBuilder {
 public:
  using Count = Known<Tracer, double>;

  FabricBuilder(Tracer& trace, const FabricNeed<Tracer>& need) : trace_(trace), need_(need) {}

  Fabric<Tracer> build() {
    shell();
    if (need_.topology == FabricTopology::switch_pair)
      pair();
    else if (fits_one_switch())
      one_switch();
    else
      tree();
    totals();
    bandwidths();
    return fabric_;
  }

 private:
  static constexpr std::string_view kPage = "docs/method/fabric.md#tiers";

  Count tiers(double count) { return trace_.method("architecture.tiers", count, kPage); }

  void shell() {
    fabric_.scalable_units = need_.scalable_units
                                 ? *need_.scalable_units
                                 : named("architecture.units", fabric_units(need_.nodes, need_.nodes_per_unit));
    fabric_.nodes_of_shell =
        named("architecture.shell_nodes", podwright::nodes_of_shell(fabric_.scalable_units, need_.nodes_per_unit));
    fabric_.endpoints =
        named("architecture.endpoints", cited("docs/method/fabric.md#shell", fabric_.nodes_of_shell * need_.rails));
    fabric_.leaf.per_plane = fabric_.spine.per_plane = fabric_.core.per_plane = 0.0;
    fabric_.spines_of_group = fabric_.inter_switch_links = fabric_.spine_core_links = 0.0;
    fabric_.leaves_of_rail = 1.0;
  }

  bool fits_one_switch() const {
    if (need_.topology != FabricTopology::fat_tree || need_.leaf_ports_down || need_.uplinks) return false;
    const double ports = value_of(need_.switch_ports);
    const double used = value_of(need_.nodes) * value_of(need_.rails) +
                        std::ceil(value_of(need_.manager_links) / value_of(need_.planes));
    return value_of(fabric_.endpoints) <= ports && used <= ports;
  }

  void one_switch() {
    fabric_.tiers = tiers(1);
    fabric_.leaf.per_plane = 1.0;
    fabric_.leaf_ports_down = fabric_.endpoints;
    fabric_.uplinks = 0.0;
    fabric_.oversubscription = 1.0;
    two_tier_limit_of(leaf_layer_of_rails());
  }

  void pair() {
    fabric_.tiers = tiers(1);
    fabric_.leaf.per_plane = 2.0;
    const auto links = named("architecture.pair_links", podwright::inter_switch_links(fabric_.endpoints));
    fabric_.leaf_ports_down = fabric_.uplinks = links;
    fabric_.inter_switch_links = named("architecture.inter_switch_links", over_planes(links, need_.planes));
    fabric_.oversubscription = 1.0;
    fabric_.max_nodes_two_tiers = named("architecture.pair_nodes", most_nodes_of_pair(need_.switch_ports, need_.rails));
  }

  /// Sets endpoints and uplinks of a leaf; the leaves of one unit.
  Count leaf_layer_of_rails() {
    Count down = need_.leaf_ports_down ? *need_.leaf_ports_down
                                       : named("architecture.full_leaf",
                                               most_leaf_ports_down(need_.switch_ports, need_.oversubscription));
    leaves_of_rail_ = named("architecture.leaves_of_rail", leaves_per_rail(need_.nodes_per_unit, down));
    if (!need_.leaf_ports_down)
      down = named("architecture.leaf_ports_down", even_leaf_ports_down(need_.nodes_per_unit, leaves_of_rail_));
    down_ = down;
    return named("architecture.leaves_of_unit", podwright::leaves_of_unit(need_.rails, leaves_of_rail_));
  }

  void two_tier_limit_of(const Count& leaves_of_unit) {
    fabric_.max_nodes_two_tiers = named("architecture.max_nodes_two_tiers",
                                        most_nodes_two_tiers(need_.switch_ports, leaves_of_unit, need_.nodes_per_unit));
  }

  Count uplinks_of_leaf() {
    if (need_.uplinks) return *need_.uplinks;
    const double full = most_leaf_ports_down(value_of(need_.switch_ports), value_of(need_.oversubscription));
    if (value_of(down_) >= full) return named("architecture.uplinks", uplinks_of_full_leaf(need_.switch_ports, down_));
    return named("architecture.uplinks", uplinks_of_part_leaf(down_, need_.oversubscription));
  }

  void tree() {
    const auto leaves_of_unit = leaf_layer_of_rails();
    // Rail groups stay in two tiers within one unit only.
    if (need_.topology == FabricTopology::rail_groups)
      fabric_.max_nodes_two_tiers =
          named("architecture.max_nodes_two_tiers", podwright::nodes_of_shell(1.0, need_.nodes_per_unit));
    else
      two_tier_limit_of(leaves_of_unit);
    fabric_.leaf_ports_down = down_;
    fabric_.leaves_of_rail = leaves_of_rail_;
    fabric_.uplinks = uplinks_of_leaf();
    fabric_.leaf.per_plane = named("architecture.leaves", leaf_switches(fabric_.scalable_units, leaves_of_unit));
    fabric_.oversubscription =
        named("architecture.leaf_oversubscription", tier_oversubscription(fabric_.leaf_ports_down, fabric_.uplinks));
    if (need_.topology == FabricTopology::rail_groups)
      rail_groups();
    else if (value_of(fabric_.leaf.per_plane) <= value_of(need_.switch_ports))
      one_layer_of_spines();
    else
      pods();
  }

  Count spines_for(const Count& leaves, const Count& ports_down) {
    const auto least = named("architecture.least_spines", podwright::least_spines(leaves, fabric_.uplinks, ports_down));
    fabric_.least_spines = value_of(least);
    return named("architecture.even_spines", even_spines(least, fabric_.uplinks));
  }

  void one_layer_of_spines() {
    fabric_.tiers = tiers(2);
    fabric_.spine.per_plane = spines_for(fabric_.leaf.per_plane, need_.switch_ports);
    fabric_.spines_of_group = fabric_.spine.per_plane;
  }

  void pods() {
    fabric_.tiers = tiers(3);
    const auto half = named("architecture.leaves_per_pod", half_of_ports(need_.switch_ports));
    const auto full = named("architecture.full_pods", full_pods(fabric_.leaf.per_plane, half));
    const auto rest =
        named("architecture.leaves_of_part_pod", leaves_beside_full_pods(fabric_.leaf.per_plane, full, half));
    const auto part = value_of(rest) > 0 ? spines_for(rest, half) : 0.0;
    fabric_.spines_of_part_pod = value_of(part);
    fabric_.spines_of_group = fabric_.uplinks;
    fabric_.spine.per_plane = named("architecture.spines", spines_of_pods(full, fabric_.uplinks, part));
    if (!need_.core_oversubscription) return cores(untapered());
    Count links = full * tapered(half, fabric_.uplinks);
    if (value_of(rest) > 0) links = links + tapered(rest, part);
    cores(named("architecture.tapered_links", links));
  }

  /// Cores join the groups of several units; the groups of a single one stay apart.
  void rail_groups() {
    const auto half = named("architecture.spine_ports_down", half_of_ports(need_.switch_ports));
    const auto leaves = named("architecture.leaves_of_group",
                              leaves_of_group(fabric_.scalable_units, need_.units_per_group, leaves_of_rail_));
    fabric_.spines_of_group = spines_for(leaves, half);
    const auto groups =
        named("architecture.rail_groups", rail_group_count(need_.rails, fabric_.scalable_units, need_.units_per_group));
    fabric_.spine.per_plane =
        named("architecture.spines", cited("docs/method/fabric.md#rail-groups", groups * fabric_.spines_of_group));
    const bool joined = value_of(fabric_.scalable_units) > 1;
    fabric_.tiers = tiers(joined ? 3 : 2);
    if (!joined) return;
    if (!need_.core_oversubscription) return cores(untapered());
    const auto of_rail = fabric_.scalable_units * leaves_of_rail_;
    const auto full = named("architecture.full_groups", full_pods(of_rail, leaves));
    const auto rest = named("architecture.leaves_of_part_group", leaves_beside_full_pods(of_rail, full, leaves));
    Count links = full * tapered(leaves, fabric_.spines_of_group);
    if (value_of(rest) > 0) links = links + tapered(rest, fabric_.spines_of_group);
    cores(named("architecture.tapered_links", need_.rails * links));
  }

  /// Spines pass on as many links as they take.
  Count untapered() {
    return named("architecture.spine_core_links_of_plane",
                 podwright::leaf_spine_links(fabric_.leaf.per_plane, fabric_.uplinks, 1.0));
  }
  /// Of the spines above some leaves.
  Count tapered(const Count& leaves, const Count& spines) {
    return spines * tapered_links(leaves * fabric_.uplinks / spines, *need_.core_oversubscription);
  }

  void cores(const Count& links) {
    fabric_.spine_core_links = named("architecture.spine_core_links", over_planes(links, need_.planes));
    fabric_.core.per_plane = named("architecture.cores", core_count(links, need_.switch_ports));
  }

  FabricTier<Tracer> over_all_planes(std::string_view id, const Count& per_plane) {
    return {per_plane, named(id, over_planes(per_plane, need_.planes))};
  }
  Count cables(std::string_view id, const Count& links) { return named(id, cable_count(links, need_.links_per_cable)); }

  void totals() {
    fabric_.leaf = over_all_planes("architecture.all_leaves", fabric_.leaf.per_plane);
    fabric_.spine = over_all_planes("architecture.all_spines", fabric_.spine.per_plane);
    fabric_.core = over_all_planes("architecture.all_cores", fabric_.core.per_plane);
    fabric_.node_leaf_links =
        named("architecture.node_leaf_links", podwright::node_leaf_links(need_.nodes, need_.rails, need_.planes));
    fabric_.leaf_spine_links =
        value_of(fabric_.spine.per_plane) > 0
            ? named("architecture.leaf_spine_links",
                    podwright::leaf_spine_links(fabric_.leaf.per_plane, fabric_.uplinks, need_.planes))
            : 0.0;
    if (value_of(fabric_.spine_core_links) > 0)
      fabric_.spine_oversubscription = named("architecture.spine_oversubscription",
                                             tier_oversubscription(fabric_.leaf_spine_links, fabric_.spine_core_links));
    fabric_.node_leaf_cables = cables("architecture.node_leaf_cables", fabric_.node_leaf_links);
    fabric_.leaf_spine_cables = cables("architecture.leaf_spine_cables", fabric_.leaf_spine_links);
    fabric_.spine_core_cables = cables("architecture.spine_core_cables", fabric_.spine_core_links);
    fabric_.inter_switch_cables = cables("architecture.inter_switch_cables", fabric_.inter_switch_links);
    fabric_.shell_ports = named("architecture.shell_ports", over_planes(fabric_.endpoints, need_.planes));
    fabric_.leaf_ports =
        named("architecture.leaf_ports",
              leaf_ports_for_nodes(fabric_.leaf.per_plane, need_.switch_ports, fabric_.uplinks, need_.planes));
    const auto links_of_node = named("architecture.links_per_node", over_planes(need_.rails, need_.planes));
    const Count kept = need_.manager_gives_way ? 0.0 : need_.manager_links;
    fabric_.max_nodes = named("architecture.max_nodes",
                              most_nodes_of_shell(fabric_.nodes_of_shell, fabric_.leaf_ports, kept, links_of_node));
    if (need_.ports_per_cage) {
      fabric_.node_transceivers =
          named("architecture.node_transceivers",
                podwright::node_transceivers(need_.nodes, links_of_node, *need_.ports_per_cage));
      fabric_.switch_transceivers =
          named("architecture.switch_transceivers",
                podwright::switch_transceivers(fabric_.shell_ports, fabric_.leaf_spine_links, fabric_.spine_core_links,
                                               *need_.ports_per_cage));
    }
    if (need_.link)
      fabric_.injection_per_node = named("architecture.injection_per_node", injection(links_of_node, *need_.link));
  }

  void bandwidths() {
    if (!need_.link) return;
    Count ratio = fabric_.oversubscription;
    if (need_.core_oversubscription && fabric_.spine_oversubscription)
      ratio = named("architecture.whole_oversubscription",
                    whole_oversubscription(fabric_.oversubscription, *fabric_.spine_oversubscription));
    fabric_.bisection = named("architecture.bisection", podwright::bisection(fabric_.shell_ports, *need_.link, ratio));
  }

  Tracer& trace_;
  const FabricNeed<Tracer>& need_;
  Fabric<Tracer> fabric_;
  Count down_{};
  Count leaves_of_rail_{};
};

/// Total for every legal need; whether it can be wired is what fabric_refusals() says.
template <class Tracer>
Fabric<Tracer> build_fabric(Tracer& trace, const FabricNeed<Tracer>& need) {
  return FabricBuilder<Tracer>(trace, need).build();
}

/// The same fabric with the first node that asks for one more scalable unit.
template <class Tracer>
FabricNeed<Tracer> next_size(const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric) {
  FabricNeed<Tracer> next = need;
  next.nodes = named("architecture.next_nodes", one_more(fabric.max_nodes));
  next.scalable_units = named("architecture.next_units", one_more(fabric.scalable_units));
  return next;
}

/// The values alone.
template <class Tracer>
FabricNeed<NoTrace> plain_need(const FabricNeed<Tracer>& need) {
  const auto plain = [](const auto& count) -> std::optional<double> {
    if (!count) return std::nullopt;
    return value_of(*count);
  };
  FabricNeed<NoTrace> values;
  values.topology = need.topology;
  values.nodes = value_of(need.nodes);
  values.rails = value_of(need.rails);
  values.switch_ports = value_of(need.switch_ports);
  values.nodes_per_unit = value_of(need.nodes_per_unit);
  values.planes = value_of(need.planes);
  values.oversubscription = value_of(need.oversubscription);
  values.manager_links = value_of(need.manager_links);
  values.units_per_group = value_of(need.units_per_group);
  values.links_per_cable = value_of(need.links_per_cable);
  values.scalable_units = plain(need.scalable_units);
  values.leaf_ports_down = plain(need.leaf_ports_down);
  values.uplinks = plain(need.uplinks);
  values.core_oversubscription = plain(need.core_oversubscription);
  values.ports_per_cage = plain(need.ports_per_cage);
  values.manager_gives_way = need.manager_gives_way;
  if (need.link) values.link = value_of(*need.link);
  return values;
}

/// Why a fabric cannot be built. Codes: scalable-units, leaf-ports, pair-ports, tiers, rail-group, core-group,
/// manager-ports. Empty when every link finds its ports. `fabric` is what build_fabric() made of `need`.
std::vector<Infeasible> fabric_refusals(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric);

/// Places left free, ports left dark, and where the sizes leave the published designs.
std::vector<std::string> fabric_notes(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric);

}  // namespace podwright
