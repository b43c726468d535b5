#pragma once
/// Rule of thumb for the switches of a cluster whose rails are trees of their own: H100 Freakonomics, a cost model of
/// 2024. The bill of a design counts differently where rails share their spines; this stands beside it.
#include <cmath>

#include "base/formula.h"

namespace podwright {

/// Tiers of switches that a non-blocking tree needs; 0: more than three.
inline int rule_tiers(double nodes, double switch_ports) {
  if (nodes <= switch_ports) return 1;
  if (nodes <= switch_ports * switch_ports / 2.0) return 2;
  return nodes <= switch_ports * switch_ports * switch_ports / 4.0 ? 3 : 0;
}

/// One tier: every node has one port on each rail's switch.
inline double rule_one_tier_switches(double nodes, double rails, double switch_ports) {
  return rails * std::ceil(nodes / switch_ports);
}
inline constexpr Formula<rule_one_tier_switches> kRuleOneTierSwitches{
    .id = "rule.one_tier_switches",
    .inputs = {"nodes", "rails", "switch_ports"},
    .equation = "rails * ceil(nodes / switch_ports)",
    .source = "docs/method/ownership.md#network-by-rule"};

/// Two tiers: half of a leaf's ports look up.
inline double rule_two_tier_switches(double nodes, double rails, double switch_ports) {
  return rails * (std::ceil(2.0 * nodes / switch_ports) + std::ceil(nodes / switch_ports));
}
inline constexpr Formula<rule_two_tier_switches> kRuleTwoTierSwitches{
    .id = "rule.two_tier_switches",
    .inputs = {"nodes", "rails", "switch_ports"},
    .equation = "rails * (ceil(2 * nodes / switch_ports) + ceil(nodes / switch_ports))",
    .source = "docs/method/ownership.md#network-by-rule"};

/// Three tiers: half of a spine's ports look up too.
inline double rule_three_tier_switches(double nodes, double rails, double switch_ports) {
  return rails * (2.0 * std::ceil(2.0 * nodes / switch_ports) + std::ceil(nodes / switch_ports));
}
inline constexpr Formula<rule_three_tier_switches> kRuleThreeTierSwitches{
    .id = "rule.three_tier_switches",
    .inputs = {"nodes", "rails", "switch_ports"},
    .equation = "rails * (2 * ceil(2 * nodes / switch_ports) + ceil(nodes / switch_ports))",
    .source = "docs/method/ownership.md#network-by-rule"};

/// Links: one for each GPU and tier.
constexpr double rule_links(double gpu_count, double tiers) { return gpu_count * tiers; }
inline constexpr Formula<rule_links> kRuleLinks{.id = "rule.links",
                                                .inputs = {"gpu_count", "tiers"},
                                                .equation = "gpu_count * tiers",
                                                .source = "docs/method/ownership.md#network-by-rule"};

}  // namespace podwright
