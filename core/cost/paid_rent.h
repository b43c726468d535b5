#pragma once
/// Renting while its price falls or rises: what has been paid after a time, and when owning has earned itself back.
#include <cmath>
#include <optional>

#include "base/formula.h"
#include "base/math.h"
#include "base/units.h"
#include "cost/levelised.h"

namespace podwright {

/// Rent paid until `time` at a price that decays by `decay` per second, continuously; see price_decay. Below 0 the
/// price rises. `decay` times `time` above -709.
inline Usd paid_rent(UsdPerSecond rent, PerSecond decay, Seconds time) {
  const double x = decay * time;
  // Near 0 the difference below would cancel; the series is exact to the last digits there.
  if (std::fabs(x) < 1e-4) return rent * time * (1.0 - x / 2.0 * (1.0 - x / 3.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0))));
  return rent * (1.0 - math::exp(-x)) / decay;
}
inline constexpr Formula<paid_rent> kPaidRent{.id = "cost.paid_rent",
                                              .inputs = {"rent", "decay", "time"},
                                              .equation = "rent * (1 - exp(-decay * time)) / decay",
                                              .source = "docs/method/ownership.md#price-drift"};

/// The rent at a time.
inline UsdPerSecond drifted_rent(UsdPerSecond rent, PerSecond decay, Seconds time) {
  return rent * math::exp(-(decay * time));
}
inline constexpr Formula<drifted_rent> kDriftedRent{.id = "cost.drifted_rent",
                                                    .inputs = {"rent", "decay", "time"},
                                                    .equation = "rent * exp(-decay * time)",
                                                    .source = "docs/method/ownership.md#price-drift"};

/// Relative change of the break-even time for a relative change of a rent that drifts; `paid` and `rent_then` at that
/// time. Without drift it is break_even_sensitivity.
constexpr double drifted_sensitivity(Usd paid, Seconds time, UsdPerSecond rent_then, UsdPerSecond operation) {
  return paid / (time * (rent_then - operation));
}
inline constexpr Formula<drifted_sensitivity> kDriftedSensitivity{.id = "cost.drifted_sensitivity",
                                                                  .inputs = {"paid", "time", "rent_then", "operation"},
                                                                  .equation = "paid / (time * (rent_then - operation))",
                                                                  .source = "docs/method/ownership.md#price-drift"};

/// Smallest time above 0 at which the rent paid equals the purchase and the operation until then; absent where it never
/// does. `yearly_change` is the relative change of the rent in a year, above -1; 0 gives the plain break-even.
std::optional<Seconds> break_even_time_with_drift(Usd capex, UsdPerSecond rent, UsdPerSecond operation,
                                                  double yearly_change);

}  // namespace podwright
