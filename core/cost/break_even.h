#pragma once
/// From when on owning is cheaper than renting: the share of use, and the time. "Never" is an answer with a reason.
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/levelised.h"
#include "cost/paid_rent.h"

namespace podwright {

/// One per cent of rent moves an ill-conditioned break-even time by this many per cent or more.
inline constexpr double kIllConditioned = 10;

template <class Tracer>
struct BreakEvenTerms {
  typename Tracer::template Known<Usd> capex;               ///< all of it, without residual value
  typename Tracer::template Known<UsdPerSecond> own;        ///< capital and operation, level
  typename Tracer::template Known<UsdPerSecond> operation;  ///< of the owned machines
  typename Tracer::template Known<UsdPerSecond> rent;       ///< of the same number of GPUs, all the time
  std::optional<typename Tracer::template Known<double>>
      price_change;  ///< of the rent, per year, above -1; absent: none
  std::optional<typename Tracer::template Known<UsdPerSecond>>
      level_rent;            ///< of the same GPUs over the horizon, for the share of use; absent: `rent`
  double horizon_years = 0;  ///< 0: not looked at
};

template <class Tracer>
struct BreakEven {
  std::optional<typename Tracer::template Known<double>> utilization;  ///< above it owning is cheaper; may be above 1
  std::optional<typename Tracer::template Known<Seconds>> time;        ///< of all machines in use; absent: never
  std::optional<typename Tracer::template Known<double>>
      sensitivity;     ///< relative change of `time` for one of the rent
  std::string reason;  ///< why `time` is absent
  std::vector<std::string> cautions;
};

/// Why the purchase is never earned back.
std::string never_earned_back(UsdPerSecond rent, UsdPerSecond operation, double price_change);
/// What to know of a break-even that exists.
std::vector<std::string> break_even_cautions(double utilization, std::optional<Seconds> time, double sensitivity,
                                             double horizon_years);

namespace break_even_detail {

template <class Tracer>
void add_drifted(Tracer& trace, const BreakEvenTerms<Tracer>& terms, Seconds found, double change,
                 BreakEven<Tracer>& answer) {
  const auto time = trace.method("cost.break_even_time_with_drift", found, "docs/method/ownership.md#price-drift");
  const auto decay = trace.method("cost.price_decay", price_decay(change), "docs/method/ownership.md#price-drift");
  const auto paid = named("cost.paid_rent", paid_rent(terms.rent, decay, time));
  const auto then = named("cost.drifted_rent", drifted_rent(terms.rent, decay, time));
  answer.time = time;
  answer.sensitivity = named("cost.break_even_sensitivity", drifted_sensitivity(paid, time, then, terms.operation));
}

}  // namespace break_even_detail

template <class Tracer>
BreakEven<Tracer> break_even(Tracer& trace, const BreakEvenTerms<Tracer>& terms) {
  BreakEven<Tracer> answer;
  const double change = terms.price_change ? value_of(*terms.price_change) : 0.0;
  const auto& over_the_years = terms.level_rent ? *terms.level_rent : terms.rent;
  if (value_of(over_the_years) > UsdPerSecond(0))
    answer.utilization = named("cost.break_even_utilization", break_even_utilization(terms.own, over_the_years));
  if (change != 0) {
    if (const auto time =
            break_even_time_with_drift(value_of(terms.capex), value_of(terms.rent), value_of(terms.operation), change))
      break_even_detail::add_drifted(trace, terms, *time, change, answer);
  } else if (value_of(terms.rent) > value_of(terms.operation)) {
    answer.time = named("cost.break_even_time", break_even_time(terms.capex, terms.rent, terms.operation));
    answer.sensitivity = named("cost.break_even_sensitivity", break_even_sensitivity(terms.rent, terms.operation));
  }
  if (!answer.time) answer.reason = never_earned_back(value_of(terms.rent), value_of(terms.operation), change);
  answer.cautions = break_even_cautions(answer.utilization ? value_of(*answer.utilization) : 0.0,
                                        answer.time ? std::optional<Seconds>(value_of(*answer.time)) : std::nullopt,
                                        answer.sensitivity ? value_of(*answer.sensitivity) : 0.0, terms.horizon_years);
  return answer;
}

}  // namespace podwright
