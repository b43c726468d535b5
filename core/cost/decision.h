#pragma once
/// The ways of having the same GPUs at work, side by side in the money of today. docs/method/ownership.md#decision.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/levelised.h"

namespace podwright {

/// Level yearly amount that has the same value today; `factor` is the annuity factor of the horizon.
constexpr auto level_of_value(Of<Usd> auto present_value, Of<double> auto factor) {
  return cited("docs/method/ownership.md#decision", present_value / (years(1) * factor));
}

/// Time of a year in which GPUs stand ready and nobody uses them, of all GPUs together.
constexpr auto idle_gpu_time(Of<double> auto gpu_count, Of<double> auto utilization) {
  return cited("docs/method/cloud_cost.md#idle", gpu_count * (1.0 - utilization) * years(1));
}

/// What owning costs beyond a bill that it saves whether the machines are used or not; at least nothing.
constexpr auto beyond_saved_bill(Of<UsdPerSecond> auto own, Of<UsdPerSecond> auto saved) {
  return cited("docs/method/ownership.md#break-even", max(UsdPerSecond(0), own - saved));
}

enum class CostWay { own, rent, hosted_api };
inline constexpr std::array<std::string_view, 3> kCostWayWords{"own", "rent", "hosted-api"};

/// Two ways closer than this share of the dearer one are told as equal: no price is known better.
inline constexpr double kNearlyEqual = 0.01;

template <class Tracer>
struct PricedWay {
  CostWay way{};
  Known<Tracer, Usd> present_value{};    ///< of all payments
  Known<Tracer, UsdPerSecond> yearly{};  ///< level
};

template <class Tracer>
struct Decision {
  std::vector<PricedWay<Tracer>> ways;         ///< the cheapest first
  std::optional<Known<Tracer, Usd>> saving;    ///< of the first against the second
  std::optional<Known<Tracer, double>> saved;  ///< the same as a share of the second
  bool nearly_equal = false;                   ///< the first two
};

/// `ways` in any order, equal ones stay in theirs.
template <class Tracer>
Decision<Tracer> decide(std::vector<PricedWay<Tracer>> ways) {
  Decision<Tracer> decision;
  std::stable_sort(ways.begin(), ways.end(), [](const PricedWay<Tracer>& a, const PricedWay<Tracer>& b) {
    return value_of(a.present_value) < value_of(b.present_value);
  });
  if (ways.size() > 1 && value_of(ways[1].present_value) > Usd(0)) {
    const auto& dearer = ways[1].present_value;
    decision.saving = named("cost.saving", dearer - ways[0].present_value);
    decision.saved = named("cost.saving_part", *decision.saving / dearer);
    decision.nearly_equal = value_of(*decision.saved) < kNearlyEqual;
  }
  decision.ways = std::move(ways);
  return decision;
}

}  // namespace podwright
