#pragma once
/// From when on owning is cheaper than renting: the share of use, and the time. "Never" is an answer with a reason.
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/message.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/cloud_cost.h"
#include "cost/owned_cluster.h"
#include "cost/ownership_formulas.h"

namespace podwright {

/// Break-even utilisation: the share of the time above which owning is cheaper than renting; above 1: never.
constexpr auto break_even_utilization(Of<UsdPerSecond> auto own, Of<UsdPerSecond> auto rent) {
  return cited("docs/method/ownership.md#break-even", own / rent);
}

/// Break-even time: until the purchase is earned back, without residual value. Only where renting costs more than
/// operating.
constexpr auto break_even_time(Of<Usd> auto capex, Of<UsdPerSecond> auto rent, Of<UsdPerSecond> auto operation) {
  return cited("docs/method/ownership.md#break-even", capex / (rent - operation));
}

/// Rent at which a purchase is earned back after a known time: reads the price of a commitment out of a published
/// break-even.
constexpr auto implied_rent(Of<Usd> auto capex, Of<Seconds> auto time, Of<UsdPerSecond> auto operation) {
  return cited("docs/method/ownership.md#break-even", capex / time + operation);
}

/// Relative change of the break-even time for a relative change of the rent: the smaller the gap, the larger.
constexpr auto break_even_sensitivity(Of<UsdPerSecond> auto rent, Of<UsdPerSecond> auto operation) {
  return cited("docs/method/ownership.md#break-even", rent / (rent - operation));
}

/// Continuous fall per second of a price that changes by a share per year; below 0 where it rises. `yearly_change`
/// above -1. The logarithm is why it has no equation in powers: exp(-decay * 31536000) = 1 + yearly_change.
inline PerSecond price_decay(double yearly_change) { return -math::log(1.0 + yearly_change) / years(1); }

/// Rent paid until `time` at a price that decays by `decay` per second, continuously; see price_decay. Below 0 the
/// price rises. `decay` times `time` above -709.
auto paid_rent(Of<UsdPerSecond> auto rent, Of<PerSecond> auto decay, Of<Seconds> auto time) {
  const auto x = decay * time;
  // Near 0 the difference below would cancel; the series is exact to the last digits there.
  if (std::fabs(value_of(x)) < 1e-4)
    return rent * time * (1.0 - x / 2.0 * (1.0 - x / 3.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0))));
  return cited("docs/method/ownership.md#price-drift", rent * (1.0 - math::exp(-x)) / decay);
}

/// The rent at a time.
auto drifted_rent(Of<UsdPerSecond> auto rent, Of<PerSecond> auto decay, Of<Seconds> auto time) {
  return cited("docs/method/ownership.md#price-drift", rent * math::exp(-(decay * time)));
}

/// Relative change of the break-even time for a relative change of a rent that drifts; `paid` and `rent_then` at that
/// time. Without drift it is break_even_sensitivity.
constexpr auto drifted_sensitivity(Of<Usd> auto paid, Of<Seconds> auto time, Of<UsdPerSecond> auto rent_then,
                                   Of<UsdPerSecond> auto operation) {
  return cited("docs/method/ownership.md#price-drift", paid / (time * (rent_then - operation)));
}

/// Smallest time above 0 at which the rent paid equals the purchase and the operation until then; absent where it never
/// does. `yearly_change` is the relative change of the rent in a year, above -1; 0 gives the plain break-even.
std::optional<Seconds> break_even_time_with_drift(Usd capex, UsdPerSecond rent, UsdPerSecond operation,
                                                  double yearly_change);

/// One per cent of rent moves an ill-conditioned break-even time by this many per cent or more.
inline constexpr double kIllConditioned = 10;

template <class Tracer>
struct BreakEvenTerms {
  Known<Tracer, Usd> capex;                           ///< all of it, without residual value
  Known<Tracer, UsdPerSecond> own;                    ///< capital and operation, level
  Known<Tracer, UsdPerSecond> operation;              ///< of the owned machines
  Known<Tracer, UsdPerSecond> rent;                   ///< of the same number of GPUs, all the time
  std::optional<Known<Tracer, double>> price_change;  ///< of the rent, per year, above -1; absent: none
  std::optional<Known<Tracer, UsdPerSecond>>
      level_rent;  ///< of the same GPUs over the horizon, for the share of use; absent: `rent`
  std::optional<Known<Tracer, double>> utilization;  ///< above it owning is cheaper; absent: rent follows the use
  double horizon_years = 0;                          ///< 0: not looked at
};

template <class Tracer>
struct BreakEven {
  std::optional<Known<Tracer, double>> utilization;  ///< above it owning is cheaper; may be above 1
  std::optional<Known<Tracer, Seconds>> time;        ///< of all machines in use; absent: never
  std::optional<Known<Tracer, double>> sensitivity;  ///< relative change of `time` for one of the rent
  std::string reason;                                ///< why `time` is absent
  bool priced = true;                                ///< false: a price that it needs is not known
  std::vector<Message> cautions;
};

/// Why the purchase is never earned back.
std::string never_earned_back(UsdPerSecond rent, UsdPerSecond operation, double price_change);
/// What to know of a break-even that exists.
std::vector<Message> break_even_cautions(double utilization, std::optional<Seconds> time, double sensitivity,
                                         double horizon_years);

