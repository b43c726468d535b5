#pragma once
/// Draws, tornado and flips with their nodes of the explanation: a method page stands for each, since no equation gives
/// them.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/trace.h"
#include "cost/cloud_cost.h"
#include "cost/monte_carlo.h"
#include "cost/tornado.h"

namespace podwright {

inline constexpr const char* kTornadoPage = "docs/method/uncertainty.md#tornado";

template <class Tracer>
struct UncertaintyNumbers {
  struct Flip {
    CostInput input{};
    std::optional<Known<Tracer, double>>
        value;  ///< in the input's unit (kCostInputWords); absent: nothing changes the decision
    bool inside_range = false;
  };
  SpreadOf<Tracer> used_gpu;
  SpreadOf<Tracer> own;
  SpreadOf<Tracer> rent;
  SpreadOf<Tracer> own_minus_rent;
  std::optional<SpreadOf<Tracer>> mixed;
  Known<Tracer, double> probability_owning_is_cheaper{};
  std::vector<PaidFanOf<Tracer>> paid;
  std::vector<TornadoBarOf<Tracer>> tornado;  ///< of the cost of a used GPU-hour
  std::vector<Flip> flips;
};

/// `costs` must be without problem; `drawn` from them by draw_costs().
template <class Tracer>
UncertaintyNumbers<Tracer> uncertainty_numbers(Tracer& trace, const UncertainCosts& costs,
                                               const CostDistribution& drawn) {
  using Numbers = UncertaintyNumbers<Tracer>;
  Numbers numbers;
  const auto spread = [&](const std::string& id, const CostSpread& of) {
    return SpreadOf<Tracer>{.p5 = trace.method("cost.draws." + id + ".p5", of.p5, kDrawsPage),
                            .p50 = trace.method("cost.draws." + id + ".p50", of.p50, kDrawsPage),
                            .p95 = trace.method("cost.draws." + id + ".p95", of.p95, kDrawsPage)};
  };
  numbers.used_gpu = spread("used_gpu", drawn.used_gpu);
  numbers.own = spread("own", drawn.own);
  numbers.rent = spread("rent", drawn.rent);
  numbers.own_minus_rent = spread("own_minus_rent", drawn.own_minus_rent);
  if (drawn.mixed) numbers.mixed = spread("mixed", *drawn.mixed);
  numbers.probability_owning_is_cheaper =
      trace.method("cost.draws.probability", drawn.probability_owning_is_cheaper, kDrawsPage);
  for (const PaidFan& year : drawn.paid) {
    PaidFanOf<Tracer> shown{.years = year.years, .own = {}, .rent = {}, .mixed = {}};
    for (std::size_t i = 0; i < kFanShares.size(); ++i) {
      const std::string name(kFanNames[i]);
      shown.own[i] = trace.method("cost.draws.paid_own." + name, year.own[i], kDrawsPage);
      shown.rent[i] = trace.method("cost.draws.paid_rent." + name, year.rent[i], kDrawsPage);
      if (drawn.mixed) shown.mixed[i] = trace.method("cost.draws.paid_mixed." + name, year.mixed[i], kDrawsPage);
    }
    numbers.paid.push_back(shown);
  }
  const auto name_of = [](CostInput input) { return std::string(kCostInputWords[index_of(input)].name); };
  for (const TornadoBar& bar : tornado(costs, CostResult::used_gpu)) {
    const std::string id = "cost.tornado." + name_of(bar.input);
    numbers.tornado.push_back({.input = bar.input,
                               .at_low = trace.method(id + ".at_low", bar.at_low, kTornadoPage),
                               .at_high = trace.method(id + ".at_high", bar.at_high, kTornadoPage),
                               .swing = trace.method(id + ".swing", bar.swing, kTornadoPage)});
  }
  for (const DecisionFlip& flip : decision_flips(costs)) {
    typename Numbers::Flip shown{.input = flip.input, .value = {}, .inside_range = flip.inside_range};
    const double unit = kCostInputWords[index_of(flip.input)].unit.base_units;
    if (flip.value) shown.value = trace.method("cost.flip." + name_of(flip.input), *flip.value / unit, kTornadoPage);
    numbers.flips.push_back(shown);
  }
  return numbers;
}

/// The rent of `terms`, whose bill is `cost`, against the owned machines; an hour in use carries what follows the price
/// of the machines. `costs` has the owning side.
template <class Tracer>
void add_certain_rent(const RentedTerms<Tracer>& terms, const CloudCost<Tracer>& cost, double price_change,
                      UncertainCosts& costs) {
  const double billed_share = terms.commitment_years > 0 ? 1.0 : costs[CostInput::utilization].typical;
  costs.commitment_years = terms.commitment_years;
  costs[CostInput::rent_per_gpu] = certain(value_of(*cost.drifting) / (costs.gpu_count * billed_share));
  costs[CostInput::rent_growth] = certain(price_change);
  if (cost.steady) costs[CostInput::rent_other] = certain(value_of(*cost.steady));
}

}  // namespace podwright
