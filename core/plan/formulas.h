#pragma once
/// Every formula of this room.
#include <tuple>

#include "plan/plan_formulas.h"

namespace podwright {

inline constexpr auto kPlanFormulas = std::make_tuple(kGrownGpuCount, kMeanServingGpus, kSimultaneousRuns, kGpusOfRuns,
                                                      kRunsOfEach, kGpusOfNodesBelow, kGpusOfNodesAbove);

}  // namespace podwright
