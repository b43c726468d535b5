#include "plan/site_limits.h"

#include <cmath>

namespace podwright {

OwnedNeed need_of_owning(const PlanNumbers<NoTrace>& numbers) {
  const PlanCost<NoTrace>& cost = numbers.cost;
  OwnedNeed need;
  if (cost.owning.capital) {
    need.purchase = cost.owning.capital->capex;
  } else if (cost.machines) {
    need.purchase = cost.machines->typical;
    need.servers_alone = true;
  }
  if (cost.energy) need.power = cost.energy->facility_power_max;
  return need;
}

std::optional<OwnedNeed> need_of_hybrid(const PlanNumbers<NoTrace>& numbers) {
  if (!numbers.cost.hybrid || !numbers.design || !numbers.design->size.gpus) return std::nullopt;
  const double part = numbers.cost.hybrid->own_gpus / *numbers.design->size.gpus;
  OwnedNeed need = need_of_owning(numbers);
  if (need.purchase) need.purchase = part * *need.purchase;
  if (need.power) need.power = part * *need.power;
  return need;
}

std::vector<Infeasible> broken_site_limits(const PlanConstraints& site, const OwnedNeed& need) {
  std::vector<Infeasible> broken;
  if (site.budget_usd && need.purchase && *need.purchase > usd(*site.budget_usd)) {
    const double price = need.purchase->base_units();
    const auto purchase = "purchase_usd"_v = price;
    const auto budget = "budget_usd"_v = *site.budget_usd;
    broken.push_back(
        {.code = "budget",
         .message = need.servers_alone ? say("budget/servers", purchase, budget) : say("budget", purchase, budget),
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

}  // namespace podwright
