#pragma once
/// Rule of thumb for the switches of a cluster whose rails are trees of their own: H100 Freakonomics, a cost model of
/// 2024. The bill of a design counts differently where rails share their spines; this stands beside it.
#include <cmath>

#include "base/arithmetic.h"

namespace podwright {

/// Tiers of switches that a non-blocking tree needs; 0: more than three.
inline int rule_tiers(double nodes, double switch_ports) {
  if (nodes <= switch_ports) return 1;
  if (nodes <= switch_ports * switch_ports / 2.0) return 2;
  return nodes <= switch_ports * switch_ports * switch_ports / 4.0 ? 3 : 0;
}

/// One tier: every node has one port on each rail's switch.
auto rule_one_tier_switches(Of<double> auto nodes, Of<double> auto rails, Of<double> auto switch_ports) {
  return cited("docs/method/ownership.md#network-by-rule", rails * ceil(nodes / switch_ports));
}

/// Two tiers: half of a leaf's ports look up.
auto rule_two_tier_switches(Of<double> auto nodes, Of<double> auto rails, Of<double> auto switch_ports) {
  return cited("docs/method/ownership.md#network-by-rule",
               rails * (ceil(2.0 * nodes / switch_ports) + ceil(nodes / switch_ports)));
}

/// Three tiers: half of a spine's ports look up too.
auto rule_three_tier_switches(Of<double> auto nodes, Of<double> auto rails, Of<double> auto switch_ports) {
  return cited("docs/method/ownership.md#network-by-rule",
               rails * (2.0 * ceil(2.0 * nodes / switch_ports) + ceil(nodes / switch_ports)));
}

/// Links: one for each GPU and tier.
constexpr auto rule_links(Of<double> auto gpu_count, Of<double> auto tiers) {
  return cited("docs/method/ownership.md#network-by-rule", gpu_count * tiers);
}

}  // namespace podwright
