#pragma once
/// Renting while its price falls or rises: what has been paid after a time, and when owning has earned itself back.
#include <cmath>
#include <optional>

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/units.h"
#include "cost/levelised.h"

namespace podwright {

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

}  // namespace podwright
