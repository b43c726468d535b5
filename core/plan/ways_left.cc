#include "plan/ways_left.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "plan/site_limits.h"

namespace podwright {
namespace {

bool of_the_site(const DecisionFactor& rule) { return rule.id == "above-budget" || rule.id == "above-site-power"; }

/// Is the way shut whatever the site has?
bool shut(const PlanVerdict& verdict, Way way) {
  return std::any_of(verdict.rules.begin(), verdict.rules.end(),
                     [&](const DecisionFactor& rule) { return !of_the_site(rule) && rule.excludes.has(way); });
}

/// The patch that takes a rule back; empty where none does.
std::string patch_against(const PlanConstraints& site, std::string_view rule) {
  const auto patch = [](std::string_view member) { return "{\"constraints\":{" + std::string(member) + "}}"; };
  if (rule == "no-capital") return patch("\"no_capital\":false");
  if (rule == "no-staff") return patch("\"services\":\"partner\"");
  if (rule == "cloud-asked" || rule == "machines-asked") return patch("\"ownership\":\"any\"");
  if (rule == "own-ground" && stays_on_own_ground(site.sovereignty)) return patch("\"sovereignty\":\"none\"");
  return "";
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
  Infeasible reason{
      .code = "no-way", .message = "No way of paying is left.", .shortfall = 0, .unit = "", .ways_out = {}};
  for (const DecisionFactor& rule : verdict.rules) {
    if (rule.excludes.empty()) continue;
    reason.message += " " + rule.text;
    if (std::string patch = patch_against(request.constraints, rule.id); !patch.empty())
      reason.ways_out.push_back(std::move(patch));
  }
  return reason;
}

}  // namespace podwright
