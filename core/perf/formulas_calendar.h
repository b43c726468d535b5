#pragma once
/// Formulas of this room that lead from a step to days, and those of offload.
#include <tuple>

#include "perf/calendar_formulas.h"
#include "perf/offload.h"

namespace podwright {

inline constexpr auto kCalendarFormulas = std::make_tuple(
    kStragglingTime, kGpuTime, kRunEnergy, kRunRent, kTimeAtUtilisation, kGpusForTime, kRateOfTokens,
    kRateOfUtilisation, kShareOfPeak, kOffloadedGradientBytes, kOffloadedWeightBytes, kFetchedWeightBytes,
    kOffloadTransferTime, kHostOptimizerTime, kNvmeStateTime, kExposedOptimizerOffload, kExposedStreaming);

}  // namespace podwright
