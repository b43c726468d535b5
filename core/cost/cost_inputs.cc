#include "cost/cost_inputs.h"

#include <algorithm>
#include <string_view>

#include "cost/purchase.h"

namespace podwright {
namespace {

/// The purchase table's row for an input, and how its ends are read.
struct RowOfInput {
  CostInput input;
  std::string_view row;
  bool relative;
};
constexpr RowOfInput kRowsOfInputs[] = {
    {CostInput::utilization, "sustained-utilisation-of-owned-gpus", false},
    {CostInput::life_years, "server-useful-life", false},
    {CostInput::discount_rate, "cost-of-capital", false},
    {CostInput::servers, "h100-all-in-cluster-capex-per-gpu-slot", true},
    {CostInput::network, "infiniband-ndr-fabric-per-gpu-all-in", true},
    {CostInput::storage, "parallel-file-system-lustre-gpfs-usable", true},
    {CostInput::installation_fraction, "integration-and-deployment-uplift-on-hardware", true},
    {CostInput::load, "server-average-power-peak-power", false},
    {CostInput::pue, "pue", false},
    {CostInput::electricity_price, "electricity-us-industrial", true},
    {CostInput::electricity_growth, "electricity-price-escalation", false},
    {CostInput::support_fraction, "hardware-support-maintenance", true},
    {CostInput::staff_fte, "fte-per-gpu-server", true},
    {CostInput::staff_pay, "infrastructure-engineer-fully-loaded", true},
};

}  // namespace

DefaultRange default_range(const Catalog& catalog, CostInput input, double typical) {
  DefaultRange range{.number = certain(typical), .row = nullptr};
  if (typical == 0.0) return range;  // what is not there is not uncertain
  const auto* const link = std::find_if(std::begin(kRowsOfInputs), std::end(kRowsOfInputs),
                                        [&](const RowOfInput& row) { return row.input == input; });
  if (link == std::end(kRowsOfInputs)) return range;
  const PurchasePrice* row = purchase_figure(catalog, link->row);
  if (row == nullptr || !(row->price.typical > Usd(0))) return range;
  range.row = row;
  double low = row->price.low / usd(1);
  double high = row->price.high / usd(1);
  if (link->relative) {
    low = typical * (row->price.low / row->price.typical);
    high = typical * (row->price.high / row->price.typical);
  }
  const CostInputWord& word = kCostInputWords[index_of(input)];
  range.number.low = std::min(typical, std::max(word.least, low));
  range.number.high = std::max(typical, std::min(word.most, high));
  return range;
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
