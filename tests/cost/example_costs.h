#pragma once
/// The server of owning_example.h against rented GPUs, and the ranges that a buyer of such a server meets.
#include "cost/owned_terms.h"
#include "cost/owning_example.h"

namespace podwright {

inline UncertainCosts example_costs() {
  UncertainCosts costs = *certain_owning(one_server());
  costs[CostInput::rent_per_gpu] = certain(usd_per_hour(3.99));
  return costs;
}

inline UncertainCosts example_uncertain_costs() {
  UncertainCosts costs = example_costs();
  costs[CostInput::utilization] = between(0.3, 0.6, 0.8);
  costs[CostInput::servers] = between(usd(190000), usd(285000), usd(350000));
  costs[CostInput::staff_fte] = between(0.05, 0.1, 0.25);
  costs[CostInput::license_per_gpu] = between(usd_per_year(0), usd_per_year(4500), usd_per_year(4500));
  costs[CostInput::support_fraction] = between(0.05, 0.1, 0.15);
  costs[CostInput::life_years] = between(4.0, 5.0, 6.0);
  costs[CostInput::discount_rate] = between(0.06, 0.08, 0.13);
  costs[CostInput::residual_fraction] = between(0.1, 0.2, 0.35);
  costs[CostInput::electricity_price] = between(usd_per_kwh(0.075), usd_per_kwh(0.083), usd_per_kwh(0.204));
  costs[CostInput::network] = between(usd(8 * 1600), usd(8 * 4000), usd(8 * 5000));
  costs[CostInput::pue] = between(1.09, 1.3, 1.56);
  return costs;
}

}  // namespace podwright
