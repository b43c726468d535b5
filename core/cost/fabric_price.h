#pragma once
/// What the compute network of a design costs by its own switches, links and transceivers, where each has a dated
/// price. docs/method/ownership.md#network.
#include <optional>
#include <string>
#include <vector>

#include "architecture/design.h"
#include "base/arithmetic.h"
#include "cost/owned_cluster.h"

namespace podwright {

/// Rows of a switch of the catalog, of a link at its speed and of a transceiver; null where there is none in USD.
struct FabricPricing {
  const PurchasePrice* switch_price = nullptr;
  const PurchasePrice* link_price = nullptr;
  const PurchasePrice* transceiver_price = nullptr;
  std::string absence;  ///< why one is missing; empty where all are there
};

/// `item` may be null.
FabricPricing fabric_pricing(const Catalog& catalog, const Switch* item);

/// Whether the price table names the switch and links of `gbit_per_s`: such a network is priced by its items or not at
/// all. `item` may be null.
bool priced_by_items(const Switch* item, double gbit_per_s);

/// Transceivers in ports of switches that no link ends in: all downward ports of a shell are equipped.
auto dark_transceivers(Of<double> auto switch_transceivers, Of<double> auto link_ends, Of<double> auto ports_per_cage) {
  return cited("docs/method/ownership.md#network", max(0.0, switch_transceivers - ceil(link_ends / ports_per_cage)));
}

namespace fabric_price_detail {

/// Links of the compute network, with those of its manager.
template <class Tracer>
std::vector<Known<Tracer, double>> links_of(const DesignNetworks<Tracer>& networks) {
  const Fabric<Tracer>& fabric = *networks.compute;
  std::vector<Known<Tracer, double>> links{fabric.node_leaf_links, fabric.leaf_spine_links, fabric.spine_core_links,
                                           fabric.inter_switch_links};
  if (networks.compute_need) links.push_back(networks.compute_need->manager_links);
  return links;
}

/// Of the transceivers that are counted; absent where they are not.
template <class Tracer>
std::optional<Known<Tracer, double>> dark_of(Tracer& trace, const DesignNetworks<Tracer>& networks) {
  const Fabric<Tracer>& fabric = *networks.compute;
  if (!networks.compute_need || !networks.compute_need->ports_per_cage || !fabric.switch_transceivers)
    return std::nullopt;
  const auto ends =
      trace.sum("cost.link_ends",
                std::vector{fabric.node_leaf_links, fabric.leaf_spine_links, fabric.leaf_spine_links,
                            fabric.spine_core_links, fabric.spine_core_links, networks.compute_need->manager_links});
  return named("cost.dark_transceivers",
               dark_transceivers(*fabric.switch_transceivers, ends, *networks.compute_need->ports_per_cage));
}

}  // namespace fabric_price_detail

/// Cost of the compute network: no part of a design without one. The networks of storage and management are not in it.
template <class Tracer>
CostPart<Tracer, Usd> compute_network_cost(Tracer& trace, const Catalog& catalog,
                                           const DesignNetworks<Tracer>& networks) {
  using Count = Known<Tracer, double>;
  if (!networks.compute) return {};
  const FabricPricing pricing = fabric_pricing(catalog, networks.compute_switch);
  if (!pricing.absence.empty()) return {.absence = pricing.absence};
  const Fabric<Tracer>& fabric = *networks.compute;
  const auto price = [&](const PurchasePrice& row) { return trace.fact(row, "typical", row.price.typical); };
  const auto switches =
      trace.sum("cost.switches", std::vector<Count>{fabric.leaf.total, fabric.spine.total, fabric.core.total});
  const auto links = trace.sum("cost.links", fabric_price_detail::links_of(networks));
  const auto joined = named("cost.compute_network",
                            network_cost(switches, price(*pricing.switch_price), links, price(*pricing.link_price)));
  const auto dark = fabric_price_detail::dark_of(trace, networks);
  if (!dark || !(value_of(*dark) > 0)) return {.amount = joined};
  const auto idle = named("cost.dark_transceiver_purchase", purchase_cost(*dark, price(*pricing.transceiver_price)));
  return {.amount = trace.sum("cost.compute_network_with_dark_ports", std::vector{joined, idle})};
}

}  // namespace podwright
