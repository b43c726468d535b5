#pragma once
/// Networks beside the compute fabric: storage, in-band and out-of-band management. docs/method/fabric.md#side-fabrics
/// says which published build they were read from; the split of ports into roles is inferred there.
#include <optional>
#include <vector>

#include "architecture/racks.h"
#include "architecture/switch_counts.h"
#include "base/arithmetic.h"
#include "base/trace.h"

namespace podwright {

// Cores above two tiers of a network beside the compute fabric. No document read draws such a tier: it is derived, by
// the rule of the pods of compute fabrics. docs/method/fabric.md#third-tier-of-the-side-fabrics.

/// Parts (scalable units, pairs of leaves) whose links upwards the spines of one block take, with half of the ports of
/// a spine for leaves and half for cores. `most_spines`: more of them could not share the uplinks of a leaf.
auto parts_of_block(Of<double> auto most_spines, Of<double> auto ports_down, Of<double> auto links_of_part) {
  return cited("docs/method/fabric.md#third-tier-of-the-side-fabrics", floor(most_spines * ports_down / links_of_part));
}

/// Blocks that hold all parts; the last one may be filled in part and has all its spines.
auto block_count(Of<double> auto parts, Of<double> auto parts_of_block) {
  return cited("docs/method/fabric.md#third-tier-of-the-side-fabrics", ceil(parts / parts_of_block));
}

template <class Tracer>
struct ThirdTier {
  using Count = Known<Tracer, double>;
  Count parts_of_block{};
  Count blocks{};
  Count spines_of_block{};
  Count spines{};  ///< of all blocks
  Count cores{};
  Count links{};  ///< between spines and cores: as many as below the spines
};

template <class Tracer>
struct ThirdTierNeed {
  using Count = Known<Tracer, double>;
  Count parts{};
  Count links_of_part{};  ///< upwards from its leaves
  Count links{};          ///< of all parts
  Count most_spines{};    ///< uplinks of the leaf with the fewest
  Count switch_ports{};
  Count least_cores{};  ///< that the document draws
};

/// Whether the rule holds: a block takes a part, and every core a link of every full block.
template <class Tracer>
bool third_tier_holds(const ThirdTierNeed<Tracer>& need) {
  const double links_of_part = value_of(need.links_of_part);
  const double parts =
      parts_of_block(value_of(need.most_spines), half_of_ports(value_of(need.switch_ports)), links_of_part);
  const double cores =
      at_least(value_of(need.least_cores), core_count(value_of(need.links), value_of(need.switch_ports)));
  return parts >= 1 && cores <= parts * links_of_part;
}

template <class Tracer>
ThirdTier<Tracer> build_third_tier(const ThirdTierNeed<Tracer>& need) {
  ThirdTier<Tracer> tier;
  const auto half = named("architecture.block_spine_ports_down", half_of_ports(need.switch_ports));
  tier.parts_of_block =
      named("architecture.parts_of_block", podwright::parts_of_block(need.most_spines, half, need.links_of_part));
  tier.blocks = named("architecture.blocks", block_count(need.parts, tier.parts_of_block));
  const auto links_of_block = named("architecture.links_of_block", tier.parts_of_block * need.links_of_part);
  const auto least = named("architecture.least_spines_of_block", core_count(links_of_block, half));
  tier.spines_of_block = named("architecture.spines_of_block", even_spines(least, need.most_spines));
  tier.spines = named("architecture.spines_of_blocks", tier.blocks * tier.spines_of_block);
  tier.links = need.links;
  tier.cores = named("architecture.third_tier_cores",
                     at_least(need.least_cores,
                              named("architecture.third_tier_least_cores", core_count(need.links, need.switch_ports))));
  return tier;
}

/// Uplinks of a storage fabric: one for each storage port, fewer for the ports of nodes.
auto storage_uplinks(Of<double> auto storage_ports, Of<double> auto node_ports_of_shell,
                     Of<double> auto node_oversubscription) {
  return cited("docs/method/fabric.md#storage-fabric",
               ceil(storage_ports + node_ports_of_shell / node_oversubscription));
}

/// Ports of nodes over the uplinks that are theirs.
constexpr auto storage_ratio(Of<double> auto node_ports, Of<double> auto uplinks, Of<double> auto storage_ports) {
  return cited("docs/method/fabric.md#storage-fabric", node_ports / (uplinks - storage_ports));
}

/// Transceivers of the storage switches: nodes that are there, both ends of every uplink, the fabric manager.
auto storage_transceivers(Of<double> auto node_ports, Of<double> auto uplinks, Of<double> auto manager_ports,
                          Of<double> auto ports_per_cage) {
  return cited("docs/method/fabric.md#storage-fabric",
               ceil((node_ports + 2.0 * uplinks + manager_ports) / ports_per_cage));
}

/// Leaves whose downward ports take these ports.
auto leaves_for_ports(Of<double> auto ports, Of<double> auto leaf_ports_down) {
  return cited("docs/method/fabric.md#storage-fabric", ceil(ports / leaf_ports_down));
}

/// Switches of all layers.
constexpr auto switches_of_layers(Of<double> auto first, Of<double> auto second, Of<double> auto third) {
  return first + second + third;
}

/// Pairs of in-band leaves: a host has one port on each leaf of a pair.
auto in_band_pairs(Of<double> auto hosts, Of<double> auto switch_ports, Of<double> auto inter_switch_links,
                   Of<double> auto uplinks) {
  return cited("docs/method/fabric.md#in-band", ceil(hosts / (switch_ports - inter_switch_links - uplinks)));
}

/// Hosts behind these ports: each has one port on both leaves of a pair.
auto in_band_hosts(Of<double> auto ports) { return cited("docs/method/fabric.md#in-band", ceil(ports / 2.0)); }

/// Leaves of the pairs.
constexpr auto in_band_leaves(Of<double> auto pairs) { return cited("docs/method/fabric.md#in-band", 2.0 * pairs); }

/// What a storage fabric of whole units is built from. Ports are of one unit unless they say otherwise.
template <class Tracer>
struct StorageFabricNeed {
  using Count = Known<Tracer, double>;
  Count nodes{};  ///< that are there
  Count scalable_units{};
  Count nodes_per_unit{};
  Count ports_per_node{};  ///< links of a node to this fabric
  Count storage_ports{};   ///< links of the storage, all units
  Count switch_ports{};
  Count leaf_ports_down{};        ///< endpoints on a leaf of nodes
  Count node_oversubscription{};  ///< ports of nodes of the shell over their uplinks
  Count manager_ports{};
  Count ports_per_cage{};
};

template <class Tracer>
struct StorageFabric {
  using Count = Known<Tracer, double>;
  Count node_leaves{};
  Count storage_leaves{};  ///< as many ports up as down
  Count spines{};
  Count switches{};
  Count node_ports{};  ///< of the nodes that are there
  Count uplinks{};     ///< of the leaves
  Count cables{};      ///< from nodes and between switches
  Count switch_transceivers{};
  Count oversubscription{};                ///< of the nodes that are there
  std::optional<ThirdTier<Tracer>> third;  ///< its parts are scalable units; absent with two tiers
};

/// Leaves of nodes and of storage stand apart in each unit; spines take the uplinks of all. `spines` is the least
/// number, raised until it divides the uplinks of a storage leaf. Where a storage leaf has no uplink for more spines,
/// blocks of whole units have spines of their own, and cores join them; where that rule ends too, the spines stay too
/// few (storage_ports_suffice()).
template <class Tracer>
StorageFabric<Tracer> build_storage_fabric(const StorageFabricNeed<Tracer>& need) {
  StorageFabric<Tracer> fabric;
  const auto shell_nodes =
      named("architecture.storage_shell_nodes", nodes_of_shell(need.scalable_units, need.nodes_per_unit));
  const auto shell_ports = named("architecture.storage_shell_ports", shell_nodes * need.ports_per_node);
  const auto unit_ports = named("architecture.storage_unit_ports", need.nodes_per_unit * need.ports_per_node);
  const auto unit_leaves =
      named("architecture.storage_unit_leaves", leaves_for_ports(unit_ports, need.leaf_ports_down));
  fabric.node_leaves = named("architecture.storage_node_leaves", need.scalable_units * unit_leaves);
  // As many storage leaves as units: each takes its unit's share of the storage.
  fabric.storage_leaves = named("architecture.storage_leaves", need.scalable_units * 1.0);
  fabric.node_ports = named("architecture.storage_node_ports", need.nodes * need.ports_per_node);
  fabric.uplinks = named("architecture.storage_uplinks",
                         storage_uplinks(need.storage_ports, shell_ports, need.node_oversubscription));
  const auto uplinks_of_storage_leaf =
      named("architecture.storage_leaf_uplinks", even_leaf_ports_down(need.storage_ports, fabric.storage_leaves));
  const auto least = named("architecture.storage_least_spines", core_count(fabric.uplinks, need.switch_ports));
  fabric.spines = named("architecture.storage_spines", even_spines(least, uplinks_of_storage_leaf));
  auto links = fabric.uplinks;
  if (value_of(least) > value_of(fabric.spines)) {
    const auto unit_uplinks = named("architecture.storage_unit_uplinks",
                                    storage_uplinks(uplinks_of_storage_leaf, unit_ports, need.node_oversubscription));
    const ThirdTierNeed<Tracer> tier{.parts = need.scalable_units,
                                     .links_of_part = unit_uplinks,
                                     .links = fabric.uplinks,
                                     .most_spines = uplinks_of_storage_leaf,
                                     .switch_ports = need.switch_ports,
                                     .least_cores = 1.0};
    if (third_tier_holds(tier)) {
      fabric.third = build_third_tier(tier);
      fabric.spines = fabric.third->spines;
      links = named("architecture.storage_links_of_tiers", fabric.uplinks + fabric.third->links);
    }
  }
  fabric.switches = named("architecture.storage_switches",
                          switches_of_layers(fabric.node_leaves, fabric.storage_leaves, fabric.spines));
  if (fabric.third)
    fabric.switches =
        named("architecture.storage_switches_of_tiers", switches_of_layers(fabric.switches, fabric.third->cores, 0.0));
  fabric.cables =
      named("architecture.storage_cables", cited("docs/method/fabric.md#storage-fabric", fabric.node_ports + links));
  fabric.switch_transceivers =
      named("architecture.storage_transceivers",
            storage_transceivers(fabric.node_ports, links, need.manager_ports, need.ports_per_cage));
  fabric.oversubscription =
      named("architecture.storage_ratio", storage_ratio(fabric.node_ports, fabric.uplinks, need.storage_ports));
  return fabric;
}

/// Whether the spines have ports for all uplinks; false where the rule ends before this size.
template <class Tracer>
bool storage_ports_suffice(const StorageFabricNeed<Tracer>& need, const StorageFabric<Tracer>& fabric) {
  return value_of(fabric.spines) * value_of(need.switch_ports) >= value_of(fabric.uplinks);
}

template <class Tracer>
struct InBandNeed {
  using Count = Known<Tracer, double>;
  Count hosts{};  ///< nodes, management servers and storage heads, each with a port on both leaves of a pair
  Count switch_ports{};
  Count inter_switch_links{};  ///< of a pair
  Count uplinks{};             ///< of one leaf
  Count cores{};
  std::optional<Count> places{};             ///< of hosts and what else ends on pairs; absent: the hosts
  std::optional<ThirdTier<Tracer>> third{};  ///< its parts are pairs, its cores those above; absent with two tiers
};

template <class Tracer>
struct InBandFabric {
  using Count = Known<Tracer, double>;
  Count pairs{};
  Count leaves{};
  Count switches{};
  Count inter_switch_cables{};
  Count uplink_cables{};
};

template <class Tracer>
InBandFabric<Tracer> build_in_band_fabric(const InBandNeed<Tracer>& need) {
  InBandFabric<Tracer> fabric;
  fabric.pairs = named(
      "architecture.in_band_pairs",
      in_band_pairs(need.places ? *need.places : need.hosts, need.switch_ports, need.inter_switch_links, need.uplinks));
  fabric.leaves = named("architecture.in_band_leaves", in_band_leaves(fabric.pairs));
  fabric.switches = named("architecture.in_band_switches",
                          switches_of_layers(fabric.leaves, need.cores, need.third ? need.third->spines : 0.0));
  fabric.inter_switch_cables = named("architecture.in_band_isl", fabric.pairs * need.inter_switch_links);
  fabric.uplink_cables = named("architecture.in_band_uplinks", fabric.leaves * need.uplinks);
  return fabric;
}

template <class Tracer>
struct OutOfBandFabric {
  using Count = Known<Tracer, double>;
  Count ports{};
  Count switches{};
  Count uplink_cables{};
};

/// `ports`: management ports of everything that has one. Every switch has `uplinks` to the in-band network. `printed`:
/// switches of the document, at least as many as are built.
template <class Tracer>
OutOfBandFabric<Tracer> build_out_of_band_fabric(Tracer& trace, const std::vector<Known<Tracer, double>>& ports,
                                                 const Known<Tracer, double>& switch_ports,
                                                 const Known<Tracer, double>& uplinks,
                                                 const std::optional<Known<Tracer, double>>& printed = std::nullopt) {
  OutOfBandFabric<Tracer> fabric;
  fabric.ports = trace.sum("architecture.out_of_band_ports", ports);
  fabric.switches = named("architecture.out_of_band_switches", leaves_for_ports(fabric.ports, switch_ports));
  if (printed)
    fabric.switches = named("architecture.out_of_band_switches_at_least", at_least(fabric.switches, *printed));
  fabric.uplink_cables = named("architecture.out_of_band_uplinks", fabric.switches * uplinks);
  return fabric;
}

}  // namespace podwright
