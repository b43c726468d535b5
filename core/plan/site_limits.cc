#include "plan/site_limits.h"

#include <cmath>

#include "base/number_text.h"

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
    const std::string what = need.servers_alone ? "The servers alone cost about " : "The purchase costs about ";
    broken.push_back({.code = "budget",
                      .message = what + dollars_text(price) + ", the budget is " + dollars_text(*site.budget_usd) + ".",
                      .shortfall = price - *site.budget_usd,
                      .unit = "USD",
                      .ways_out = {"{\"constraints\":{\"budget_usd\":" + shortest_number(std::ceil(price)) + "}}"}});
  }
  if (site.site_power_kw && need.power && *need.power > kw(*site.site_power_kw)) {
    const double power = need.power->base_units() / 1e3;
    broken.push_back({.code = "site-power",
                      .message = "The machines draw " + human_number(power, 3) + " kW at the meter, the site has " +
                                 human_number(*site.site_power_kw, 3) + " kW.",
                      .shortfall = power - *site.site_power_kw,
                      .unit = "kW",
                      .ways_out = {"{\"constraints\":{\"site_power_kw\":" + shortest_number(std::ceil(power)) + "}}"}});
  }
  return broken;
}

}  // namespace podwright
