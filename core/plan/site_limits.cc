#include "plan/site_limits.h"

#include <cmath>

#include "base/number_text.h"

namespace podwright {

std::optional<Usd> known_purchase(const PlanCost<NoTrace>& cost) {
  if (cost.owning.capital) return cost.owning.capital->capex;
  if (cost.machines) return cost.machines->typical;
  return std::nullopt;
}

std::vector<Infeasible> broken_site_limits(const PlanRequest& request, const PlanNumbers<NoTrace>& numbers) {
  const PlanConstraints& site = request.constraints;
  std::vector<Infeasible> broken;
  const std::optional<Usd> purchase = known_purchase(numbers.cost);
  if (site.budget_usd && purchase && *purchase > usd(*site.budget_usd)) {
    const double price = purchase->base_units();
    const std::string what =
        numbers.cost.owning.capital ? "The purchase costs about " : "The servers alone cost about ";
    broken.push_back({.code = "budget",
                      .message = what + dollars_text(price) + ", the budget is " + dollars_text(*site.budget_usd) + ".",
                      .shortfall = price - *site.budget_usd,
                      .unit = "USD",
                      .ways_out = {"{\"constraints\":{\"budget_usd\":" + shortest_number(std::ceil(price)) + "}}"}});
  }
  if (site.site_power_kw && numbers.cost.energy && numbers.cost.energy->facility_power_max > kw(*site.site_power_kw)) {
    const double power = numbers.cost.energy->facility_power_max.base_units() / 1e3;
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
