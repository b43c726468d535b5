#pragma once
/// A first comparison of owning and renting: servers and their electricity against the same number of rented GPUs, both
/// for whole years. What it leaves out is named; none of it is counted as 0.
#include <optional>
#include <string>
#include <vector>

#include "base/trace.h"
#include "cost/capital.h"
#include "cost/levelised.h"
#include "cost/owning.h"

namespace podwright {

/// How the purchase is spread over time.
template <class Tracer>
struct CapitalTerms {
  typename Tracer::template Known<double> horizon_years;      ///< whole years in service
  typename Tracer::template Known<double> discount_rate;      ///< per year; 0: straight line
  typename Tracer::template Known<double> residual_fraction;  ///< of the servers' price, at the end
};

/// Level yearly cost of the servers.
template <class Tracer>
typename Tracer::template Known<UsdPerSecond> yearly_capital(Tracer& trace,
                                                             const typename Tracer::template Known<Usd>& servers,
                                                             const CapitalTerms<Tracer>& terms) {
  const auto residual = trace.step("cost.residual", kResidualValue, servers, terms.residual_fraction);
  return level_capital(trace, servers, residual, horizon_of(trace, terms.horizon_years, terms.discount_rate));
}

/// Costs as money per time, shown per year at 8,760 hours. Absent numbers have a reason in `missing`.
template <class Tracer>
struct BuyOrRent {
  using Rate = typename Tracer::template Known<UsdPerSecond>;
  std::optional<Rate> capital;
  std::optional<Rate> energy;
  std::optional<Rate> own;          ///< capital and energy
  std::optional<Rate> own_per_gpu;  ///< of the GPUs installed, ready for use
  std::optional<Rate> rent;
  std::optional<typename Tracer::template Known<double>>
      break_even_utilization;  ///< above it owning is cheaper, as far as the two sums go
  std::vector<std::string> missing;
  std::vector<std::string> not_modelled;
};

/// What the comparison never holds.
std::vector<std::string> costs_left_out();

/// What is known of the two ways; `missing` of the answer takes over the reasons given for what is absent.
template <class Tracer>
struct BuyOrRentInputs {
  std::optional<typename Tracer::template Known<double>> installed_gpus;
  std::optional<typename Tracer::template Known<Usd>> servers;
  std::optional<typename Tracer::template Known<UsdPerSecond>> energy;
  std::optional<typename Tracer::template Known<UsdPerSecond>> rent;
  std::vector<std::string> missing;  ///< named absences, e.g. "No dated source for ..."
};

template <class Tracer>
BuyOrRent<Tracer> buy_or_rent(Tracer& trace, const BuyOrRentInputs<Tracer>& inputs, const CapitalTerms<Tracer>& terms) {
  BuyOrRent<Tracer> answer;
  answer.missing = inputs.missing;
  answer.not_modelled = costs_left_out();
  answer.energy = inputs.energy;
  answer.rent = inputs.rent;
  if (inputs.servers) answer.capital = yearly_capital(trace, *inputs.servers, terms);
  if (!answer.capital || !answer.energy) return answer;
  answer.own = trace.sum("cost.own", std::vector{*answer.capital, *answer.energy});
  if (inputs.installed_gpus)
    answer.own_per_gpu =
        trace.step("cost.own_per_gpu", kAvailableGpuPrice, *answer.capital, *answer.energy, *inputs.installed_gpus);
  if (answer.rent)
    answer.break_even_utilization =
        trace.step("cost.break_even_utilization", kBreakEvenUtilization, *answer.own, *answer.rent);
  return answer;
}

}  // namespace podwright