/// Adds what to know of the figures of `found`.
template <class Tracer>
void add_cautions(double horizon_years, BreakEven<Tracer>& found) {
  found.cautions = break_even_cautions(found.utilization ? value_of(*found.utilization) : 0.0,
                                       found.time ? std::optional<Seconds>(value_of(*found.time)) : std::nullopt,
                                       found.sensitivity ? value_of(*found.sensitivity) : 0.0, horizon_years);
}

namespace break_even_detail {

template <class Tracer>
void add_drifted(Tracer& trace, const BreakEvenTerms<Tracer>& terms, Seconds found, double change,
                 BreakEven<Tracer>& answer) {
  const auto time = trace.method("cost.break_even_time_with_drift", found, "docs/method/ownership.md#price-drift");
  if (found == Seconds(0)) {  // nothing was paid yet, and no price has moved
    answer.time = time;
    answer.sensitivity = named("cost.break_even_sensitivity", break_even_sensitivity(terms.rent, terms.operation));
    return;
  }
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
  if (terms.utilization)
    answer.utilization = terms.utilization;
  else if (value_of(over_the_years) > UsdPerSecond(0))
    answer.utilization = named("cost.break_even_utilization", break_even_utilization(terms.own, over_the_years));
  // What costs nothing is earned back at once, before any price has moved.
  const bool at_once = value_of(terms.capex) <= Usd(0) && value_of(terms.rent) > value_of(terms.operation);
  if (changes(change) && !at_once) {
    if (const auto time =
            break_even_time_with_drift(value_of(terms.capex), value_of(terms.rent), value_of(terms.operation), change))
      break_even_detail::add_drifted(trace, terms, *time, change, answer);
  } else if (value_of(terms.rent) > value_of(terms.operation)) {
    answer.time = named("cost.break_even_time", break_even_time(terms.capex, terms.rent, terms.operation));
    answer.sensitivity = named("cost.break_even_sensitivity", break_even_sensitivity(terms.rent, terms.operation));
  }
  if (!answer.time) answer.reason = never_earned_back(value_of(terms.rent), value_of(terms.operation), change);
  add_cautions(terms.horizon_years, answer);
  return answer;
}

// The bill of a cloud as the break-even wants it: what follows the use of the GPUs, and what is billed whether they
// are used or not. docs/method/ownership.md#break-even.

/// The same bill for `gpus` in use all the time, without what is billed whether they are used or not. `in` is paid by
/// the hour.
template <class Tracer>
RentedTerms<Tracer> in_full_use(const RentedTerms<Tracer>& in, const Known<Tracer, double>& gpus) {
  RentedTerms<Tracer> full = in;
  full.gpu_count = gpus;
  full.billed_gpus = gpus;
  full.utilization = 1.0;
  full.storage.reset();
  full.egress.reset();
  full.support_fixed.reset();
  return full;
}

/// What the cloud bills whether GPUs are used or not: storage, data that leaves and their support. Absent: nothing.
template <class Tracer>
std::optional<Known<Tracer, UsdPerSecond>> rent_beside(Tracer& trace, const RentedTerms<Tracer>& in) {
  std::vector<Known<Tracer, UsdPerSecond>> parts;
  for (const auto* part : {&in.storage, &in.egress})
    if (*part) parts.push_back(**part);
  if (!parts.empty())
    if (const auto support = support_on("cost.support_of_data", in, trace.sum("cost.rented_data", parts)))
      parts.push_back(*support);
  if (in.support_fixed) parts.push_back(*in.support_fixed);
  if (parts.empty()) return std::nullopt;
  return trace.sum("cost.rent_beside", parts);
}

/// Renting as owning is compared with it.
template <class Tracer>
struct RentCompared {
  using Rate = Known<Tracer, UsdPerSecond>;
  Rate all{};                        ///< of all GPUs, in use all the time, at the prices of the start
  std::optional<Rate> level_of_all;  ///< the same over the horizon, for the share of use; absent: `all`
  std::optional<Rate> beside;        ///< that is billed whether GPUs are used or not
  std::optional<Known<Tracer, double>> price_change;  ///< of `all` per year; absent: none
  std::optional<Known<Tracer, double>> utilization;   ///< above it owning is cheaper; absent: rent follows the use
};

/// When `owning`, whose total must be there, is earned back. What the cloud bills whether GPUs are used or not is saved
/// by owning.
template <class Tracer>
BreakEven<Tracer> break_even_with(Tracer& trace, const OwningCost<Tracer>& owning, const RentCompared<Tracer>& rent,
                                  double horizon_years) {
  const auto beyond = [&](std::string_view id, const Known<Tracer, UsdPerSecond>& cost) {
    return rent.beside ? named(id, beyond_saved_bill(cost, *rent.beside)) : cost;
  };
  return break_even(trace,
                    BreakEvenTerms<Tracer>{.capex = owning.capital->capex,
                                           .own = beyond("cost.own_beyond_data", owning.total->yearly),
                                           .operation = beyond("cost.operation_beyond_data", owning.operation->yearly),
                                           .rent = rent.all,
                                           .price_change = rent.price_change,
                                           .level_rent = rent.level_of_all,
                                           .utilization = rent.utilization,
                                           .horizon_years = horizon_years});
}

}  // namespace podwright
