#pragma once
/// What people compute in their heads about training memory, as named quick figures beside the model, each with where
/// it fails.
#include <string_view>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Model states of mixed-precision Adam: weights and gradients in 16 bit, a 32-bit copy and two moments.
constexpr Bytes rule_sixteen_bytes(double parameters) { return Bytes(16.0 * parameters); }
inline constexpr Formula<rule_sixteen_bytes> kRuleSixteenBytes{.id = "rule.sixteen_bytes",
                                                               .inputs = {"parameters"},
                                                               .equation = "16 * parameters",
                                                               .source = "arXiv 1910.02054 section 3.1"};
inline constexpr std::string_view kRuleSixteenBytesFails =
    "States only: no activations, logits, buffers or context. Gradients kept in 32 bit make it 18 bytes; sharding over "
    "data-parallel ranks makes it far less per GPU.";

/// Training as a multiple of the 16-bit weights.
constexpr Bytes rule_weight_multiple(double parameters, double multiple) { return Bytes(2.0 * parameters * multiple); }
inline constexpr Formula<rule_weight_multiple> kRuleWeightMultiple{
    .id = "rule.weight_multiple",
    .inputs = {"parameters", "multiple"},
    .equation = "2 * parameters * multiple",
    .source = "study material: 4 to 6 times the 16-bit weights"};
inline constexpr double kRuleWeightMultipleLow = 4.0;
inline constexpr double kRuleWeightMultipleHigh = 6.0;
inline constexpr std::string_view kRuleWeightMultipleFails =
    "Too little for full training: the states of mixed-precision Adam alone are 8 times the 16-bit weights, 9 times "
    "with 32-bit gradients. It knows neither sequence "
    "length nor batch nor sharding.";

/// DeepSpeed's own estimate for ZeRO-2: 16-bit weights and gradients stay whole, all else is spread.
constexpr Bytes deepspeed_zero_2_estimate(double parameters, double ranks) {
  return Bytes(4.0 * parameters + 16.0 * parameters / ranks);
}
inline constexpr Formula<deepspeed_zero_2_estimate> kDeepspeedZero2Estimate{
    .id = "rule.deepspeed_zero_2",
    .inputs = {"parameters", "ranks"},
    .equation = "4 * parameters + 16 * parameters / ranks",
    .source = "DeepSpeed memory estimator, ZeRO-2"};
/// The same with the optimizer on the CPU.
constexpr Bytes deepspeed_zero_2_offload_estimate(double parameters) { return Bytes(2.0 * parameters); }
inline constexpr Formula<deepspeed_zero_2_offload_estimate> kDeepspeedZero2OffloadEstimate{
    .id = "rule.deepspeed_zero_2_offload",
    .inputs = {"parameters"},
    .equation = "2 * parameters",
    .source = "DeepSpeed memory estimator, ZeRO-2"};
/// DeepSpeed's own estimate for ZeRO-3.
constexpr Bytes deepspeed_zero_3_estimate(double parameters, double ranks, double largest_layer) {
  return Bytes(18.0 * parameters / ranks + 4.0 * largest_layer);
}
inline constexpr Formula<deepspeed_zero_3_estimate> kDeepspeedZero3Estimate{
    .id = "rule.deepspeed_zero_3",
    .inputs = {"parameters", "ranks", "largest_layer"},
    .equation = "18 * parameters / ranks + 4 * largest_layer",
    .source = "DeepSpeed memory estimator, ZeRO-3"};
inline constexpr std::string_view kDeepspeedEstimateFails =
    "States only, and with 20 bytes per parameter in stage 2 and 18 in stage 3 where the ZeRO paper counts 16: "
    "activations and logits come on top.";

}  // namespace podwright
