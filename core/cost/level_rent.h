#pragma once
/// Renting over the years as one level yearly amount, on the scale of owning: the value today of all bills, through the
/// annuity of the horizon. docs/method/cloud_cost.md#level-rent.
#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/cloud_cost.h"
#include "cost/decision.h"
#include "cost/owning.h"

namespace podwright {

/// Level amount of bills over the horizon.
template <class Tracer>
Known<Tracer, UsdPerSecond> level_of_bills(const CloudYears<Tracer>& bills, const Horizon<Tracer>& horizon) {
  return named("cost.level_rent", level_of_value(bills.present_value, horizon.annuity));
}

/// Level amount of `cost`, whose total must be there. `price_change` per year is that of the price of the machines;
/// commitments are billed in full terms, also behind the horizon.
template <class Tracer>
Known<Tracer, UsdPerSecond> level_rent(Tracer& trace, const RentedTerms<Tracer>& in, const CloudCost<Tracer>& cost,
                                       const Horizon<Tracer>& horizon, const Known<Tracer, double>& price_change) {
  const double years = value_of(horizon.years);
  const double term = in.commitment_years;
  const bool ends_with_horizon = term == 0 || std::ceil(years / term) * term == years;
  // Every year has the same bill: it is its own level amount.
  if (value_of(price_change) == 0 && ends_with_horizon) return *cost.total;
  return level_of_bills(cloud_years(trace, in, cost, years, price_change, horizon.rate), horizon);
}

}  // namespace podwright
