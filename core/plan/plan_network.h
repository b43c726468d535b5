#pragma once
/// The price of a plan's compute network: by the items of its design, or per GPU by a rule that is given.
/// docs/method/ownership.md#network.
#include <string>

#include "cost/fabric_price.h"
#include "cost/ownership_prices.h"

namespace podwright {

/// How a network is priced, without its numbers.
struct NetworkBasis {
  NetworkKind rule = NetworkKind::none;  ///< per GPU
  bool items = false;
  bool given = false;   ///< by the request
  std::string absence;  ///< why neither prices it
  std::string caution;  ///< that the rule stands in for items, and for which

  /// A single node has none.
  bool exists() const { return rule != NetworkKind::none || items || !absence.empty(); }
};

/// `nodes` of the design, whose links run at `link_gbit_per_s` (0: not known). A single node has no network.
NetworkBasis network_basis(const DesignParts& parts, const Switch* compute_switch, double nodes,
                           double link_gbit_per_s);

/// Bits per second of the design's links, in units of 1e9; 0 where they are not known.
template <class Tracer>
double link_gbit_per_s(const DesignNetworks<Tracer>& networks) {
  if (networks.compute_need && networks.compute_need->link)
    return value_of(*networks.compute_need->link) / gb_per_s(1) * 8;
  return networks.compute_switch == nullptr ? 0 : networks.compute_switch->port_gbps.value_or(0);
}

/// Sets the network of `site`; returns how it is priced.
template <class Tracer>
NetworkBasis add_network(Tracer& trace, const Catalog& catalog, const DesignParts& parts, const Design<Tracer>& design,
                         OwnedSite<Tracer>& site) {
  const DesignNetworks<Tracer>& networks = design.networks;
  NetworkBasis basis = network_basis(parts, networks.compute ? networks.compute_switch : nullptr,
                                     value_of(*design.size.nodes), link_gbit_per_s(networks));
  site.network = basis.rule;
  if (basis.items)
    site.terms.network = compute_network_cost(trace, catalog, networks);
  else if (!basis.absence.empty())
    site.terms.network.absence = basis.absence;
  return basis;
}

}  // namespace podwright
