#pragma once
/// What people compute in their heads about training memory, as named quick figures beside the model, each with where
/// it fails.
#include <string_view>

#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Model states of mixed-precision Adam: weights and gradients in 16 bit, a 32-bit copy and two moments.
constexpr auto rule_sixteen_bytes(Of<double> auto parameters) {
  return cited("arXiv 1910.02054 section 3.1", in<Bytes>(16.0 * parameters));
}
inline constexpr std::string_view kRuleSixteenBytesFails =
    "States only: no activations, logits, buffers or context. Gradients kept in 32 bit make it 18 bytes; sharding over "
    "data-parallel ranks makes it far less per GPU.";

inline constexpr std::string_view kRuleWeightMultipleSource = "study material: 4 to 6 times the 16-bit weights";
/// Training as a multiple of the 16-bit weights.
constexpr auto rule_weight_multiple(Of<double> auto parameters, Of<double> auto multiple) {
  return cited(kRuleWeightMultipleSource, in<Bytes>(2.0 * parameters * multiple));
}
inline constexpr double kRuleWeightMultipleLow = 4.0;
inline constexpr double kRuleWeightMultipleHigh = 6.0;
inline constexpr std::string_view kRuleWeightMultipleFails =
    "Too little for full training: the states of mixed-precision Adam alone are 8 times the 16-bit weights, 9 times "
    "with 32-bit gradients. It knows neither sequence "
    "length nor batch nor sharding.";

}  // namespace podwright
