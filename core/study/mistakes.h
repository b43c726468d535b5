#pragma once
/// Mistakes that people make with the numbers of this field. Wrong options of generated questions are computed by one
/// of them, so that choosing an option tells which mistake was made.
#include <span>
#include <string_view>

namespace podwright {

struct Mistake {
  std::string_view id;
  std::string_view what;    ///< what it does, a sentence
  std::string_view tempts;  ///< why people do it, a sentence
};

namespace mistake {
// Units
extern const Mistake kBitsForBytes;
extern const Mistake kBytesForBits;
extern const Mistake kBinaryForDecimal;
extern const Mistake kDecimalForBinary;
extern const Mistake kPowerForEnergy;
extern const Mistake kWrongTimeUnit;
// Rates
extern const Mistake kSparseForDense;
extern const Mistake kMultiplyAddOnce;
extern const Mistake kBothWaysForOneWay;
extern const Mistake kOneWayForBothWays;
extern const Mistake kOtherPrecision;
extern const Mistake kOtherGeneration;
extern const Mistake kOneGpuOnly;
extern const Mistake kPerLink;
extern const Mistake kFullUtilisation;
extern const Mistake kFlopsForBytes;
extern const Mistake kRidgeInverted;
// Memory
extern const Mistake kFourTimesInference;
extern const Mistake kSixTimesWeights;
extern const Mistake kWeightsOnly;
extern const Mistake kForgetsOptimizer;
extern const Mistake kForgetsMaster;
extern const Mistake kForgetsKvCache;
extern const Mistake kKeysOnly;
extern const Mistake kAllHeadsKeepKeys;
extern const Mistake kOneHead;
extern const Mistake kOneSequence;
extern const Mistake kActiveForTotal;
extern const Mistake kTotalForActive;
extern const Mistake kOtherWidth;
extern const Mistake kShardsNothing;
extern const Mistake kShardsAll;
extern const Mistake kAddsFifth;
// Work
extern const Mistake kForwardOnly;
extern const Mistake kOnePassForBackward;
extern const Mistake kCountsRecompute;
extern const Mistake kNoReuse;
// Collectives
extern const Mistake kNoRankFactor;
extern const Mistake kOnePass;
extern const Mistake kEveryRankSendsAll;
extern const Mistake kOffByOne;
// Counting
extern const Mistake kNoCeiling;
extern const Mistake kRoundedUpEach;
extern const Mistake kNoUplinks;
extern const Mistake kForgetsSpines;
extern const Mistake kOneRail;
extern const Mistake kForgetsNodeLinks;
extern const Mistake kForgetsUpperLinks;
extern const Mistake kAllPortsDown;
extern const Mistake kBubbleOverMicroBatches;
extern const Mistake kStagesNotLessOne;
extern const Mistake kForgetsChunks;
extern const Mistake kMemoryAlone;
extern const Mistake kComputeAlone;
extern const Mistake kPartialGang;
// Sites and money
extern const Mistake kForgetsPue;
extern const Mistake kDividesByPue;
extern const Mistake kForgetsLoad;
extern const Mistake kHeightAlone;
extern const Mistake kPowerAlone;
extern const Mistake kIdleIsFree;
extern const Mistake kForgetsOperation;
extern const Mistake kOneGpuPrice;
extern const Mistake kForgetsResidual;
extern const Mistake kForgetsRedundancy;
extern const Mistake kForgetsDerating;
extern const Mistake kSinglePhase;
extern const Mistake kForgetsReplicas;
// Reliability and data
extern const Mistake kMtbfOfOne;
extern const Mistake kNoSquareRoot;
extern const Mistake kHalfTheProduct;
extern const Mistake kWeightsInCheckpoint;
extern const Mistake kSerialForParallel;
extern const Mistake kForgetsSamples;
extern const Mistake kPoolsNodes;
extern const Mistake kUsedForFree;
extern const Mistake kGradientsToo;
extern const Mistake kTrainingForInference;
extern const Mistake kUnitFactor;
// Exam
extern const Mistake kEvenShare;
extern const Mistake kOtherDomain;
}  // namespace mistake

/// All of them, in the order above.
std::span<const Mistake* const> all_mistakes();

}  // namespace podwright
