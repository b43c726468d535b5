#pragma once
/// Every formula of training memory.
#include <tuple>

#include "memory/activations.h"
#include "memory/in_flight.h"
#include "memory/model_states.h"
#include "memory/rule_of_thumb.h"

namespace podwright {

inline constexpr auto kTrainingMemoryFormulas = std::make_tuple(
    kShardedBytes, kParametersPerRank, kDenseStateRanks, kExpertStateRanks, kExpertRanks, kOptimizerBytesPerParameter,
    kAdapterParameters, kDoubleQuantisedBytes, kParametersElsewhere, kGatheredUnits, kWorkingBufferBytes,
    kReservedBeyondAllocated, kNormInputBytes, kColumnInputBytes, kDropoutMaskBytes, kAttentionValueBytes,
    kLatentAttentionValueBytes, kLogSumExpBytes, kScoreBytes, kDroppedScoreBytes, kOutputCopyBytes, kMlpValueBytes,
    kPermutedInputBytes, kExpertValueBytes, kLinearMixerValueBytes, kAlternateProductBytes, kLatentOutputBytes,
    kMlpProductBytes, kAdapterValueBytes, kTokensPerRank, kLayerActivationBytes, kCheckpointBytes,
    kStageActivationBytes, kRecomputedBytes, kLayersNotOffloaded, kMovedActivationBytes, kPipelineBufferBytes,
    kLogitBytes, kHeadInputBytes, kEmbeddingMaskBytes, kPipelineOutputBytes, kGptFirstStageBytes, kInterleavingFactor,
    kMicroBatchesPerStep, kInFlight1f1b, kInFlightInterleaved, kInFlightZeroBubble, kRuleSixteenBytes,
    kRuleWeightMultiple, kDeepspeedZero2Estimate, kDeepspeedZero2OffloadEstimate, kDeepspeedZero3Estimate);

}  // namespace podwright
