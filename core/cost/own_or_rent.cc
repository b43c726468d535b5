#include "cost/own_or_rent.h"

namespace podwright {

OwnOrRent own_or_rent_at(const UncertainCosts& costs, CostInput other, double number) {
  return own_or_rent(costs.gpu_count, costs.commitment_years,
                     [&](CostInput input) { return input == other ? number : costs[input].typical; });
}

OwnOrRent own_or_rent_typical(const UncertainCosts& costs) {
  return own_or_rent(costs.gpu_count, costs.commitment_years, [&](CostInput input) { return costs[input].typical; });
}

std::string_view uncertain_costs_problem(const UncertainCosts& costs, CostInput& input) {
  for (std::size_t i = 0; i < kCostInputCount; ++i) {
    input = static_cast<CostInput>(i);
    const UncertainNumber& number = costs.inputs[i];
    const CostInputWord& word = kCostInputWords[i];
    if (!(number.low <= number.typical && number.typical <= number.high)) return "low, typical and high must rise";
    if (!(number.low >= word.least && number.high <= word.most)) return "lies outside the range of the model";
    if (word.shape == CostInputShape::lognormal && !number.certain() && !(number.low > 0))
      return "an uncertain price must be above 0";
  }
  return {};
}

}  // namespace podwright
