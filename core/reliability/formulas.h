#pragma once
/// Every formula of this room.
#include <tuple>

#include "reliability/checkpoint.h"
#include "reliability/failures.h"
#include "reliability/goodput.h"
#include "reliability/stragglers.h"

namespace podwright {

inline constexpr auto kReliabilityFormulas = std::make_tuple(
    kGpuTimePerFailure, kMeanTimeBetweenFailures, kExpectedFailures, kCheckpointBytesPerParameter, kCheckpointSize,
    kStorageWriteRate, kCheckpointWriteTime, kHostCopyTime, kYoungInterval, kDalyInterval, kIntervalAtLeast,
    kLossPerFailure, kLostShare, kGoodput, kGoodputOfManyFailures, kInterruptedTime, kSlowestOverMean);

}  // namespace podwright
