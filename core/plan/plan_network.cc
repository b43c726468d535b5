#include "plan/plan_network.h"

#include "base/number_text.h"

namespace podwright {
namespace {

/// Of the InfiniBand row that a rule per GPU is taken from (NDR).
constexpr double kRuleGbitPerS = 400;

/// By the switches of the design, else by the technology of its document; Ethernet where neither says InfiniBand.
NetworkKind network_kind(const DesignParts& parts, const Switch* compute_switch) {
  std::string_view technology;
  if (compute_switch != nullptr)
    technology = compute_switch->kind;
  else if (parts.architecture != nullptr)
    technology = parts.architecture->fabric_technology;
  return technology.find("InfiniBand") == std::string_view::npos ? NetworkKind::ethernet : NetworkKind::infiniband;
}

}  // namespace

NetworkBasis network_basis(const DesignParts& parts, const Switch* compute_switch, double nodes,
                           double link_gbit_per_s) {
  NetworkBasis basis;
  if (!(nodes > 1)) return basis;
  if (priced_by_items(compute_switch, link_gbit_per_s)) {
    basis.items = true;
    return basis;
  }
  const std::string name = compute_switch == nullptr ? "The switch of the compute network" : compute_switch->name;
  const std::string links = link_gbit_per_s > 0 ? " with links of " + human_number(link_gbit_per_s, 4) + " Gbit/s" : "";
  const NetworkKind kind = network_kind(parts, compute_switch);
  if (kind == NetworkKind::infiniband && link_gbit_per_s > kRuleGbitPerS) {
    basis.absence = "No dated source for the price of an InfiniBand network of " + name + links +
                    "; the rule per GPU is of links of " + human_number(kRuleGbitPerS, 4) + " Gbit/s.";
    return basis;
  }
  basis.rule = kind;
  basis.caution = name + links + " has no dated price, so the compute network is priced by a rule per GPU (" +
                  (kind == NetworkKind::infiniband ? "InfiniBand" : "Ethernet") + "), not by the design's own items.";
  return basis;
}

}  // namespace podwright
