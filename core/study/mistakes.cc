#include "study/mistakes.h"

#include <array>

namespace podwright {
namespace mistake {

const Mistake kBitsForBytes{"bits-for-bytes",
                            "This takes a figure in bits for one in bytes and is eight times too large.",
                            "Links are sold in Gb/s and memory in GB, and the two abbreviations differ in one letter."};
const Mistake kBytesForBits{"bytes-for-bits",
                            "This divides by eight although the figure is in bytes already, or divides twice.",
                            "Conversions between bits and bytes are done so often that one more is not noticed."};
const Mistake kBinaryForDecimal{"gib-for-gb", "This counts 2^30 bytes where 10^9 are meant.",
                                "Tools print GiB and data sheets GB, both often written GB."};
const Mistake kDecimalForBinary{"gb-for-gib", "This counts 10^9 bytes where 2^30 are meant.",
                                "Data sheets print GB and tools GiB, both often written GB."};
const Mistake kPowerForEnergy{
    "kw-for-kwh", "This treats power as energy: kilowatts times the wrong time, or none.",
    "kW and kWh look alike, and a year has 8,760 hours that are easily left out or misread as 365 days."};
const Mistake kWrongTimeUnit{"wrong-time-unit",
                             "This slips by a factor of a time unit: hours, minutes and seconds are mixed.",
                             "Rates are per second, prices per hour and schedules in days."};
const Mistake kSparseForDense{"sparse-for-dense",
                              "This takes the rate with 2:4 structured sparsity, twice the dense one.",
                              "Data sheets print the sparse figure first, and the footnote is small."};
const Mistake kMultiplyAddOnce{"multiply-add-once",
                               "This counts a fused multiply-add as one operation; by convention it is two FLOP.",
                               "One instruction looks like one operation."};
const Mistake kBothWaysForOneWay{"both-ways-for-one-way",
                                 "This takes the bandwidth of both directions together where data flow one way.",
                                 "Data sheets print the sum of both directions."};
const Mistake kOneWayForBothWays{"one-way-for-both-ways",
                                 "This takes one direction where the sum of both is asked for.",
                                 "Measurements report one direction."};
const Mistake kOtherPrecision{"other-precision", "This takes the rate or size of another precision.",
                              "Tables of precisions are side by side and differ by factors of two."};
const Mistake kOtherGeneration{"other-generation", "This takes the rate of another generation.",
                               "Each generation doubles the one before, and their names differ in one digit."};
const Mistake kOneGpuOnly{"one-gpu-only", "This leaves out that several GPUs share the work or the load.",
                          "The data sheet describes one GPU."};
const Mistake kPerLink{"per-link",
                       "This takes the figure of a part for that of the whole, or multiplies by the parts once more.",
                       "Bandwidth is printed per link, per port, per GPU and per system."};
const Mistake kFullUtilisation{"full-utilisation",
                               "This assumes that the GPUs reach their peak all the time (MFU of 100 %).",
                               "The peak is the figure that everyone knows; training reaches about 30 to 50 % of it."};
const Mistake kFlopsForBytes{
    "flops-for-bytes", "This divides the arithmetic by the peak rate; at batch 1 the bandwidth of memory decides.",
    "FLOP/s are the headline figure of a GPU."};
const Mistake kRidgeInverted{"ridge-inverted",
                             "This turns the ridge point upside down: bandwidth over peak, or the wrong side of it.",
                             "Intensity is FLOP per byte, and its inverse looks as plausible."};
const Mistake kFourTimesInference{
    "four-times-rule", "This multiplies the inference memory by 4, a rule of thumb that leaves optimizer states out.",
    "Study material repeats 4x for training."};
const Mistake kSixTimesWeights{"six-times-rule",
                               "This multiplies the 16-bit weights by 6, the upper end of a rule of thumb.",
                               "Study material repeats 4x to 6x for training."};
const Mistake kWeightsOnly{"weights-only", "This counts the weights alone.", "The weights are what one downloads."};
const Mistake kForgetsOptimizer{"optimizer-forgotten",
                                "This counts weights and gradients and leaves out the optimizer's states.",
                                "The optimizer's moments appear in no file that you download."};
const Mistake kForgetsMaster{"master-weights-forgotten", "This leaves out the 32-bit master copy of the weights.",
                             "Mixed precision sounds as if all were 16 bit."};
const Mistake kForgetsKvCache{"kv-cache-forgotten", "This leaves out the keys and values that every sequence keeps.",
                              "The cache is not part of the model's files."};
const Mistake kKeysOnly{"keys-only", "This counts keys or values alone; both are kept.",
                        "The factor 2 of the formula is easily lost."};
const Mistake kAllHeadsKeepKeys{
    "mha-for-gqa",
    "This gives every attention head keys and values of its own; with grouped queries several heads share them.",
    "The number of attention heads is better known than that of key-value heads."};
const Mistake kOneHead{"one-head", "This counts a single key-value head.",
                       "Multi-query attention does so, grouped queries do not."};
const Mistake kOneSequence{"one-sequence", "This counts one sequence; every sequence of the batch adds its own.",
                           "Examples on paper have a batch of 1."};
const Mistake kActiveForTotal{"active-for-total", "This counts the active parameters; all experts must be in memory.",
                              "Only some experts compute for a token."};
const Mistake kTotalForActive{"total-for-active", "This counts all parameters; a token passes only the active ones.",
                              "The name of the model states the total."};
const Mistake kOtherWidth{"other-width", "This takes another number of bytes for each value.",
                          "16, 8 and 4 bit formats are side by side."};
const Mistake kShardsNothing{"no-sharding", "This keeps whole copies where the states are sharded.",
                             "Plain data parallelism copies everything."};
const Mistake kShardsAll{"shards-everything", "This shards more than the stage of ZeRO does.",
                         "Only stage 3 shards the weights too."};
const Mistake kAddsFifth{"adds-a-fifth",
                         "This adds 20 %, a rule of thumb for everything else, to what alone was asked for.",
                         "The rule is quoted together with the formula."};
const Mistake kForwardOnly{"2nd-for-6nd",
                           "This counts 2 FLOP per parameter and token, the forward pass; training needs 6.",
                           "2ND is right for inference."};
const Mistake kOnePassForBackward{
    "backward-as-forward", "This counts the backward pass like the forward pass, 4ND together; it costs twice as much.",
    "Two passes suggest a factor of two."};
const Mistake kCountsRecompute{"recompute-counted",
                               "This counts 8 FLOP per parameter and token, as with full recomputation.",
                               "Runs that recompute all activations do so."};
const Mistake kNoReuse{"no-reuse", "This reads the weights once for each sequence; a batch reads them once for all.",
                       "Batch 1 is the case that everyone knows."};
const Mistake kNoRankFactor{"rank-factor-forgotten", "This leaves out the factor (N-1)/N.",
                            "With many ranks the factor is close to 1; with few it is not."};
const Mistake kOnePass{"one-pass",
                       "This counts one of the two phases; an all-reduce is a reduce-scatter and an all-gather.",
                       "An all-gather alone has a single phase."};
const Mistake kEveryRankSendsAll{"sends-to-all", "This lets every rank send its whole payload to every other one.",
                                 "That is the plain algorithm; a ring sends pieces."};
const Mistake kOffByOne{"off-by-one", "This is off by one.", "Fences and posts: N ranks have N-1 neighbours to pass."};
const Mistake kNoCeiling{"ceiling-forgotten", "This rounds down; a part of a device must be bought whole.",
                         "Rounding to the nearest number is a habit."};
const Mistake kRoundedUpEach{"rounded-to-pairs", "This rounds up more than is needed.", "Whole groups are convenient."};
const Mistake kNoUplinks{"no-uplinks", "This gives all ports of a leaf to nodes and leaves none for uplinks.",
                         "The data sheet prints all ports of a switch."};
const Mistake kForgetsSpines{"spines-forgotten", "This counts the leaves alone.", "Nodes touch leaves only."};
const Mistake kOneRail{"one-rail", "This counts one link for each node; a node has one for each GPU's NIC.",
                       "An ordinary server has one or two links."};
const Mistake kForgetsNodeLinks{"node-links-forgotten", "This counts the links between switches alone.",
                                "Drawings show nodes as one line."};
const Mistake kForgetsUpperLinks{"upper-links-forgotten", "This counts the links of the nodes alone.",
                                 "Links between switches are easily forgotten."};
const Mistake kAllPortsDown{"counts-full-tree",
                            "This counts switches of a full tree or of all ports, not those that the nodes need.",
                            "Tables list full trees."};
const Mistake kBubbleOverMicroBatches{
    "bubble-over-ideal",
    "This divides by the number of micro-batches: the bubble over the ideal time, not over the whole step.",
    "Papers give both shares."};
const Mistake kStagesNotLessOne{"stages-not-less-one", "This takes p where p - 1 stages wait.",
                                "The number of stages is what one sets."};
const Mistake kForgetsChunks{"chunks-forgotten", "This leaves out that several chunks per GPU shorten the bubble.",
                             "Plain schedules have one chunk."};
const Mistake kMemoryAlone{"memory-alone", "This looks at memory alone and forgets the other limit.",
                           "Fitting in memory is the first question."};
const Mistake kComputeAlone{"compute-alone", "This looks at compute slices alone and forgets the memory slices.",
                            "Profiles begin with the number of compute slices."};
const Mistake kPartialGang{"partial-gang", "This starts jobs with only a part of their GPUs.",
                           "Ordinary schedulers place pods one by one."};
const Mistake kForgetsPue{"pue-forgotten", "This leaves out what the building needs in addition to the machines (PUE).",
                          "Name plates show the machine's power."};
const Mistake kDividesByPue{"divides-by-pue",
                            "This divides by the PUE; the facility draws more than the machines, not less.",
                            "The ratio is easily turned around."};
const Mistake kForgetsLoad{"load-forgotten",
                           "This takes the maximum power all the time, although the machines run below it.",
                           "Circuits are planned for the maximum; energy follows the mean."};
const Mistake kHeightAlone{"height-alone", "This fills the rack by height and forgets its power.",
                           "Rack units are what one sees."};
const Mistake kPowerAlone{"power-alone", "This goes by power and forgets the height.",
                          "Power is what is scarce in most racks."};
const Mistake kIdleIsFree{
    "idle-is-free", "This divides or multiplies as if idle hours cost nothing; an owned GPU costs the same when idle.",
    "In the cloud one pays by the hour used."};
const Mistake kForgetsOperation{"operation-forgotten", "This leaves out what operation costs: power, site, staff.",
                                "The invoice shows the purchase."};
const Mistake kOneGpuPrice{"one-gpu-price",
                           "This takes the price of one GPU for that of the instance, or the other way round.",
                           "Price lists show instances of eight GPUs."};
const Mistake kForgetsResidual{"residual-forgotten",
                               "This leaves out a part of the sum: what is sold, added or paid once.",
                               "Sums have many parts."};
const Mistake kForgetsRedundancy{"redundancy-forgotten",
                                 "This counts what the load needs and leaves out the spare (N instead of N+1).",
                                 "The spare does nothing on good days."};
const Mistake kForgetsDerating{"derating-forgotten",
                               "This uses a circuit up to its full current; 80 % is allowed for continuous load.",
                               "The breaker prints its full current."};
const Mistake kSinglePhase{"single-phase", "This leaves out the factor of three phases.",
                           "At home one phase is the rule."};
const Mistake kForgetsReplicas{"peak-forgotten", "This serves the mean load and leaves out the peak.",
                               "Daily figures are means."};
const Mistake kMtbfOfOne{"mtbf-of-one",
                         "This takes the mean time between failures of one part for that of the whole job.",
                         "Data sheets give the figure of one part; a job stops when any part fails."};
const Mistake kNoSquareRoot{"square-root-forgotten", "This leaves out the square root or a factor under it.",
                            "The product under the root has the right look."};
const Mistake kHalfTheProduct{"factor-two-under-root", "This leaves out the factor 2 under the square root.",
                              "Young's formula is easily remembered without it."};
const Mistake kWeightsInCheckpoint{
    "weights-in-checkpoint",
    "This writes the 16-bit weights alone; a checkpoint to resume from needs the optimizer's states too.",
    "Published models contain the weights alone."};
const Mistake kSerialForParallel{"serial-for-parallel",
                                 "This lets one after the other do what all do together, or the other way round.",
                                 "Whether rates add up depends on the path."};
const Mistake kForgetsSamples{"samples-forgotten", "This leaves out one factor of bytes, samples and GPUs.",
                              "Three numbers must be multiplied."};
const Mistake kPoolsNodes{"pools-nodes",
                          "This pools the free GPUs of all nodes; a pod gets all of its GPUs on one node.",
                          "The sum of free GPUs is what a dashboard shows."};
const Mistake kUsedForFree{"used-for-free", "This takes what is used, or all that there is, for what is free.",
                           "The three figures are on one line."};
const Mistake kGradientsToo{"gradients-in-checkpoint",
                            "This writes the gradients too; they are computed again after a restart.",
                            "16 bytes per parameter is the well-known sum of all states."};
const Mistake kTrainingForInference{
    "6nd-for-2nd", "This counts 6 FLOP per parameter and token, as in training; a forward pass needs 2.",
    "6ND is the better known rule."};
const Mistake kUnitFactor{"unit-factor", "This leaves out the factor between two units or turns it around.",
                          "Factors between units are looked up and rarely understood."};
const Mistake kEvenShare{"even-share", "This gives every domain or objective the same share.",
                         "Three domains suggest a third each."};
const Mistake kOtherDomain{"other-domain", "This takes the weight of another domain.",
                           "The three weights are side by side."};
}  // namespace mistake

std::span<const Mistake* const> all_mistakes() {
  using namespace mistake;
  static constexpr std::array<const Mistake*, 81> kAll{&kBitsForBytes,
                                                       &kBytesForBits,
                                                       &kBinaryForDecimal,
                                                       &kDecimalForBinary,
                                                       &kPowerForEnergy,
                                                       &kWrongTimeUnit,
                                                       &kSparseForDense,
                                                       &kMultiplyAddOnce,
                                                       &kBothWaysForOneWay,
                                                       &kOneWayForBothWays,
                                                       &kOtherPrecision,
                                                       &kOtherGeneration,
                                                       &kOneGpuOnly,
                                                       &kPerLink,
                                                       &kFullUtilisation,
                                                       &kFlopsForBytes,
                                                       &kRidgeInverted,
                                                       &kFourTimesInference,
                                                       &kSixTimesWeights,
                                                       &kWeightsOnly,
                                                       &kForgetsOptimizer,
                                                       &kForgetsMaster,
                                                       &kForgetsKvCache,
                                                       &kKeysOnly,
                                                       &kAllHeadsKeepKeys,
                                                       &kOneHead,
                                                       &kOneSequence,
                                                       &kActiveForTotal,
                                                       &kTotalForActive,
                                                       &kOtherWidth,
                                                       &kShardsNothing,
                                                       &kShardsAll,
                                                       &kAddsFifth,
                                                       &kForwardOnly,
                                                       &kOnePassForBackward,
                                                       &kCountsRecompute,
                                                       &kNoReuse,
                                                       &kNoRankFactor,
                                                       &kOnePass,
                                                       &kEveryRankSendsAll,
                                                       &kOffByOne,
                                                       &kNoCeiling,
                                                       &kRoundedUpEach,
                                                       &kNoUplinks,
                                                       &kForgetsSpines,
                                                       &kOneRail,
                                                       &kForgetsNodeLinks,
                                                       &kForgetsUpperLinks,
                                                       &kAllPortsDown,
                                                       &kBubbleOverMicroBatches,
                                                       &kStagesNotLessOne,
                                                       &kForgetsChunks,
                                                       &kMemoryAlone,
                                                       &kComputeAlone,
                                                       &kPartialGang,
                                                       &kForgetsPue,
                                                       &kDividesByPue,
                                                       &kForgetsLoad,
                                                       &kHeightAlone,
                                                       &kPowerAlone,
                                                       &kIdleIsFree,
                                                       &kForgetsOperation,
                                                       &kOneGpuPrice,
                                                       &kForgetsResidual,
                                                       &kForgetsRedundancy,
                                                       &kForgetsDerating,
                                                       &kSinglePhase,
                                                       &kForgetsReplicas,
                                                       &kMtbfOfOne,
                                                       &kNoSquareRoot,
                                                       &kHalfTheProduct,
                                                       &kWeightsInCheckpoint,
                                                       &kSerialForParallel,
                                                       &kForgetsSamples,
                                                       &kPoolsNodes,
                                                       &kUsedForFree,
                                                       &kGradientsToo,
                                                       &kTrainingForInference,
                                                       &kUnitFactor,
                                                       &kEvenShare,
                                                       &kOtherDomain};
  return kAll;
}

}  // namespace podwright
