#pragma once
/// One server with eight H100 of one's own against rented ones: 285,000 USD for the server, 4,000 per GPU for the
/// network, 25,000 for storage, a fifth of the server left after five years at 8 %; 10.2 kW at 75 % load, PUE 1.3,
/// 0.083 USD/kWh; support 10 % of the server a year, licences of 4,500 USD per GPU and year, a tenth of a person.
#include "cost/cost_inputs.h"

namespace podwright {

constexpr UsdPerSecond usd_per_year(double amount) { return usd(amount) / years(1); }

inline UncertainCosts example_costs() {
  UncertainCosts costs;
  costs.gpu_count = 8;
  costs[CostInput::utilization] = certain(0.6);
  costs[CostInput::life_years] = certain(5.0);
  costs[CostInput::discount_rate] = certain(0.08);
  costs[CostInput::servers] = certain(usd(285000));
  costs[CostInput::network] = certain(usd(32000));
  costs[CostInput::storage] = certain(usd(25000));
  costs[CostInput::residual_fraction] = certain(0.2);
  costs[CostInput::it_power] = certain(kw(10.2));
  costs[CostInput::load] = certain(0.75);
  costs[CostInput::pue] = certain(1.3);
  costs[CostInput::electricity_price] = certain(usd_per_kwh(0.083));
  costs[CostInput::support_fraction] = certain(0.1);
  costs[CostInput::license_per_gpu] = certain(usd_per_year(4500));
  costs[CostInput::staff_fte] = certain(0.1);
  costs[CostInput::staff_pay] = certain(usd_per_year(200000));
  costs[CostInput::rent_per_gpu] = certain(usd_per_hour(3.99));
  return costs;
}

/// The same with the ranges that a buyer of such a server meets.
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
