#pragma once
/// Every formula of serving memory.
#include <tuple>

#include "memory/rule_of_thumb_serving.h"
#include "memory/serving_activations.h"
#include "memory/serving_budget.h"
#include "memory/serving_weights.h"

namespace podwright {

inline constexpr auto kServingMemoryFormulas = std::make_tuple(
    kStoredBytes, kLayersShare, kTableShare, kEngineRanks, kKvProjectionParameters, kCopiedKvParameters,
    kWidthMultiplePeak, kFineGrainedWorkspace, kGatheredTokenValues, kExpertSlots, kForwardPeak, kFfnWidthOnGpu,
    kHiddenStateBytes, kLogitBuffers, kExpertWidthOnGpu, kExpertBuffers, kLargerOf, kContextScoreBytes, kBudgetOfTotal,
    kBudgetOfFree, kBudgetOfRest, kStaticFraction, kStepReserve, kCountedReserve, kBlocksIn, kTokensInBlocks,
    kSequencesIn, kSequencesOfTokens, kTokensOfSequences, kBytesOfSequences, kBlocksOfTokens, kLongestSequence,
    kFixedPart, kRequestTokens, kMeanTokens, kOwnTokens, kSharedTokens, kBeyondTheWindow, kLess, kAdmittedSequences,
    kOverRanks, kQuickServingMemory, kQuickKvCache, kQuickWithRuntime);

}  // namespace podwright
