#include "cost/break_even.h"

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

/// The first of `start` and its doublings that is earned back, as far as money can be counted.
std::optional<Seconds> bracket(const Balance& balance, Seconds start) {
  const Seconds limit = Seconds(kLargestExponent / std::fabs(raw(balance.decay)));
  for (Seconds high = std::min(start, limit);; high = std::min(high * 2.0, limit)) {
    if (balance.earned_back(high)) return high;
    if (high >= limit) return std::nullopt;
  }
}

}  // namespace

std::optional<Seconds> break_even_time_with_drift(Usd capex, UsdPerSecond rent, UsdPerSecond operation,
                                                  double yearly_change) {
  const bool gap = rent > operation;
  const PerSecond decay = price_decay(yearly_change);
  if (raw(decay) == 0) return gap ? std::optional(break_even_time(capex, rent, operation)) : std::nullopt;
  if (rent <= UsdPerSecond(0) || (!gap && yearly_change < 0)) return std::nullopt;
  if (gap && capex <= Usd(0)) return Seconds(0);
  const Balance balance{.capex = capex, .rent = rent, .operation = operation, .decay = decay};
  // Where the rent crosses the operation the balance has its one extreme: its best while rents fall, its worst while
  // they rise.
  const Seconds turn = operation > UsdPerSecond(0) ? math::log(rent / operation) / decay : Seconds(0);
  if (yearly_change < 0 && operation > UsdPerSecond(0))
    return balance.earned_back(turn) ? std::optional(crossing(balance, Seconds(0), turn)) : std::nullopt;
  const Seconds low = gap ? Seconds(0) : turn;
  const std::optional<Seconds> high =
      bracket(balance, gap ? break_even_time(capex, rent, operation) : std::max(turn, years(1)));
  return high ? std::optional(crossing(balance, low, *high)) : std::nullopt;
}

std::string never_earned_back(UsdPerSecond rent, UsdPerSecond operation, double price_change) {
  if (rent <= UsdPerSecond(0)) return "The rent is 0, so the purchase is never earned back.";
  if (rent <= operation && price_change <= 0)
    return "Renting costs no more than running the owned machines alone, so the purchase is never earned back.";
  if (price_change < 0)
    return "The rent falls to the cost of running the owned machines before the purchase is earned back.";
  return "The purchase is not earned back within any time that a price can be carried on for.";
}

std::vector<Message> break_even_cautions(double utilization, std::optional<Seconds> time, double sensitivity,
                                         double horizon_years) {
  std::vector<Message> cautions;
  if (utilization > 1) cautions.push_back(say("renting-always-cheaper"));
  if (sensitivity >= kIllConditioned) cautions.push_back(say("ill-conditioned", "moves_percent"_v = sensitivity));
  if (time && horizon_years > 0 && *time > years(horizon_years)) cautions.push_back(say("earned-back-late"));
  return cautions;
}

}  // namespace podwright
