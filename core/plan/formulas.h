#pragma once
/// Every formula of this room.
#include <tuple>

#include "plan/growth.h"
#include "plan/plan_carbon.h"
#include "plan/plan_formulas.h"
#include "plan/shared_cluster.h"

namespace podwright {

inline constexpr auto kPlanFormulas = std::make_tuple(
    kGrownGpuCount, kMeanServingGpus, kSimultaneousRuns, kGpusOfRuns, kRunsOfEach, kTrainingShare, kWholeDays,
    kMeanTrainingGpus, kLargerGpuCount, kBusyShare, kExtraTrainingGpus, kFreeShare, kSharedRunTime, kUsedShare,
    kNodesToBuy, kLaterPrice, kSavedBySteps, kMillionsAYear, kEnergyOfGpuTime, kPowerOfGpus);

}  // namespace podwright
