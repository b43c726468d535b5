#pragma once
/// Draws over the whole model of owning against renting. docs/method/uncertainty.md#draws.
#include <cstddef>
#include <cstdint>

#include "base/distributions.h"
#include "cost/cost_inputs.h"
#include "cost/own_or_rent.h"

namespace podwright {

/// 10 %, 50 % and 90 % quantiles over the draws, level costs as money per time.
struct CostSpread {
  UsdPerSecond p10;
  UsdPerSecond p50;
  UsdPerSecond p90;
};

struct CostDistribution {
  std::size_t draws = 0;
  CostSpread used_gpu;  ///< owning, a GPU-hour in use
  CostSpread own;
  CostSpread rent;
  CostSpread own_minus_rent;  ///< negative: owning is cheaper
  double probability_owning_is_cheaper = 0;
};

/// Fewest draws whose quantiles are worth printing.
inline constexpr std::size_t kFewestDraws = 20000;

/// `costs` must be without problem (uncertain_costs_problem), draws above 0. The same bits for the same arguments on
/// every platform.
CostDistribution draw_costs(const UncertainCosts& costs, std::size_t draws, std::uint64_t seed);

inline constexpr const char* kDrawsPage = "docs/method/uncertainty.md#draws";

}  // namespace podwright
