#include "plan/plan_uncertainty.h"

#include <algorithm>

#include "cost/cost_inputs.h"
#include "cost/owned_terms.h"
#include "cost/resale.h"
#include "plan/plan_cost.h"

namespace podwright {
namespace {

/// The ends of a row as multiples of its typical value, for numbers that a plan knows better than the table.
void scale_by_row(const Catalog& catalog, std::string_view row_id, double most, UncertainNumber& number) {
  const PurchasePrice* row = purchase_figure(catalog, row_id);
  if (row == nullptr) return;
  number.low = number.typical * (row->price.low / row->price.typical);
  number.high = std::min(most, number.typical * (row->price.high / row->price.typical));
}

/// Lower and upper edge of the resale bands at the end of the horizon.
void add_residual(const Catalog& catalog, double horizon_years, UncertainNumber& residual) {
  const ResaleCurve curve = resale_curve(catalog);
  if (!curve.absence.empty()) return;
  NoTrace none;
  const double months = month_count(horizon_years);
  residual.low = std::min(residual.typical, resale_fraction(none, curve, months, std::nullopt, BandEdge::low));
  residual.high = std::max(residual.typical, resale_fraction(none, curve, months, std::nullopt, BandEdge::high));
}

/// The ranges of the catalog around certain costs; `most_used` is the utilization at the peak all the time.
void add_plan_ranges(const Catalog& catalog, const PlanRequest& request, const RentMarket& market, double most_used,
                     UncertainCosts& costs) {
  for (std::size_t i = 0; i < kCostInputCount; ++i) {
    const auto input = static_cast<CostInput>(i);
    UncertainNumber& number = costs[input];
    if (number.typical != 0) number = default_range(catalog, input, number.typical).number;
  }
  costs[CostInput::utilization] = certain(costs[CostInput::utilization].typical);
  costs[CostInput::life_years] = certain(request.economics.horizon_years);
  scale_by_row(catalog, "sustained-utilisation-of-owned-gpus", most_used, costs[CostInput::utilization]);
  // The price of the work as billed reaches from the lowest provider's to the middle one's.
  UncertainNumber& price = costs[CostInput::rent_per_gpu];
  if (!market.chosen_per_gpu || market.chosen->segment == CloudSegment::quote) return;
  price.low = price.typical * std::min(1.0, *market.lowest_per_gpu / *market.chosen_per_gpu);
  price.high = price.typical * std::max(1.0, *market.median_per_gpu / *market.chosen_per_gpu);
}

/// How long owned machines are worth running, and what they are sold for.
void add_ranges_of_owning(const Catalog& catalog, const PlanEconomics& economics, UncertainCosts& costs) {
  scale_by_row(catalog, "server-useful-life", kCostInputWords[index_of(CostInput::life_years)].most,
               costs[CostInput::life_years]);
  if (!economics.residual_fraction) add_residual(catalog, economics.horizon_years, costs[CostInput::residual_fraction]);
}

/// Renting on demand at the price of a GPU-hour, for what stands at every use.
void add_rent_at_use(const RentedTerms<NoTrace>& terms, const CloudCost<NoTrace>& cost, const PlanEconomics& economics,
                     const PlanUse& use, UncertainCosts& costs) {
  costs.use = use.points();
  if (terms.support_fraction) costs.rent_markup += *terms.support_fraction;
  if (terms.license_per_gpu) costs.rent_with_gpu = costs.rent_markup * *terms.license_per_gpu;
  costs[CostInput::rent_per_gpu] = certain(*terms.price_per_gpu);
  costs[CostInput::rent_growth] = certain(economics.rent_change_per_year);
  if (!cost.steady) return;
  const double gpus = at_use(costs.use, use.utilization).rented_gpus;
  costs[CostInput::rent_other] = certain(std::max(UsdPerSecond(0), *cost.steady - gpus * costs.rent_with_gpu));
}

/// Of machines that nobody owns.
UncertainCosts certain_renting(const PlanEconomics& economics, const PlanUse& use, double gpus) {
  UncertainCosts costs;
  costs.gpu_count = gpus;
  costs[CostInput::utilization] = certain(use.utilization);
  costs[CostInput::discount_rate] = certain(economics.discount_rate);
  costs[CostInput::life_years] = certain(economics.horizon_years);
  costs[CostInput::pue] = certain(1.0);  // of nothing
  return costs;
}

}  // namespace

std::optional<PlanUncertainty> plan_uncertainty(const Catalog& catalog, const PlanRequest& request,
                                                const PlanDecision& decision, const PlanNumbers<NoTrace>& numbers,
                                                const WayChoice& choice) {
  const PlanCost<NoTrace>& cost = numbers.cost;
  const PlanEconomics& economics = request.economics;
  const RentMarket& market = decision.pricing.market;
  const double gpus = numbers.demand.gpu_count;
  const auto owning = cost.owning.total ? certain_owning(cost.owning_inputs) : std::nullopt;
  PlanUncertainty of;
  of.owned = owning.has_value();
  of.rented = cost.on_demand && cost.on_demand->yearly;
  if (request.options.draws < 1 || !(of.owned || of.rented)) return std::nullopt;
  PlanUse use = cost.use.value_or(PlanUse{});
  if (of.rented && !cost.use)
    use = plan_detail::use_of_rented(request, decision.placed, *market.chosen, numbers.demand, gpus);
  UncertainCosts& costs = of.costs;
  costs = owning ? *owning : certain_renting(economics, use, gpus);
  if (of.rented) add_rent_at_use(cost.on_demand->inputs, cost.on_demand->cost, economics, use, costs);
  if (cost.level_demand) costs.rent_growth = *cost.level_demand;
  if (cost.growth_of_owning)
    costs.own_growth = cost.owning.total->yearly / (cost.owning.total->yearly - *cost.growth_of_owning);
  if (of.owned && of.rented && cost.hybrid)
    costs.mixed = MixedShares{.own = cost.hybrid->own_cost / cost.owning.total->yearly,
                              .rent = cost.hybrid->rent_cost / *cost.on_demand->yearly,
                              .purchase = *cost.hybrid_capex / cost.owning.capital->capex};
  const bool committed = cost.committed && cost.committed->way.yearly;
  if (committed) costs.committed = *cost.committed->way.yearly;
  costs.compared = {of.rented, committed, of.owned, costs.mixed.has_value()};
  for (const ExcludedWay& out : choice.excluded) costs.compared[static_cast<std::size_t>(out.way)] = false;
  add_plan_ranges(catalog, request, market, of.rented ? costs.use.back().utilization : 1.0, costs);
  if (of.owned) add_ranges_of_owning(catalog, economics, costs);
  CostInput input{};
  if (!uncertain_costs_problem(costs, input).empty()) return std::nullopt;
  of.drawn = draw_costs(costs, static_cast<std::size_t>(request.options.draws),
                        static_cast<std::uint64_t>(request.options.seed),
                        // What is paid by the end of a year is that of the machines of the start.
                        cost.level_demand ? 0 : static_cast<int>(economics.horizon_years));
  return of;
}

}  // namespace podwright
