#pragma once
/// Networks beside the compute fabric: storage, in-band and out-of-band management. docs/method/fabric.md#side-fabrics
/// says which published build they were read from; the split of ports into roles is inferred there.
#include <cmath>
#include <optional>
#include <vector>

#include "architecture/fabric_formulas.h"
#include "architecture/third_tier.h"
#include "base/formula.h"
#include "base/trace.h"

namespace podwright {

/// Uplinks of a storage fabric: one for each storage port, fewer for the ports of nodes.
inline double storage_uplinks(double storage_ports, double node_ports_of_shell, double node_oversubscription) {
  return std::ceil(storage_ports + node_ports_of_shell / node_oversubscription);
}
inline constexpr Formula<storage_uplinks> kStorageUplinks{
    .id = "architecture.storage_uplinks",
    .inputs = {"storage_ports", "node_ports_of_shell", "node_oversubscription"},
    .equation = "ceil(storage_ports + node_ports_of_shell / node_oversubscription)",
    .source = "docs/method/fabric.md#storage-fabric"};

/// Cables of single links from nodes and between switches.
constexpr double storage_cables(double node_ports, double uplinks) { return node_ports + uplinks; }
inline constexpr Formula<storage_cables> kStorageCables{.id = "architecture.storage_cables",
                                                        .inputs = {"node_ports", "uplinks"},
                                                        .equation = "node_ports + uplinks",
                                                        .source = "docs/method/fabric.md#storage-fabric"};

/// Ports of nodes over the uplinks that are theirs.
constexpr double storage_ratio(double node_ports, double uplinks, double storage_ports) {
  return node_ports / (uplinks - storage_ports);
}
inline constexpr Formula<storage_ratio> kStorageRatio{.id = "architecture.storage_ratio",
                                                      .inputs = {"node_ports", "uplinks", "storage_ports"},
                                                      .equation = "node_ports / (uplinks - storage_ports)",
                                                      .source = "docs/method/fabric.md#storage-fabric"};

/// Transceivers of the storage switches: nodes that are there, both ends of every uplink, the fabric manager.
inline double storage_transceivers(double node_ports, double uplinks, double manager_ports, double ports_per_cage) {
  return std::ceil((node_ports + 2.0 * uplinks + manager_ports) / ports_per_cage);
}
inline constexpr Formula<storage_transceivers> kStorageTransceivers{
    .id = "architecture.storage_transceivers",
    .inputs = {"node_ports", "uplinks", "manager_ports", "ports_per_cage"},
    .equation = "ceil((node_ports + 2 * uplinks + manager_ports) / ports_per_cage)",
    .source = "docs/method/fabric.md#storage-fabric"};

/// Leaves whose downward ports take these ports.
inline double leaves_for_ports(double ports, double leaf_ports_down) { return std::ceil(ports / leaf_ports_down); }
inline constexpr Formula<leaves_for_ports> kLeavesForPorts{.id = "architecture.leaves_for_ports",
                                                           .inputs = {"ports", "leaf_ports_down"},
                                                           .equation = "ceil(ports / leaf_ports_down)",
                                                           .source = "docs/method/fabric.md#storage-fabric"};

/// Switches of all layers.
constexpr double switches_of_layers(double first, double second, double third) { return first + second + third; }
inline constexpr Formula<switches_of_layers> kSwitchesOfLayers{.id = "architecture.switches_of_layers",
                                                               .inputs = {"first", "second", "third"},
                                                               .equation = "first + second + third",
                                                               .source = "definition"};

/// Pairs of in-band leaves: a host has one port on each leaf of a pair.
inline double in_band_pairs(double hosts, double switch_ports, double inter_switch_links, double uplinks) {
  return std::ceil(hosts / (switch_ports - inter_switch_links - uplinks));
}
inline constexpr Formula<in_band_pairs> kInBandPairs{
    .id = "architecture.in_band_pairs",
    .inputs = {"hosts", "switch_ports", "inter_switch_links", "uplinks"},
    .equation = "ceil(hosts / (switch_ports - inter_switch_links - uplinks))",
    .source = "docs/method/fabric.md#in-band"};

/// Hosts behind these ports: each has one port on both leaves of a pair.
inline double in_band_hosts(double ports) { return std::ceil(ports / 2.0); }
inline constexpr Formula<in_band_hosts> kInBandHosts{.id = "architecture.in_band_hosts",
                                                     .inputs = {"ports"},
                                                     .equation = "ceil(ports / 2)",
                                                     .source = "docs/method/fabric.md#in-band"};

/// Places on pairs: of hosts, and of out-of-band switches with their uplinks.
constexpr double in_band_places(double hosts, double out_of_band_places) { return hosts + out_of_band_places; }
inline constexpr Formula<in_band_places> kInBandPlaces{.id = "architecture.in_band_places",
                                                       .inputs = {"hosts", "out_of_band_places"},
                                                       .equation = "hosts + out_of_band_places",
                                                       .source = "docs/method/fabric.md#in-band"};

/// Leaves of the pairs.
constexpr double in_band_leaves(double pairs) { return 2.0 * pairs; }
inline constexpr Formula<in_band_leaves> kInBandLeaves{.id = "architecture.in_band_leaves",
                                                       .inputs = {"pairs"},
                                                       .equation = "2 * pairs",
                                                       .source = "docs/method/fabric.md#in-band"};

/// What a storage fabric of whole units is built from. Ports are of one unit unless they say otherwise.
template <class Tracer>
struct StorageFabricNeed {
  using Count = typename Tracer::template Known<double>;
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
  using Count = typename Tracer::template Known<double>;
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
StorageFabric<Tracer> build_storage_fabric(Tracer& trace, const StorageFabricNeed<Tracer>& need) {
  StorageFabric<Tracer> fabric;
  const auto one = trace.constant("one", 1.0, "definition");
  const auto shell_nodes =
      trace.step("architecture.storage_shell_nodes", kNodesOfShell, need.scalable_units, need.nodes_per_unit);
  const auto shell_ports =
      trace.step("architecture.storage_shell_ports", kLinksOfEach, shell_nodes, need.ports_per_node);
  const auto unit_ports =
      trace.step("architecture.storage_unit_ports", kLinksOfEach, need.nodes_per_unit, need.ports_per_node);
  const auto unit_leaves =
      trace.step("architecture.storage_unit_leaves", kLeavesForPorts, unit_ports, need.leaf_ports_down);
  fabric.node_leaves = trace.step("architecture.storage_node_leaves", kLinksOfEach, need.scalable_units, unit_leaves);
  // As many storage leaves as units: each takes its unit's share of the storage.
  fabric.storage_leaves = trace.step("architecture.storage_leaves", kLinksOfEach, need.scalable_units, one);
  fabric.node_ports = trace.step("architecture.storage_node_ports", kLinksOfEach, need.nodes, need.ports_per_node);
  fabric.uplinks = trace.step("architecture.storage_uplinks", kStorageUplinks, need.storage_ports, shell_ports,
                              need.node_oversubscription);
  const auto uplinks_of_storage_leaf =
      trace.step("architecture.storage_leaf_uplinks", kEvenLeafPortsDown, need.storage_ports, fabric.storage_leaves);
  const auto least = trace.step("architecture.storage_least_spines", kCoreCount, fabric.uplinks, need.switch_ports);
  fabric.spines = trace.step("architecture.storage_spines", kEvenSpines, least, uplinks_of_storage_leaf);
  auto links = fabric.uplinks;
  if (value_of(least) > value_of(fabric.spines)) {
    const auto unit_uplinks = trace.step("architecture.storage_unit_uplinks", kStorageUplinks, uplinks_of_storage_leaf,
                                         unit_ports, need.node_oversubscription);
    const ThirdTierNeed<Tracer> tier{.parts = need.scalable_units,
                                     .links_of_part = unit_uplinks,
                                     .links = fabric.uplinks,
                                     .most_spines = uplinks_of_storage_leaf,
                                     .switch_ports = need.switch_ports,
                                     .least_cores = one};
    if (third_tier_holds(tier)) {
      fabric.third = build_third_tier(trace, tier);
      fabric.spines = fabric.third->spines;
      links = trace.step("architecture.storage_links_of_tiers", kLinksOfTiers, fabric.uplinks, fabric.third->links);
    }
  }
  fabric.switches = trace.step("architecture.storage_switches", kSwitchesOfLayers, fabric.node_leaves,
                               fabric.storage_leaves, fabric.spines);
  if (fabric.third)
    fabric.switches = trace.step("architecture.storage_switches_of_tiers", kSwitchesOfLayers, fabric.switches,
                                 fabric.third->cores, trace.constant("none", 0.0, "definition"));
  fabric.cables = trace.step("architecture.storage_cables", kStorageCables, fabric.node_ports, links);
  fabric.switch_transceivers = trace.step("architecture.storage_transceivers", kStorageTransceivers, fabric.node_ports,
                                          links, need.manager_ports, need.ports_per_cage);
  fabric.oversubscription =
      trace.step("architecture.storage_ratio", kStorageRatio, fabric.node_ports, fabric.uplinks, need.storage_ports);
  return fabric;
}

/// Whether the spines have ports for all uplinks; false where the rule ends before this size.
template <class Tracer>
bool storage_ports_suffice(const StorageFabricNeed<Tracer>& need, const StorageFabric<Tracer>& fabric) {
  return value_of(fabric.spines) * value_of(need.switch_ports) >= value_of(fabric.uplinks);
}

template <class Tracer>
struct InBandNeed {
  using Count = typename Tracer::template Known<double>;
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
  using Count = typename Tracer::template Known<double>;
  Count pairs{};
  Count leaves{};
  Count switches{};
  Count inter_switch_cables{};
  Count uplink_cables{};
};

template <class Tracer>
InBandFabric<Tracer> build_in_band_fabric(Tracer& trace, const InBandNeed<Tracer>& need) {
  InBandFabric<Tracer> fabric;
  const auto none = trace.constant("none", 0.0, "definition");
  fabric.pairs = trace.step("architecture.in_band_pairs", kInBandPairs, need.places ? *need.places : need.hosts,
                            need.switch_ports, need.inter_switch_links, need.uplinks);
  fabric.leaves = trace.step("architecture.in_band_leaves", kInBandLeaves, fabric.pairs);
  fabric.switches = trace.step("architecture.in_band_switches", kSwitchesOfLayers, fabric.leaves, need.cores,
                               need.third ? need.third->spines : none);
  fabric.inter_switch_cables =
      trace.step("architecture.in_band_isl", kLinksOfEach, fabric.pairs, need.inter_switch_links);
  fabric.uplink_cables = trace.step("architecture.in_band_uplinks", kLinksOfEach, fabric.leaves, need.uplinks);
  return fabric;
}

template <class Tracer>
struct OutOfBandFabric {
  using Count = typename Tracer::template Known<double>;
  Count ports{};
  Count switches{};
  Count uplink_cables{};
};

/// `ports`: management ports of everything that has one. Every switch has `uplinks` to the in-band network.
template <class Tracer>
OutOfBandFabric<Tracer> build_out_of_band_fabric(Tracer& trace,
                                                 const std::vector<typename Tracer::template Known<double>>& ports,
                                                 const typename Tracer::template Known<double>& switch_ports,
                                                 const typename Tracer::template Known<double>& uplinks) {
  OutOfBandFabric<Tracer> fabric;
  fabric.ports = trace.sum("architecture.out_of_band_ports", ports);
  fabric.switches = trace.step("architecture.out_of_band_switches", kLeavesForPorts, fabric.ports, switch_ports);
  fabric.uplink_cables = trace.step("architecture.out_of_band_uplinks", kLinksOfEach, fabric.switches, uplinks);
  return fabric;
}

}  // namespace podwright
