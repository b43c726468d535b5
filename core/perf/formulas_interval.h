#pragma once
/// Formulas of this room that bound predictions.
#include <tuple>

#include "perf/interval_formulas.h"
#include "perf/relative_rate.h"

namespace podwright {

inline constexpr auto kIntervalFormulas =
    std::make_tuple(kBoundOfRatio, kBoundOfTime, kBoundOfRate, kBoundOfArithmetic, kBoundOfMemory, kBoundOfEnergy,
                    kBoundOfMoney, kHalfWidthWithMeasuredKernels, kHalfWidthWithRatio);

}  // namespace podwright
