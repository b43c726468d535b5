#pragma once
/// What the compute network of a design costs by its own switches and links, where both have a dated price.
#include <string>
#include <vector>

#include "architecture/design.h"
#include "cost/owned_cluster.h"

namespace podwright {

/// Row of a switch of the catalog, and of a link at its speed; null where there is none in USD.
struct FabricPricing {
  const PurchasePrice* switch_price = nullptr;
  const PurchasePrice* link_price = nullptr;
  std::string absence;  ///< why one is missing; empty where both are there
};

/// `item` may be null.
FabricPricing fabric_pricing(const Catalog& catalog, const Switch* item);

/// Cost of the compute network: no part of a design without one. The networks of storage and management are not in it.
template <class Tracer>
CostPart<Tracer, Usd> compute_network_cost(Tracer& trace, const Catalog& catalog,
                                           const DesignNetworks<Tracer>& networks) {
  using Count = typename Tracer::template Known<double>;
  if (!networks.compute) return {};
  const FabricPricing pricing = fabric_pricing(catalog, networks.compute_switch);
  if (!pricing.absence.empty()) return {.amount = {}, .absence = pricing.absence};
  const Fabric<Tracer>& fabric = *networks.compute;
  const auto switches =
      trace.sum("cost.switches", std::vector<Count>{fabric.leaf.total, fabric.spine.total, fabric.core.total});
  const auto links = trace.sum("cost.links", std::vector<Count>{fabric.node_leaf_links, fabric.leaf_spine_links,
                                                                fabric.spine_core_links, fabric.inter_switch_links});
  return {.amount = trace.step("cost.compute_network", kNetworkCost, switches,
                               trace.fact(*pricing.switch_price, "typical", pricing.switch_price->price.typical), links,
                               trace.fact(*pricing.link_price, "typical", pricing.link_price->price.typical)),
          .absence = {}};
}

}  // namespace podwright
