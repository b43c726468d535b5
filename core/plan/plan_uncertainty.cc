#include "plan/plan_uncertainty.h"

#include <algorithm>

#include "cost/cost_inputs.h"
#include "cost/resale.h"

namespace podwright::plan_detail {
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

}  // namespace

void add_plan_ranges(const Catalog& catalog, const PlanRequest& request, const RentMarket& market,
                     UncertainCosts& costs) {
  for (std::size_t i = 0; i < kCostInputCount; ++i) {
    const auto input = static_cast<CostInput>(i);
    UncertainNumber& number = costs[input];
    if (number.typical != 0) number = default_range(catalog, input, number.typical).number;
  }
  const double use = costs[CostInput::utilization].typical;
  costs[CostInput::utilization] = certain(use);
  costs[CostInput::life_years] = certain(request.economics.horizon_years);
  scale_by_row(catalog, "sustained-utilisation-of-owned-gpus", costs.use.back().utilization,
               costs[CostInput::utilization]);
  scale_by_row(catalog, "server-useful-life", kCostInputWords[index_of(CostInput::life_years)].most,
               costs[CostInput::life_years]);
  if (!request.economics.residual_fraction)
    add_residual(catalog, request.economics.horizon_years, costs[CostInput::residual_fraction]);
  // The price of the work as billed reaches from the lowest provider's to the middle one's.
  UncertainNumber& price = costs[CostInput::rent_per_gpu];
  if (!market.chosen_per_gpu || market.chosen->segment == CloudSegment::quote) return;
  price.low = price.typical * std::min(1.0, *market.lowest_per_gpu / *market.chosen_per_gpu);
  price.high = price.typical * std::max(1.0, *market.median_per_gpu / *market.chosen_per_gpu);
}

}  // namespace podwright::plan_detail
