#include <array>

#include "api/write_common.h"
#include "api/write_cost.h"
#include "api/write_uncertainty.h"
#include "cost/default_ranges.h"
#include "cost/uncertain_owning.h"
#include "cost/uncertainty_numbers.h"

namespace podwright {
namespace {

/// The inputs that a request may give a range for, in the order of kCostRangeNames, and the unit of their numbers.
struct RangedInput {
  CostInput input;
  double base_units;
};
constexpr std::array<RangedInput, kCostRangeNames.size()> kRangedInputs{{{CostInput::utilization, 1},
                                                                         {CostInput::life_years, 1},
                                                                         {CostInput::discount_rate, 1},
                                                                         {CostInput::servers, 1},
                                                                         {CostInput::network, 1},
                                                                         {CostInput::residual_fraction, 1},
                                                                         {CostInput::pue, 1},
                                                                         {CostInput::electricity_price, 1.0 / 3.6e6},
                                                                         {CostInput::support_fraction, 1},
                                                                         {CostInput::license_per_gpu, 1.0 / 31536000},
                                                                         {CostInput::staff_fte, 1},
                                                                         {CostInput::rent_per_gpu, 1.0 / 3600},
                                                                         {CostInput::rent_growth, 1}}};

/// The rent of the request beside the owned machines; without one the owned side is drawn alone.
void add_rent(const CostRequest& request, const CostSides& sides, UncertainCosts& costs) {
  if (!sides.cloud || !sides.cloud->cost.price_per_gpu) return;
  const CloudCost<Trace>& cost = sides.cloud->cost;
  const auto& each = cost.effective_price_per_gpu ? cost.effective_price_per_gpu : cost.price_per_gpu;
  costs[CostInput::rent_per_gpu] = certain(each->value);
  costs[CostInput::rent_growth] = certain(request.cloud->price_change_per_year);
  if (cost.steady) costs[CostInput::rent_other] = certain(cost.steady->value);
  costs.commitment_years = sides.cloud->inputs.commitment_years;
}

void add_ranges(const Catalog& catalog, const CostRequest& request, UncertainCosts& costs) {
  for (std::size_t i = 0; i < kRangedInputs.size(); ++i) {
    const auto [input, base] = kRangedInputs[i];
    UncertainNumber& number = costs[input];
    const CostRange& asked = request.uncertainty.ranges[i];
    if (asked.low || asked.high)
      number = between(asked.low ? *asked.low * base : number.typical, number.typical,
                       asked.high ? *asked.high * base : number.typical);
    else if (number.typical != 0)
      number = default_range(catalog, input, number.typical).number;
  }
  costs.utilization_rent_correlation = request.uncertainty.price_utilization_correlation.value_or(0);
}

}  // namespace

void write_uncertainty(JsonWriter& out, Trace& trace, const Catalog& catalog, const CostRequest& request,
                       const CostSides& sides) {
  if (!sides.owned) return;
  std::optional<UncertainCosts> costs = certain_owning(sides.owned->inputs);
  if (!costs) return;
  add_rent(request, sides, *costs);
  add_ranges(catalog, request, *costs);
  CostInput input{};
  if (const std::string_view problem = uncertain_costs_problem(*costs, input); !problem.empty()) {
    write_texts(out, "not_drawn", {std::string(kCostInputWords[index_of(input)].name) + ": " + std::string(problem)});
    return;
  }
  const bool rented = (*costs)[CostInput::rent_per_gpu].typical > 0;
  const CostDistribution drawn = draw_costs(*costs, static_cast<std::size_t>(request.uncertainty.draws),
                                            static_cast<std::uint64_t>(request.uncertainty.seed));
  const UncertaintyNumbers<Trace> numbers = uncertainty_numbers(trace, *costs, drawn);
  write_distribution(out, drawn.draws, numbers, rented);
  write_tornado(out, numbers);
  if (rented) write_flips(out, numbers);
}

}  // namespace podwright
