#pragma once
/// How sure a plan's comparison of owning and renting is. docs/method/decision.md#uncertainty.
#include <optional>

#include "cost/monte_carlo.h"
#include "cost/owned_terms.h"
#include "cost/uncertainty_numbers.h"
#include "plan/plan_cost.h"

namespace podwright {

/// What is drawn, and what came of it.
struct PlanUncertainty {
  UncertainCosts costs;
  CostDistribution drawn;
};

namespace plan_detail {

/// The ranges of the catalog around certain costs.
void add_plan_ranges(const Catalog& catalog, const PlanRequest& request, const RentMarket& market,
                     UncertainCosts& costs);

/// Renting on demand at the price of a GPU-hour, for what stands at every use.
template <class Tracer>
void add_rent_at_use(const RentedTerms<Tracer>& terms, const CloudCost<Tracer>& cost, const PlanEconomics& economics,
                     const PlanUse& use, UncertainCosts& costs) {
  costs.use = use.points();
  if (terms.support_fraction) costs.rent_markup += value_of(*terms.support_fraction);
  if (terms.license_per_gpu) costs.rent_with_gpu = costs.rent_markup * value_of(*terms.license_per_gpu);
  costs[CostInput::rent_per_gpu] = certain(value_of(*terms.price_per_gpu));
  costs[CostInput::rent_growth] = certain(economics.rent_change_per_year);
  if (!cost.steady) return;
  const double gpus = at_use(costs.use, use.utilization).rented_gpus;
  costs[CostInput::rent_other] =
      certain(std::max(UsdPerSecond(0), value_of(*cost.steady) - gpus * costs.rent_with_gpu));
}

}  // namespace plan_detail

/// Absent where owning or renting has no whole sum, or no draws are asked for.
template <class Tracer>
std::optional<PlanUncertainty> plan_uncertainty(const Catalog& catalog, const PlanRequest& request,
                                                const RentMarket& market, const PlanCost<Tracer>& cost) {
  if (request.options.draws < 1 || !cost.owning.total || !cost.use) return std::nullopt;
  const std::optional<UncertainCosts> certain = certain_owning(cost.owning_inputs);
  if (!certain) return std::nullopt;
  PlanUncertainty uncertainty{.costs = *certain, .drawn = {}};
  plan_detail::add_rent_at_use(cost.on_demand->inputs, cost.on_demand->cost, request.economics, *cost.use,
                               uncertainty.costs);
  if (cost.level_demand) uncertainty.costs.rent_growth = *cost.level_demand;
  if (cost.growth_of_owning)
    uncertainty.costs.own_growth = cost.owning.total->yearly / (cost.owning.total->yearly - *cost.growth_of_owning);
  if (cost.hybrid && cost.on_demand->yearly)
    uncertainty.costs.mixed = MixedShares{.own = cost.hybrid->own_cost / cost.owning.total->yearly,
                                          .rent = cost.hybrid->rent_cost / *cost.on_demand->yearly};
  plan_detail::add_plan_ranges(catalog, request, market, uncertainty.costs);
  CostInput input{};
  if (!uncertain_costs_problem(uncertainty.costs, input).empty()) return std::nullopt;
  uncertainty.drawn =
      draw_costs(uncertainty.costs, static_cast<std::size_t>(request.options.draws),
                 static_cast<std::uint64_t>(
                     request.options.seed),  // What is paid by the end of a year is that of the machines of the start.
                 cost.level_demand ? 0 : static_cast<int>(request.economics.horizon_years));
  return uncertainty;
}

}  // namespace podwright
