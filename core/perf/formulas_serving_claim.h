#pragma once
/// Formulas of this room that bound a published serving speed.
#include <tuple>

#include "perf/serving_claim_formulas.h"

namespace podwright {

inline constexpr auto kServingClaimFormulas =
    std::make_tuple(kUnreadExperts, kBytesStillRead, kKvOfStep, kKeptOnChip, kSharedReadingTime, kSharedWorkTime,
                    kForwardWork, kWorkOfLayers, kRequestWork, kStepWork, kShareOfSteps, kExchangedBytes, kSlowestPart,
                    kStepsPerSecond, kRateOfReplicas, kMemoryOfChips, kSequencesBeside);

}  // namespace podwright
