#pragma once
/// The compute fabric of a reference architecture for a number of its systems: what the catalog says of the document,
/// as the need that build_fabric() takes.
#include "architecture/fabric.h"
#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/catalog.h"

namespace podwright {

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
                                      const Switch* fabric_switch,
                                      const typename Tracer::template Known<double>& systems, bool with_manager) {
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

}  // namespace podwright
