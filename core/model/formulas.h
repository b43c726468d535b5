#pragma once
/// Every formula of this room.
#include <tuple>

#include "model/closed_forms.h"
#include "model/flops.h"
#include "model/kv_cache.h"
#include "model/parameters.h"

namespace podwright {

inline constexpr auto kModelFormulas = std::make_tuple(
    kAttentionParameters, kSharedKvAttentionParameters, kLatentQueryParameters, kDirectQueryParameters,
    kLatentKvParameters, kHeadProjectionParameters, kIndexerParameters, kGatedDeltaNetParameters, kMamba2Parameters,
    kKdaParameters, kWidthOfHeads, kMlpParameters, kExpertParameters, kLatentProjectionParameters, kRouterParameters,
    kNormParameters, kHeadNormParameters, kFullQkNormParameters, kLatentNormParameters, kQkvBiasParameters,
    kMlpBiasParameters, kExpertBiasParameters, kTableParameters, kParametersOfLayers, kGptParameters,
    kMatmulTrainingFlops, kCoreAttentionTrainingFlops, kCausalWindowKeys, kFullWindowKeys, kCausalKeys,
    kCausalChunkKeys, kPackedSequence, kIndexerTrainingFlops, kMamba2ScanTrainingFlops, kDeltaRuleTrainingFlops,
    kFlopsOfLayers, kFlopsOfTokens, kForwardFlops, kHardwareFlopsFullRecompute, kHardwareFlopsSelectiveRecompute,
    kFlopsUtilisation, kGptModelFlops, kGptSelectiveRecomputeFlops, kGptFullRecomputeFlops, kParameterFlopsPerToken,
    kRunFlops, kRunTimeWithRecompute, kRunTime, kKvBytesPerLayer, kLatentKvBytesPerLayer, kIndexerBytesPerLayer,
    kStoredTokens, kWindowedTokens, kKvBytesOfLayers, kKvBytesOfTokens, kRecurrentStateBytes, kConvolutionStateBytes);

}  // namespace podwright
