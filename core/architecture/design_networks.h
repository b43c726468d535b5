#pragma once
/// The networks of a design, from what its documents tell: the compute fabric for the size that is to be reached, nodes
/// of now; storage and management beside it. docs/method/fabric.md#designs-of-the-catalog.
#include "architecture/design_figures.h"
#include "architecture/fabric.h"
#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/catalog.h"

namespace podwright {

// The compute fabric of a reference architecture for a number of its systems: what the catalog says of the document,
// as the need that build_fabric() takes.

/// Nodes with rails in the systems of a design: as many as the systems, or the trays of racks.
constexpr auto fabric_nodes(Of<double> auto systems, Of<double> auto endpoints_per_unit, Of<double> auto rails,
                            Of<double> auto systems_per_unit) {
  return cited("docs/method/fabric.md#designs-of-the-catalog",
               systems * endpoints_per_unit / (rails * systems_per_unit));
}

/// Links of this speed where the switch runs at fewer or more ports than it has by itself.
constexpr auto link_at_radix(Of<BytesPerSecond> auto port, Of<double> auto ports, Of<double> auto radix) {
  return cited("docs/method/fabric.md#designs-of-the-catalog", port * ports / radix);
}

/// `architecture.fabric` must be there. `fabric_switch` is null where the catalog names none: bandwidths and
/// transceivers are then not known. `with_manager`: the fabric manager takes leaf ports in this build.
template <class Tracer>
FabricNeed<Tracer> design_fabric_need(Tracer& trace, const ReferenceArchitecture& architecture,
                                      const Switch* fabric_switch, const Known<Tracer, double>& systems,
                                      bool with_manager) {
  const FabricModel& model = *architecture.fabric;
  const auto fact = [&](std::string_view field, double value) { return trace.fact(architecture, field, value); };
  const auto endpoints = fact("compute_fabric.model.endpoints_per_su_per_plane", model.endpoints_per_unit_and_plane);
  const auto systems_per_unit = fact("compute_fabric.model.nodes_per_su", model.systems_per_unit);
  FabricNeed<Tracer> need;
  need.topology = model.style == "switch-pair" ? FabricTopology::switch_pair
                  : model.style == "full"      ? FabricTopology::fat_tree
                                               : FabricTopology::rail_groups;
  need.rails = fact("compute_fabric.model.rails", model.rails);
  need.nodes = named("architecture.fabric_nodes", fabric_nodes(systems, endpoints, need.rails, systems_per_unit));
  need.nodes_per_unit = named("architecture.fabric_nodes_per_unit",
                              cited("docs/method/fabric.md#designs-of-the-catalog", endpoints / need.rails));
  need.switch_ports = fact("compute_fabric.model.radix", model.radix);
  need.planes = fact("compute_fabric.model.planes", model.planes);
  need.oversubscription = trace.constant("non_blocking", 1.0, "every fabric of the catalog is built non-blocking");
  need.units_per_group = model.style == "rail-group-3tier-merge"
                             ? named("architecture.units", fabric_units(need.nodes, need.nodes_per_unit))
                             : 1.0;
  need.links_per_cable =
      model.links_per_cable == 1 ? 1.0 : fact("compute_fabric.model.links_per_cable", model.links_per_cable);
  need.manager_links =
      with_manager && model.manager_links ? fact("compute_fabric.model.manager_links", *model.manager_links) : 0.0;
  if (model.leaf_down) need.leaf_ports_down = fact("compute_fabric.model.leaf_down", *model.leaf_down);
  if (fabric_switch == nullptr && model.port_gbit_per_s)
    need.link = trace.fact(architecture, "compute_fabric.model.port_gbit_per_s", gb_per_s(*model.port_gbit_per_s / 8));
  if (fabric_switch == nullptr || !fabric_switch->ports) return need;
  const auto ports = trace.fact(*fabric_switch, "ports", *fabric_switch->ports);
  if (fabric_switch->cages)
    need.ports_per_cage = named("architecture.ports_per_cage",
                                need.switch_ports / trace.fact(*fabric_switch, "cages", *fabric_switch->cages));
  if (fabric_switch->port_gbps)
    need.link =
        named("architecture.link",
              link_at_radix(trace.fact(*fabric_switch, "port_gbit_per_s", gb_per_s(*fabric_switch->port_gbps / 8)),
                            ports, need.switch_ports));
  return need;
}

/// Pairs of switches that a document draws for few nodes are followed by leaves and spines whose counts it does not
/// print: then rails of half a switch's ports, no larger than the nodes to be reached.
template <class Tracer>
void make_leaf_spine(FabricNeed<Tracer>& need, const Known<Tracer, double>& horizon_nodes) {
  need.topology = FabricTopology::fat_tree;
  const auto half = named("architecture.most_nodes_of_rail", half_of_ports(need.switch_ports));
  need.nodes_per_unit = named("architecture.nodes_of_rail", tighter_limit(half, horizon_nodes));
}

/// Whether the band has grown beyond the pair of switches that the document's model describes.
inline bool beyond_pair(const DesignParts& parts, const ReferenceArchitecture& document) {
  return parts.band != nullptr && document.fabric->style == "switch-pair" &&
         (parts.band->compute_fabric == "two tiers" || parts.band->compute_fabric == "three tiers" ||
          parts.band->compute_fabric.empty() || parts.band->fit == BandFit::open);
}

template <class Tracer>
void design_compute_fabric(Tracer& trace, const Catalog& catalog, const DesignParts& parts,
                           const DesignSize<Tracer>& size, const ReferenceArchitecture& document,
                           const std::optional<Known<Tracer, double>>& core_oversubscription,
                           DesignNetworks<Tracer>& networks) {
  networks.compute_switch = row_with_id(catalog.switches, document.fabric_switch);
  const auto need_for = [&](const auto& systems, bool with_manager) {
    return design_fabric_need(trace, document, networks.compute_switch, systems, with_manager);
  };
  const auto horizon = need_for(*size.horizon_nodes, false);
  FabricNeed<Tracer> need = horizon;
  if (beyond_pair(parts, document)) make_leaf_spine(need, horizon.nodes);
  const bool units_of_document =
      parts.architecture == &document && size.scalable_units && !beyond_pair(parts, document);
  const auto units = units_of_document
                         ? *size.scalable_units
                         : named("architecture.fabric_units", fabric_units(horizon.nodes, need.nodes_per_unit));
  // The manager takes the links of a free place. NVIDIA prints full shells too: its manager is then elsewhere, since a
  // whole unit for it would cost more than any other place.
  const bool has_room = value_of(horizon.nodes) + 1 <= value_of(units) * value_of(need.nodes_per_unit);
  const auto now = need_for(*size.nodes, document.fabric->manager_links && has_room);
  if (document.fabric->manager_links)
    networks.manager_place = has_room ? ManagerPlace::compute_fabric : ManagerPlace::elsewhere;
  need.manager_gives_way = true;
  need.core_oversubscription = core_oversubscription;
  need.nodes = now.nodes;
  need.manager_links = now.manager_links;
  need.scalable_units = units;
  networks.compute = build_fabric(trace, need);
  networks.compute_need = std::move(need);
}

template <class Tracer>
void design_storage_network(Tracer& trace, const Catalog& catalog, const DesignSize<Tracer>& size,
                            const ReferenceArchitecture& guide, DesignNetworks<Tracer>& networks) {
  networks.storage_switch = row_with_id(catalog.switches, guide.site.storage_switch);
  const Switch* item = networks.storage_switch;
  if (item == nullptr || !item->ports || !item->cages || !networks.compute_need) return;
  const StorageNetworkModel& model = *guide.site.storage_network;
  const auto fact = [&](const char* key, double value) {
    return trace.fact(guide, "storage_fabric.model." + std::string(key), value);
  };
  const auto ports = trace.fact(*item, "ports", *item->ports);
  StorageFabricNeed<Tracer> need;
  need.nodes = *size.nodes;
  need.scalable_units = *networks.compute_need->scalable_units;
  need.nodes_per_unit = networks.compute_need->nodes_per_unit;
  need.ports_per_node = fact("ports_per_node", model.ports_per_node);
  need.storage_ports = named("architecture.storage_ports",
                             need.scalable_units * fact("storage_ports_per_su", model.storage_ports_per_unit));
  need.switch_ports = ports;
  need.leaf_ports_down = fact("leaf_down", model.leaf_ports_down);
  need.node_oversubscription = fact("node_oversubscription", model.node_oversubscription);
  need.manager_ports = fact("manager_ports", model.manager_ports);
  need.ports_per_cage = named("architecture.storage_ports_per_cage", ports / trace.fact(*item, "cages", *item->cages));
  StorageFabric<Tracer> fabric = build_storage_fabric(need);
  if (!storage_ports_suffice(need, fabric)) return;
  networks.storage = std::move(fabric);
  networks.storage_need = std::move(need);
}

/// Leaves of the hosts and of the out-of-band switches; cores above, from some size on with spines between.
template <class Tracer>
void size_in_band(const Known<Tracer, double>& document_cores, InBandNeed<Tracer>& need) {
  const auto pairs = named("architecture.in_band_pairs",
                           in_band_pairs(*need.places, need.switch_ports, need.inter_switch_links, need.uplinks));
  const auto leaves = named("architecture.in_band_leaves", in_band_leaves(pairs));
  const auto least = named("architecture.in_band_least_cores", least_spines(leaves, need.uplinks, need.switch_ports));
  need.cores =
      named("architecture.in_band_cores",
            even_spines(named("architecture.in_band_cores_at_least", at_least(document_cores, least)), need.uplinks));
  if (value_of(least) <= value_of(need.cores)) return;
  const ThirdTierNeed<Tracer> tier{.parts = pairs,
                                   .links_of_part = named("architecture.in_band_uplinks_of_pair", 2.0 * need.uplinks),
                                   .links = named("architecture.in_band_uplinks", leaves * need.uplinks),
                                   .most_spines = need.uplinks,
                                   .switch_ports = need.switch_ports,
                                   .least_cores = document_cores};
  if (!third_tier_holds(tier)) return;
  need.third = build_third_tier(tier);
  need.cores = need.third->cores;
}

/// `ports`: in-band ports of nodes, servers and file servers; absent where they are not known. `out_of_band_places`:
/// places on pairs that the out-of-band switches take, as settled.
template <class Tracer>
void design_in_band(Tracer& trace, const Catalog& catalog, const ReferenceArchitecture& guide,
                    const std::optional<Known<Tracer, double>>& ports, double out_of_band_places,
                    DesignNetworks<Tracer>& networks) {
  networks.in_band_switch = row_with_id(catalog.switches, guide.site.in_band_switch);
  const Switch* item = networks.in_band_switch;
  if (item == nullptr) return;
  if (guide.site.in_band_switches)
    networks.in_band_switches = trace.fact(guide, "in_band.switches", *guide.site.in_band_switches);
  if (!guide.site.in_band || !ports || !item->ports) return;
  const InBandModel& model = *guide.site.in_band;
  const auto fact = [&](const char* key, double value) {
    return trace.fact(guide, "in_band.model." + std::string(key), value);
  };
  InBandNeed<Tracer> need;
  need.hosts = named("architecture.in_band_hosts", in_band_hosts(*ports));
  need.switch_ports = trace.fact(*item, "ports", *item->ports);
  need.inter_switch_links = fact("links_per_pair", model.links_per_pair);
  need.uplinks = fact("uplinks_per_leaf", model.uplinks_per_leaf);
  need.places = named("architecture.in_band_places",
                      cited("docs/method/fabric.md#in-band",
                            need.hosts + trace.method("architecture.out_of_band_places", out_of_band_places,
                                                      "docs/method/fabric.md#in-band")));
  size_in_band(fact("cores", model.cores), need);
  InBandFabric<Tracer> fabric = build_in_band_fabric(need);
  // More leaves than cores have ports for: the rule ends.
  if (!need.third && value_of(fabric.uplink_cables) > value_of(need.cores) * value_of(need.switch_ports)) return;
  networks.in_band_switches = fabric.switches;
  networks.in_band = std::move(fabric);
  networks.in_band_need = std::move(need);
}

/// Places on pairs of in-band leaves, with a port on either leaf, that these switches take with their uplinks.
inline double out_of_band_places(const std::optional<OutOfBandFabric<NoTrace>>& fabric) {
  if (!fabric || fabric->switches == 0) return 0;
  return fabric->switches * std::ceil(fabric->uplink_cables / fabric->switches / 2.0);
}

/// Out-of-band switches that the document lists for the scalable units of these nodes: ports of network cards and of
/// storage systems are not all on the lists of devices. Beyond the table its last row goes on in proportion.
template <class Tracer>
std::optional<Known<Tracer, double>> printed_out_of_band(Tracer& trace, const ReferenceArchitecture& guide,
                                                         const Known<Tracer, double>& nodes) {
  const std::vector<SwitchesOfUnits>& rows = guide.site.out_of_band_switches;
  const DrawnBuild& drawn = guide.site.drawn;
  const bool is_drawn = drawn.out_of_band_switches && drawn.units;
  if ((rows.empty() && !is_drawn) || !guide.nodes_per_scalable_unit) return std::nullopt;
  const auto units =
      named("architecture.units_of_nodes",
            fabric_units(nodes, trace.fact(guide, "scalable_unit.nodes", *guide.nodes_per_scalable_unit)));
  if (rows.empty())
    return named("architecture.scaled_out_of_band_switches",
                 scaled_drawing(trace.fact(guide, "out_of_band.switches_4su", *drawn.out_of_band_switches), units,
                                trace.fact(guide, "racks.drawn_units", *drawn.units)));
  std::size_t i = 0;
  while (i + 1 < rows.size() && rows[i].units < value_of(units)) ++i;
  const std::string row = "out_of_band.switches_by_su." + std::to_string(i);
  const auto switches = trace.fact(guide, row + ".switches", rows[i].switches);
  if (value_of(units) <= rows[i].units) return switches;
  return named("architecture.scaled_out_of_band_switches",
               scaled_drawing(switches, units, trace.fact(guide, row + ".su", rows[i].units)));
}

template <class Tracer>
void design_out_of_band(Tracer& trace, const Catalog& catalog, const ReferenceArchitecture& guide,
                        const Known<Tracer, double>& nodes, const Known<Tracer, double>& ports,
                        DesignNetworks<Tracer>& networks) {
  networks.out_of_band_switch = row_with_id(catalog.switches, guide.site.out_of_band_switch);
  const Switch* item = networks.out_of_band_switch;
  if (item == nullptr || !item->ports) return;
  const auto uplinks =
      guide.site.out_of_band_uplinks_per_switch
          ? trace.fact(guide, "out_of_band.uplinks_per_switch", *guide.site.out_of_band_uplinks_per_switch)
          : trace.constant("uplinks_of_each", 2.0, "docs/method/fabric.md#out-of-band");
  networks.out_of_band = build_out_of_band_fabric(trace, {ports}, trace.fact(*item, "ports", *item->ports), uplinks,
                                                  printed_out_of_band(trace, guide, nodes));
}

/// Switches of all networks, for power and ports.
template <class Tracer>
std::vector<SwitchCount<Tracer>> switches_of(const DesignNetworks<Tracer>& networks) {
  std::vector<SwitchCount<Tracer>> counts;
  if (networks.compute)
    counts.push_back({"compute", networks.compute_switch,
                      named("architecture.compute_switches",
                            switches_of_layers(networks.compute->leaf.total, networks.compute->spine.total,
                                               networks.compute->core.total))});
  if (networks.storage) counts.push_back({"storage", networks.storage_switch, networks.storage->switches});
  if (networks.in_band_switches) counts.push_back({"in-band", networks.in_band_switch, *networks.in_band_switches});
  if (networks.out_of_band)
    counts.push_back({"out-of-band", networks.out_of_band_switch, networks.out_of_band->switches});
  return counts;
}

/// Switches of one tier of a network, or of one purpose in it.
template <class Tracer>
struct SwitchLayer {
  std::string_view network;
  std::string_view role;  ///< of its devices in wiring and racks
  std::string_view name;  ///< in the bill
  const Switch* item = nullptr;
  Known<Tracer, double> count{};
};

/// From the nodes up, network by network.
template <class Tracer>
std::vector<SwitchLayer<Tracer>> layers_of(const DesignNetworks<Tracer>& n) {
  std::vector<SwitchLayer<Tracer>> layers;
  if (n.compute) {
    const bool pair = n.compute_need->topology == FabricTopology::switch_pair;
    layers.push_back({"compute", "compute-leaf", pair ? "pair" : "leaf", n.compute_switch, n.compute->leaf.total});
    layers.push_back({"compute", "compute-spine", "spine", n.compute_switch, n.compute->spine.total});
    layers.push_back({"compute", "compute-core", "core", n.compute_switch, n.compute->core.total});
  }
  if (n.storage) {
    layers.push_back({"storage", "storage-leaf", "leaf of nodes", n.storage_switch, n.storage->node_leaves});
    layers.push_back({"storage", "storage-leaf", "leaf of storage", n.storage_switch, n.storage->storage_leaves});
    layers.push_back({"storage", "storage-spine", "spine", n.storage_switch, n.storage->spines});
    if (n.storage->third)
      layers.push_back({"storage", "storage-core", "core", n.storage_switch, n.storage->third->cores});
  }
  if (n.in_band) {
    const auto& third = n.in_band_need->third;
    layers.push_back({"in-band", "in-band-leaf", "leaf", n.in_band_switch, n.in_band->leaves});
    if (third) layers.push_back({"in-band", "in-band-spine", "spine", n.in_band_switch, third->spines});
    layers.push_back({"in-band", "in-band-core", "core", n.in_band_switch, n.in_band_need->cores});
  } else if (n.in_band_switches) {
    layers.push_back({"in-band", "in-band-leaf", "management and storage", n.in_band_switch, *n.in_band_switches});
  }
  if (n.out_of_band)
    layers.push_back({"out-of-band", "out-of-band", "management ports", n.out_of_band_switch, n.out_of_band->switches});
  return layers;
}

}  // namespace podwright
