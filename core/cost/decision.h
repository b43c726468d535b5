#pragma once
/// The ways of having the same GPUs at work, side by side in the money of today. docs/method/ownership.md#decision.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/trace.h"
#include "cost/levelised.h"

namespace podwright {

/// Level yearly amount that has the same value today; `factor` is the annuity factor of the horizon.
constexpr UsdPerSecond level_of_value(Usd present_value, double factor) { return present_value / (years(1) * factor); }
inline constexpr Formula<level_of_value> kLevelOfValue{.id = "cost.level_of_value",
                                                       .inputs = {"present_value", "factor"},
                                                       .equation = "present_value / (31536000 * factor)",
                                                       .source = "docs/method/ownership.md#decision"};

/// What the cheaper of two ways saves.
constexpr Usd saved_money(Usd cheaper, Usd dearer) { return dearer - cheaper; }
inline constexpr Formula<saved_money> kSavedMoney{
    .id = "cost.saved_money", .inputs = {"cheaper", "dearer"}, .equation = "dearer - cheaper", .source = "definition"};

/// The same as a share of the dearer way, which costs more than nothing.
constexpr double saved_part(Usd saved, Usd dearer) { return saved / dearer; }
inline constexpr Formula<saved_part> kSavedPart{
    .id = "cost.saved_part", .inputs = {"saved", "dearer"}, .equation = "saved / dearer", .source = "definition"};

/// Time of a year in which GPUs stand ready and nobody uses them, of all GPUs together.
constexpr Seconds idle_gpu_time(double gpu_count, double utilization) {
  return gpu_count * (1.0 - utilization) * years(1);
}
inline constexpr Formula<idle_gpu_time> kIdleGpuTime{.id = "cost.idle_gpu_time",
                                                     .inputs = {"gpu_count", "utilization"},
                                                     .equation = "gpu_count * (1 - utilization) * 31536000",
                                                     .source = "docs/method/cloud_cost.md#idle"};

/// What owning costs beyond a bill that it saves whether the machines are used or not; at least nothing.
constexpr UsdPerSecond beyond_saved_bill(UsdPerSecond own, UsdPerSecond saved) {
  return std::max(UsdPerSecond(0), own - saved);
}
inline constexpr Formula<beyond_saved_bill> kBeyondSavedBill{.id = "cost.beyond_saved_bill",
                                                             .inputs = {"own", "saved"},
                                                             .equation = "max(0, own - saved)",
                                                             .source = "docs/method/ownership.md#break-even"};

enum class CostWay { own, rent, hosted_api };
inline constexpr std::array<std::string_view, 3> kCostWayWords{"own", "rent", "hosted-api"};

/// Two ways closer than this share of the dearer one are told as equal: no price is known better.
inline constexpr double kNearlyEqual = 0.01;

template <class Tracer>
struct PricedWay {
  CostWay way{};
  typename Tracer::template Known<Usd> present_value{};    ///< of all payments
  typename Tracer::template Known<UsdPerSecond> yearly{};  ///< level
};

template <class Tracer>
struct Decision {
  std::vector<PricedWay<Tracer>> ways;                           ///< the cheapest first
  std::optional<typename Tracer::template Known<Usd>> saving;    ///< of the first against the second
  std::optional<typename Tracer::template Known<double>> saved;  ///< the same as a share of the second
  bool nearly_equal = false;                                     ///< the first two
};

/// `ways` in any order, equal ones stay in theirs.
template <class Tracer>
Decision<Tracer> decide(Tracer& trace, std::vector<PricedWay<Tracer>> ways) {
  Decision<Tracer> decision;
  std::stable_sort(ways.begin(), ways.end(), [](const PricedWay<Tracer>& a, const PricedWay<Tracer>& b) {
    return value_of(a.present_value) < value_of(b.present_value);
  });
  if (ways.size() > 1 && value_of(ways[1].present_value) > Usd(0)) {
    const auto& dearer = ways[1].present_value;
    decision.saving = trace.step("cost.saving", kSavedMoney, ways[0].present_value, dearer);
    decision.saved = trace.step("cost.saving_part", kSavedPart, *decision.saving, dearer);
    decision.nearly_equal = value_of(*decision.saved) < kNearlyEqual;
  }
  decision.ways = std::move(ways);
  return decision;
}

}  // namespace podwright
