#include "cost/paid_rent.h"

#include <algorithm>

namespace podwright {
namespace {

constexpr double kLargestExponent = 700;  // e^700 is far above any sum of money and below the largest double

/// The rent saved less what owning costs, as a function of time.
struct Balance {
  Usd capex;
  UsdPerSecond rent;
  UsdPerSecond operation;
  PerSecond decay;
  bool earned_back(Seconds time) const { return paid_rent(rent, decay, time) - operation * time >= capex; }
};

/// Halves the interval until it holds no other double. `low` is not earned back, `high` is.
Seconds crossing(const Balance& balance, Seconds low, Seconds high) {
  for (;;) {
    const Seconds middle = low + (high - low) * 0.5;
    if (middle <= low || middle >= high) return high;
    (balance.earned_back(middle) ? high : low) = middle;
  }
}

/// The first time at or after `start` and its doublings that is earned back.
std::optional<Seconds> bracket(const Balance& balance, Seconds start) {
  for (Seconds high = start; std::fabs(balance.decay * high) < kLargestExponent; high = high * 2.0)
    if (balance.earned_back(high)) return high;
  return std::nullopt;
}

}  // namespace

std::optional<Seconds> break_even_time_with_drift(Usd capex, UsdPerSecond rent, UsdPerSecond operation,
                                                  double yearly_change) {
  const bool gap = rent > operation;
  if (yearly_change == 0) return gap ? std::optional(break_even_time(capex, rent, operation)) : std::nullopt;
  if (rent <= UsdPerSecond(0)) return std::nullopt;
  const Balance balance{.capex = capex, .rent = rent, .operation = operation, .decay = price_decay(yearly_change)};
  const Seconds without_drift = gap ? break_even_time(capex, rent, operation) : Seconds(0);
  if (gap && capex <= Usd(0)) return Seconds(0);
  // Where the rent crosses the operation the balance has its one extreme.
  const Seconds turn = operation > UsdPerSecond(0) ? math::log(rent / operation) / balance.decay : Seconds(0);
  if (yearly_change < 0) {
    if (!gap) return std::nullopt;
    if (operation > UsdPerSecond(0)) {
      if (!balance.earned_back(turn)) return std::nullopt;
      return crossing(balance, Seconds(0), turn);
    }
    const std::optional<Seconds> high = bracket(balance, without_drift);
    return high ? std::optional(crossing(balance, Seconds(0), *high)) : std::nullopt;
  }
  if (gap) {
    // Rising prices earn the purchase back sooner; the rounding of the plain time is the only thing above it.
    const std::optional<Seconds> high = bracket(balance, without_drift);
    return high ? std::optional(crossing(balance, Seconds(0), *high)) : std::nullopt;
  }
  const std::optional<Seconds> high = bracket(balance, std::max(turn, years(1)));
  return high ? std::optional(crossing(balance, turn, *high)) : std::nullopt;
}

}  // namespace podwright
