#pragma once
/// The answer about an owned cluster, from parts of which some may not be known: what is absent has a reason, and no
/// total is made without it. docs/method/ownership.md.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arithmetic.h"
#include "cost/owning.h"

namespace podwright {

/// One year of payments, without the purchase.
template <class Tracer>
struct OwningYear {
  int year = 0;                         ///< from 1
  Known<Tracer, UsdPerSecond> capital;  ///< level amount of the purchase
  Known<Tracer, UsdPerSecond> energy;   ///< at that year's price
  Known<Tracer, UsdPerSecond> operation;
  Known<Tracer, UsdPerSecond> total;     ///< capital and operation
  Known<Tracer, Usd> present_operation;  ///< value today
};

/// Groups are absent where a part of theirs is not known; `missing` says which.
template <class Tracer>
struct OwningCost {
  std::optional<OwnedCapital<Tracer>> capital;
  std::optional<OwnedOperation<Tracer>> operation;
  std::optional<OwnedTotal<Tracer>> total;
  std::optional<Known<Tracer, UsdPerSecond>> used;                     ///< for each GPU-hour that is used
  std::optional<Known<Tracer, UsdPerSecond>> straight_line_capital;    ///< without interest
  std::optional<Known<Tracer, UsdPerSecond>> straight_line_available;  ///< for each GPU without interest
  std::vector<OwningYear<Tracer>> by_year;                             ///< empty where the horizon is not whole years
  std::optional<Known<Tracer, Usd>> capex_at_least;            ///< of the parts that are known, where some are not
  std::optional<Known<Tracer, UsdPerSecond>> yearly_at_least;  ///< the same of the whole cost
  std::vector<std::string> missing;
};

namespace owning_detail {

/// Takes amounts out of parts; remembers whether all are known, and what is missing.
template <class Tracer>
struct Taker {
  Tracer& trace;
  std::vector<std::string>& missing;
  bool complete = true;

  template <class T>
  void take(CostInput input, std::string_view nothing, const CostPart<Tracer, T>& part, Known<Tracer, T>& term) {
    term = part.amount ? *part.amount : trace.constant(nothing, T(neutral_of(input)), "no part of what is asked");
    if (part.amount || part.absence.empty()) return;
    complete = false;
    if (std::find(missing.begin(), missing.end(), part.absence) == missing.end()) missing.push_back(part.absence);
  }
};

template <class Tracer>
std::vector<OwningYear<Tracer>> by_year(Tracer& trace, const OwningCost<Tracer>& cost, const OwnedTerms<Tracer>& inputs,
                                        const Known<Tracer, double>& escalation) {
  std::vector<OwningYear<Tracer>> years;
  const double count = value_of(inputs.horizon_years);
  if (std::floor(count) != count) return years;
  const OwnedOperation<Tracer>& operation = *cost.operation;
  for (int index = 1; index <= static_cast<int>(count); ++index) {
    OwningYear<Tracer> of;
    of.year = index;
    const auto year = trace.constant("year", static_cast<double>(index), "years in service");
    of.capital = cost.capital->yearly;
    of.energy = named("cost.energy_of_year", escalated_cost(operation.energy_first_year, escalation, year));
    const auto site = named("cost.site_of_year", site_cost(of.energy, operation.facility));
    of.operation = named("cost.operation_of_year", operation_cost(site, operation.care, operation.connection));
    of.total = named("cost.ownership_of_year", ownership_cost(of.capital, of.operation));
    const auto discount = named("cost.discount", discount_factor(inputs.discount_rate, year));
    of.present_operation = named("cost.present_operation_of_year", present_value(of.operation, discount));
    years.push_back(std::move(of));
  }
  return years;
}

}  // namespace owning_detail

template <class Tracer>
OwningCost<Tracer> owning_cost(Tracer& trace, const OwnedTerms<Tracer>& inputs) {
  OwningCost<Tracer> cost;
  const Horizon<Tracer> horizon = horizon_of<Tracer>(inputs.horizon_years, inputs.discount_rate);
  OwnedTerms<Tracer, Known> terms{.gpu_count = inputs.gpu_count};
  owning_detail::Taker<Tracer> taker{.trace = trace, .missing = cost.missing};
  const auto take = [&](CostInput input, std::string_view nothing, const auto& part, auto& term) {
    taker.take(input, nothing, part, term);
  };
  for_each_capital_term(take, inputs, terms);
  if (taker.complete) cost.capital = owned_capital(terms, horizon);
  // Support is a share of the servers' price: without the one the other is not known either.
  taker.complete = !inputs.support_fraction.amount || inputs.servers.absence.empty() || inputs.servers.amount;
  for_each_operation_term(take, inputs, terms);
  if (taker.complete) cost.operation = owned_operation(terms, horizon);

  if (!cost.capital || !cost.operation) {
    const OwnedCapital<Tracer> known = owned_capital(terms, horizon);
    if (value_of(known.capex) > Usd(0)) cost.capex_at_least = named("cost.capex_at_least", known.capex);
    cost.yearly_at_least =
        named("cost.ownership_at_least", ownership_cost(known.yearly, owned_operation(terms, horizon).yearly));
    return cost;
  }
  cost.total = owned_total(*cost.capital, *cost.operation, inputs.gpu_count, horizon);
  if (inputs.utilization)
    cost.used = named("cost.own_per_used_gpu", used_gpu_price(cost.total->available, *inputs.utilization));
  cost.straight_line_capital = named("cost.straight_line_capital",
                                     straight_line(cost.capital->capex, cost.capital->terminal, inputs.horizon_years));
  cost.straight_line_available =
      named("cost.straight_line_per_gpu",
            available_gpu_price(*cost.straight_line_capital, cost.operation->yearly, inputs.gpu_count));
  cost.by_year = owning_detail::by_year(trace, cost, inputs, terms.escalation);
  return cost;
}

}  // namespace podwright
