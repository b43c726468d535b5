#include "plan/ways_left.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "plan/plan_demand.h"

namespace podwright {

OwnedNeed need_of_owning(const PlanConstraints& site, const PlanNumbers<NoTrace>& numbers) {
  const PlanCost<NoTrace>& cost = numbers.cost;
  OwnedNeed need;
  if (cost.owning.capital) {
    need.purchase = cost.owning.capital->capex;
  } else {
    need.in_part = true;
    need.purchase = cost.owning.capex_at_least;
  }
  if (need.purchase) need.purchase = *need.purchase * site.sites;
  if (cost.energy) need.power = cost.energy->facility_power_max;
  return need;
}

std::optional<OwnedNeed> need_of_hybrid(const PlanConstraints& site, const PlanNumbers<NoTrace>& numbers) {
  if (!numbers.cost.hybrid || !numbers.design || !numbers.design->size.gpus) return std::nullopt;
  OwnedNeed need = need_of_owning(site, numbers);
  need.purchase = numbers.cost.hybrid_capex;
  if (need.purchase) need.purchase = *need.purchase * site.sites;
  need.power = numbers.cost.hybrid_power;
  return need;
}

std::vector<Infeasible> broken_site_limits(const PlanConstraints& site, const OwnedNeed& need) {
  std::vector<Infeasible> broken;
  if (site.budget_usd && need.purchase && *need.purchase > usd(*site.budget_usd)) {
    const double price = need.purchase->base_units();
    const auto purchase = "purchase_usd"_v = price;
    const auto budget = "budget_usd"_v = *site.budget_usd;
    broken.push_back({.code = "budget",
                      .message = need.in_part ? say("budget/part", purchase, budget) : say("budget", purchase, budget),
                      .shortfall = price - *site.budget_usd,
                      .unit = "USD",
                      .ways_out = {{"/constraints/budget_usd", std::ceil(price)}}});
  }
  if (site.site_power_kw && need.power && *need.power > kw(*site.site_power_kw)) {
    const double power = need.power->base_units() / 1e3;
    broken.push_back({.code = "site-power",
                      .message = say("site-power", "power_kw"_v = power, "site_power_kw"_v = *site.site_power_kw),
                      .shortfall = power - *site.site_power_kw,
                      .unit = "kW",
                      .ways_out = {{"/constraints/site_power_kw", std::ceil(power)}}});
  }
  return broken;
}

std::vector<UncheckedLimit> unchecked_site_limits(const PlanConstraints& site, const OwnedNeed& need) {
  std::vector<UncheckedLimit> unchecked;
  if (site.budget_usd && need.in_part) {
    const auto budget = "budget_usd"_v = *site.budget_usd;
    unchecked.push_back({"/constraints/budget_usd", need.purchase ? say("unchecked-budget/part", budget,
                                                                        "purchase_usd"_v = *need.purchase / usd(1))
                                                                  : say("unchecked-budget", budget)});
  }
  if (site.site_power_kw && !need.power)
    unchecked.push_back(
        {"/constraints/site_power_kw", say("unchecked-power", "site_power_kw"_v = *site.site_power_kw)});
  return unchecked;
}

namespace {

const PlanWorkload* first_bound(const PlanRequest& request) {
  for (const PlanWorkload& workload : request.workloads)
    if (stays_on_own_ground(sovereignty_of(request, workload))) return &workload;
  return nullptr;
}

/// Why machines must be owned; absent where they need not be.
std::optional<Message> why_owned(const PlanRequest& request, const PlanWorkload* bound) {
  if (bound != nullptr)
    return say("owned-because/bound", "workload"_v = bound->name,
               "sovereignty"_v = word_of(sovereignty_of(request, *bound)));
  const Ownership asked = request.constraints.ownership;
  if (asks_for_machines(asked)) return say("owned-because/asked", "ownership"_v = word_of(asked));
  return std::nullopt;
}

}  // namespace

std::vector<Infeasible> contradictions(const PlanRequest& request) {
  const PlanConstraints& site = request.constraints;
  const PlanWorkload* bound = first_bound(request);
  const std::optional<Message> why = why_owned(request, bound);
  std::vector<Infeasible> found;
  if (!why) return found;
  const auto owned = "owned"_v = *why;
  const Patch any_ownership("/constraints/ownership", std::string(word_of(Ownership::any)));
  // Asking for no machines lifts a conflict only where no workload is bound as well.
  const auto ways = [&](Patch own_way) {
    return bound == nullptr ? std::vector<Patch>{std::move(own_way), any_ownership}
                            : std::vector<Patch>{std::move(own_way)};
  };
  if (site.no_capital)
    found.push_back({.code = "no-capital",
                     .message = say("contradiction/no-capital", owned),
                     .ways_out = ways({"/constraints/no_capital", false})});
  if (site.no_staff && site.services == Services::self)
    found.push_back({.code = "no-staff",
                     .message = say("contradiction/no-staff", owned),
                     .ways_out = ways({"/constraints/services", std::string(word_of(Services::partner))})});
  if (bound != nullptr && site.ownership == Ownership::cloud)
    found.push_back(
        {.code = "cloud-asked", .message = say("contradiction/cloud-asked", owned), .ways_out = {any_ownership}});
  return found;
}

}  // namespace podwright
