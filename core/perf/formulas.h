#pragma once
/// Every formula of this room.
#include <tuple>

#include "perf/attention.h"
#include "perf/collectives.h"
#include "perf/engine_step_formulas.h"
#include "perf/pipeline.h"
#include "perf/relative_rate.h"
#include "perf/roofline.h"
#include "perf/scaled_formulas.h"
#include "perf/serving_formulas.h"
#include "perf/serving_kernels.h"
#include "perf/step_factor_formulas.h"
#include "perf/training_formulas.h"
#include "perf/training_kernels.h"

namespace podwright {

inline constexpr auto kPerfFormulas = std::make_tuple(
    kComputeTime, kTransferTime, kRooflineTime, kArithmeticIntensity, kRidgePoint, kAttainableRate, kAttainedRate,
    kRoofShare, kEstimatedRate, kEstimatedBandwidth, kNetworkCeiling, kAllReduceTraffic, kAllGatherTraffic,
    kAllReduceTime, kInNetworkReduceTime, kAllGatherTime, kAllToAllTime, kPointToPointTime, kPayloadAcrossNodes,
    kBubbleOverIdeal, kBubbleOverTotal, kBubbleTime, kBubbleTimeZbH1, kCausalPairs, kChunkedPairs, kAttentionWork,
    kTokensRead, kWorkPerGpu, kWorkOfTokens, kReadOfSequences, kProductsWork, kProductsTraffic, kStreamedWeightBytes,
    kExpertsTouched, kBytesOfExperts, kMessageBytes, kBytesInLayers, kLatentWidth, kRepeatedTime, kEvenlyShared,
    kCountProduct, kCountDifference, kTokensAfterFirst, kAdmittedConcurrency, kLaneSequences, kNewPromptTokens,
    kPromptRoom, kPromptChunks, kRequestSteps, kMixedSteps, kLanePromptTokens, kPromptTokensOfStep,
    kSequencesOfStepLimit, kPromptTime, kCycleTime, kPromptQueue, kAnswerTime, kPiecesTime, kMeanContext, kWaitForStep,
    kAdmissionWait, kWaitingRequests, kTimePerOutputToken, kCompletedRequests, kRequestsInFlight, kTokenRate,
    kRatePerGpu, kStaticBatchTime, kPassesTime, kParametersPerGpu, kPayloadOf, kRowBytes, kMicroBatchesTime,
    kOptimizerTime, kTokensPerStep, kTokensPerSecond, kAchievedRate, kFrozenWeightWork, kRunTimeOfTokens, kScaledRate,
    kScaledBandwidth, kScaledTime, kMatrixProductTime, kGroupedProductTime, kFusedAttentionTime, kUnfusedAttentionTime,
    kScorePassBytes, kAttentionWorkOfRank, kElementwiseBytes, kExpertRows, kMeanTime, kBackwardAttentionWork,
    kExpertElementwiseBytes, kPermutedBytes, kQuantisedBytes, kStreamingTime, kAccumulationTime, kHostExcess,
    kInterferingExchange, kRingBytes, kHeadExchangeBytes, kNodesOfToken, kExpertBytesAcross, kExpertBytesInside,
    kExpertExchangeTime, kShorterTime, kStageTransfers, kLostToScale, kFastestTime, kMissingTime, kProductRowWork,
    kProductRowTime, kProductWeightBytes, kWeightStreamTime, kActivationRowBytes, kActivationRowTime, kStepProductTime,
    kRoutedRowsPerToken, kExpertLayersTime, kExpertRowExtra, kElementwiseRowTime, kSamplingRowTime, kStepOverhead,
    kHeadStepTime, kTrafficAtRate, kUntouchedExpertShare, kCopiesSent, kBandwidthWithinPeak, kRateWithinPeak,
    kPcieBandwidth, kDispatchedShare, kDispatchAndCombineTime, kFileProductRate, kEngineFactor, kFactorProduct,
    kRateFactor, kEngineTime, kExpertStartFactor, kIndependentTokens, kHostStepTime, kRatioOfRates, kRatioOfBandwidths,
    kRatioOfTimes);

}  // namespace podwright
