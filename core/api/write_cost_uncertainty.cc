#include <array>
#include <cmath>

#include "api/write_common.h"
#include "api/write_cost.h"
#include "api/write_uncertainty.h"
#include "base/number_text.h"
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

/// The rent of the request beside the owned machines; without one the owned side is drawn alone. An hour in use carries
/// what follows the price of the machines.
void add_rent(const CostRequest& request, const CostSides& sides, UncertainCosts& costs) {
  if (!sides.cloud || !sides.cloud->years) return;
  const CloudCost<Trace>& cost = sides.cloud->cost;
  costs.commitment_years = sides.cloud->inputs.commitment_years;
  const double billed_share = costs.commitment_years > 0 ? 1.0 : request.utilization;
  costs[CostInput::rent_per_gpu] = certain(cost.drifting->value / (request.gpu_count * billed_share));
  costs[CostInput::rent_growth] = certain(request.cloud->price_change_per_year);
  if (cost.steady) costs[CostInput::rent_other] = certain(cost.steady->value);
}

/// "No range is given for utilization: 0.3 to 0.8 of the row ... stand in."
std::string default_text(CostInput input, const DefaultRange& range) {
  const CostInputWord& word = kCostInputWords[index_of(input)];
  const std::string unit =
      std::string_view(word.unit.sign) == unit::kNone.sign ? "" : " " + std::string(word.unit.sign);
  return "No range is given for " + std::string(word.name) + "; drawn from " +
         human_number(range.number.low / word.unit.base_units) + " to " +
         human_number(range.number.high / word.unit.base_units) + unit + ", from \"" + range.row->name + "\" (" +
         range.row->source_of("typical") + ").";
}

/// An end in base units. One that is the typical number itself must not lie beside it by rounding.
double end_of_range(double asked, double base_units, double typical) {
  const double end = asked * base_units;
  return std::fabs(end - typical) <= 1e-12 * std::fabs(typical) ? typical : end;
}

void add_ranges(const Catalog& catalog, const CostRequest& request, UncertainCosts& costs,
                std::vector<std::string>& assumed) {
  for (std::size_t i = 0; i < kRangedInputs.size(); ++i) {
    const auto [input, base] = kRangedInputs[i];
    UncertainNumber& number = costs[input];
    const CostRange& asked = request.uncertainty.ranges[i];
    if (asked.low || asked.high) {
      number = between(asked.low ? end_of_range(*asked.low, base, number.typical) : number.typical, number.typical,
                       asked.high ? end_of_range(*asked.high, base, number.typical) : number.typical);
    } else if (number.typical != 0) {
      const DefaultRange range = default_range(catalog, input, number.typical);
      number = range.number;
      if (range.row != nullptr && !number.certain()) assumed.push_back(default_text(input, range));
    }
  }
  if (costs[CostInput::rent_per_gpu].typical > 0 && costs[CostInput::rent_per_gpu].certain())
    assumed.emplace_back("No range is given for the rent: the draws take it as certain.");
  costs.utilization_rent_correlation = request.uncertainty.price_utilization_correlation.value_or(0);
}

}  // namespace

std::optional<UncertaintyAnswer> uncertainty_answer(Trace& trace, const Catalog& catalog, const CostRequest& request,
                                                    const CostSides& sides, std::vector<std::string>& assumed) {
  if (!sides.owned) return std::nullopt;
  std::optional<UncertainCosts> costs = certain_owning(sides.owned->inputs);
  if (!costs) return std::nullopt;
  add_rent(request, sides, *costs);
  add_ranges(catalog, request, *costs, assumed);
  UncertaintyAnswer answer;
  CostInput input{};
  if (const std::string_view problem = uncertain_costs_problem(*costs, input); !problem.empty()) {
    answer.problem = std::string(kCostInputWords[index_of(input)].name) + ": " + std::string(problem) + ".";
    return answer;
  }
  answer.rented = (*costs)[CostInput::rent_per_gpu].typical > 0;
  answer.numbers = uncertainty_numbers(
      trace, *costs,
      draw_costs(*costs, static_cast<std::size_t>(request.uncertainty.draws),
                 static_cast<std::uint64_t>(request.uncertainty.seed), static_cast<int>(request.horizon_years)));
  return answer;
}

void write_uncertainty(JsonWriter& out, Trace& trace, const CostRequest& request, const CostSides& sides) {
  if (!sides.uncertainty) return;
  if (!sides.uncertainty->numbers) {
    write_texts(out, "not_drawn", {sides.uncertainty->problem});
    return;
  }
  const UncertaintyNumbers<Trace>& numbers = *sides.uncertainty->numbers;
  write_distribution(out, trace, trace.input("/uncertainty/draws", request.uncertainty.draws), numbers,
                     sides.uncertainty->rented);
  write_tornado(out, numbers);
  if (sides.uncertainty->rented) write_flips(out, numbers);
}

}  // namespace podwright
