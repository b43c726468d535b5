#include "cost/tornado.h"

#include "base/stable_sort.h"

namespace podwright {
namespace {

/// How often an amount without an end is doubled before no crossing is expected any more: a factor of a million.
constexpr int kDoublings = 20;

double difference_at(const UncertainCosts& costs, CostInput input, double number) {
  return raw(result_of(own_or_rent_at(costs, input, number), CostResult::own_minus_rent));
}

/// Crossing between `near`, where the difference has the sign of `sign`, and `far`, where it has not.
double crossing(const UncertainCosts& costs, CostInput input, double near, double far, double sign) {
  for (int i = 0; i < 200; ++i) {
    const double middle = near + 0.5 * (far - near);
    if (middle == near || middle == far) break;
    (difference_at(costs, input, middle) * sign > 0 ? near : far) = middle;
  }
  return near + 0.5 * (far - near);
}

/// First crossing on the way from the typical value to `end`, in even steps; ends far away are neared in doublings.
std::optional<double> crossing_towards(const UncertainCosts& costs, CostInput input, double end, double sign) {
  const double typical = costs[input].typical;
  const bool far = end >= kNoEnd;
  const double start = typical > 0 ? typical : costs[input].high;
  const int steps = far ? kDoublings : 32;
  double near = typical;
  for (int i = 1; i <= steps; ++i) {
    const double next = far ? start * static_cast<double>(1U << static_cast<unsigned>(i))
                            : typical + (end - typical) * (static_cast<double>(i) / steps);
    if (next == near) return std::nullopt;
    const double difference = difference_at(costs, input, next);
    if (!(difference * sign > 0)) return crossing(costs, input, near, next, sign);
    near = next;
  }
  return std::nullopt;
}

}  // namespace

UsdPerSecond result_of(const OwnOrRent& cost, CostResult result) {
  switch (result) {
    case CostResult::used_gpu:
      return cost.used_gpu;
    case CostResult::own:
      return cost.own;
    case CostResult::rent:
      return cost.rent;
    case CostResult::own_minus_rent:
      break;
  }
  return cost.own - cost.rent;
}

std::vector<TornadoBar> tornado(const UncertainCosts& costs, CostResult result) {
  std::vector<TornadoBar> bars;
  for (std::size_t i = 0; i < kCostInputCount; ++i) {
    const UncertainNumber& number = costs.inputs[i];
    if (number.certain()) continue;
    const auto input = static_cast<CostInput>(i);
    TornadoBar bar{.input = input,
                   .at_low = result_of(own_or_rent_at(costs, input, number.low), result),
                   .at_high = result_of(own_or_rent_at(costs, input, number.high), result),
                   .swing = {}};
    bar.swing = bar.at_low < bar.at_high ? bar.at_high - bar.at_low : bar.at_low - bar.at_high;
    if (bar.swing > UsdPerSecond(0)) bars.push_back(bar);
  }
  sort_stably(bars, [](const auto& a, const auto& b) { return a.swing > b.swing; });
  return bars;
}

std::vector<DecisionFlip> decision_flips(const UncertainCosts& costs) {
  std::vector<DecisionFlip> flips;
  const double typical_difference = raw(result_of(own_or_rent_typical(costs), CostResult::own_minus_rent));
  if (typical_difference == 0.0) return flips;
  const double sign = typical_difference > 0 ? 1.0 : -1.0;
  for (std::size_t i = 0; i < kCostInputCount; ++i) {
    const UncertainNumber& number = costs.inputs[i];
    if (number.certain() && number.typical == 0.0) continue;
    const auto input = static_cast<CostInput>(i);
    const auto down = crossing_towards(costs, input, kCostInputWords[i].least, sign);
    const auto up = crossing_towards(costs, input, kCostInputWords[i].most, sign);
    DecisionFlip flip{.input = input, .typical = number.typical, .value = down ? down : up, .inside_range = false};
    if (down && up && *up - number.typical < number.typical - *down) flip.value = up;
    flip.inside_range = flip.value && *flip.value >= number.low && *flip.value <= number.high;
    flips.push_back(flip);
  }
  return flips;
}

}  // namespace podwright
