#pragma once
/// The networks of a design, from what its documents tell: the compute fabric for the size that is to be reached, nodes
/// of now; storage and management beside it. docs/method/fabric.md#designs-of-the-catalog.
#include "architecture/design_fabric.h"
#include "architecture/design_figures.h"
#include "base/arithmetic.h"

namespace podwright {

/// Pairs of switches that a document draws for few nodes are followed by leaves and spines whose counts it does not
/// print: then rails of half a switch's ports, no larger than the nodes to be reached.
template <class Tracer>
void make_leaf_spine(FabricNeed<Tracer>& need, const typename Tracer::template Known<double>& horizon_nodes) {
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
                           DesignNetworks<Tracer>& networks) {
  networks.compute_switch = find_switch(catalog, document.fabric_switch);
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
  // The manager takes the links of one node that is left out; a full shell has none to give.
  const bool has_room = value_of(horizon.nodes) + 1 <= value_of(units) * value_of(need.nodes_per_unit);
  const auto now = need_for(*size.nodes, document.fabric->manager_links && has_room);
  need.nodes = now.nodes;
  need.manager_links = now.manager_links;
  need.scalable_units = units;
  networks.compute = build_fabric(trace, need);
  networks.compute_need = std::move(need);
}

template <class Tracer>
void design_storage_network(Tracer& trace, const Catalog& catalog, const DesignSize<Tracer>& size,
                            const ReferenceArchitecture& guide, DesignNetworks<Tracer>& networks) {
  networks.storage_switch = find_switch(catalog, guide.site.storage_switch);
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
void size_in_band(const typename Tracer::template Known<double>& document_cores, InBandNeed<Tracer>& need) {
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
                    const std::optional<typename Tracer::template Known<double>>& ports, double out_of_band_places,
                    DesignNetworks<Tracer>& networks) {
  networks.in_band_switch = find_switch(catalog, guide.site.in_band_switch);
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

template <class Tracer>
void design_out_of_band(Tracer& trace, const Catalog& catalog, const ReferenceArchitecture& guide,
                        const typename Tracer::template Known<double>& ports, DesignNetworks<Tracer>& networks) {
  networks.out_of_band_switch = find_switch(catalog, guide.site.out_of_band_switch);
  const Switch* item = networks.out_of_band_switch;
  if (item == nullptr || !item->ports) return;
  const auto uplinks =
      guide.site.out_of_band_uplinks_per_switch
          ? trace.fact(guide, "out_of_band.uplinks_per_switch", *guide.site.out_of_band_uplinks_per_switch)
          : trace.constant("uplinks_of_each", 2.0, "docs/method/fabric.md#out-of-band");
  networks.out_of_band = build_out_of_band_fabric(trace, {ports}, trace.fact(*item, "ports", *item->ports), uplinks);
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

}  // namespace podwright
