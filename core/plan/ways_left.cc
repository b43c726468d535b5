#include "plan/ways_left.h"

#include <algorithm>

#include "plan/site_limits.h"

namespace podwright {
namespace {

bool of_the_site(const DecisionFactor& rule) {
  return rule.rule() == "above-budget" || rule.rule() == "above-site-power";
}

/// Is the way shut whatever the site has?
bool shut(const PlanVerdict& verdict, Way way) {
  return std::any_of(verdict.rules.begin(), verdict.rules.end(),
                     [&](const DecisionFactor& rule) { return !of_the_site(rule) && rule.excludes.has(way); });
}

}  // namespace

std::optional<Infeasible> no_way_left(const PlanRequest& request, const PlanNumbers<NoTrace>& numbers,
                                      const PlanVerdict& verdict) {
  if (verdict.decision.way || !verdict.decision.not_compared.empty()) return std::nullopt;
  // Where only the site is in the way, the smallest need that is open says by how much.
  const auto hybrid = shut(verdict, Way::hybrid) ? std::nullopt : need_of_hybrid(numbers);
  if (hybrid || !shut(verdict, Way::own)) {
    auto broken = broken_site_limits(request.constraints, hybrid ? *hybrid : need_of_owning(numbers));
    if (!broken.empty()) return std::move(broken.front());
  }
  return Infeasible{.code = "no-way", .message = verdict.decision.says};
}

}  // namespace podwright
