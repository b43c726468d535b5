#pragma once
/// Formulas of this room that stand around a serving lane: percentiles, waits, drafts, pools.
#include <tuple>

#include "perf/disaggregated_formulas.h"
#include "perf/speculative_formulas.h"
#include "perf/spread_formulas.h"

namespace podwright {

inline constexpr auto kQueueFormulas = std::make_tuple(
    kShareOfPrompts, kStepScatter, kLargestScatter, kMeanStepScatter, kPopulationScatter, kResidualMean,
    kResidualVariance, kWaitOfWaiting, kWaitBelowStable, kMeanWait, kProductScatter, kRequestTime, kPromptWithRecompute,
    kVerifiedSteps, kVerifiedTokens, kLaterDrafts, kDraftTime, kSequencesBesideDraft, kMatchedRate, kSlowerPool,
    kIdleShare, kKvTransferTime, kDisaggregatedFirstToken);

}  // namespace podwright
