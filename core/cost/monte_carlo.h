#pragma once
/// Draws over the whole model of owning against renting. docs/method/uncertainty.md#draws.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/distributions.h"
#include "base/trace.h"
#include "cost/cost_inputs.h"
#include "cost/own_or_rent.h"

namespace podwright {

/// 5 %, 50 % and 95 % quantiles over the draws, level costs as money per time: nine of ten draws are between the outer
/// ones.
template <class Tracer>
struct SpreadOf {
  Known<Tracer, UsdPerSecond> p5{};
  Known<Tracer, UsdPerSecond> p50{};
  Known<Tracer, UsdPerSecond> p95{};
};
using CostSpread = SpreadOf<NoTrace>;

/// The bands of a fan: what lies between the outer ones are nine of ten draws, between the inner ones half of them.
inline constexpr std::array<double, 5> kFanShares{0.05, 0.25, 0.5, 0.75, 0.95};
inline constexpr std::array<std::string_view, 5> kFanNames{"p5", "p25", "p50", "p75", "p95"};

/// paid_so_far() over the draws, in the order of kFanShares.
template <class Tracer>
struct PaidFanOf {
  int years = 0;
  std::array<Known<Tracer, Usd>, kFanShares.size()> own{};
  std::array<Known<Tracer, Usd>, kFanShares.size()> rent{};
  std::array<Known<Tracer, Usd>, kFanShares.size()> mixed{};  ///< zeros without UncertainCosts::mixed
};
using PaidFan = PaidFanOf<NoTrace>;
using FanQuantiles = decltype(PaidFan::own);

struct CostDistribution {
  std::size_t draws = 0;
  CostSpread used_gpu;  ///< owning, a GPU-hour in use
  CostSpread own;
  CostSpread rent;
  CostSpread own_minus_rent;        ///< negative: owning is cheaper
  std::optional<CostSpread> mixed;  ///< where UncertainCosts::mixed is given
  double probability_owning_is_cheaper = 0;
  std::array<double, kDrawnWayCount> cheapest{};  ///< share of the draws in which a way costs least of those compared
  std::vector<PaidFan> paid;                      ///< of years 0, 1, ...; empty where none were asked for
};

/// `costs` must be without problem (uncertain_costs_problem), draws above 0. The same bits for the same arguments on
/// every platform. `fan_years`: up to which year `paid` reaches; below 1: none.
CostDistribution draw_costs(const UncertainCosts& costs, std::size_t draws, std::uint64_t seed, int fan_years = 0);

inline constexpr const char* kDrawsPage = "docs/method/uncertainty.md#draws";

}  // namespace podwright
