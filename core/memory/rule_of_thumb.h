#pragma once
/// What people compute in their heads about memory, as named quick figures beside the model, each with where it fails.
/// They decide nothing here.
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

/// Memory to serve a model: parameters at a precision plus a share for everything else.
constexpr auto quick_serving_memory(Of<double> auto parameters, Of<double> auto bits, Of<double> auto overhead) {
  return cited("Substratus, 16 Nov 2023", in<Bytes>(parameters * bits / 8.0 * (1.0 + overhead)));
}

/// KV cache of a batch where every head keeps its own keys and values.
constexpr auto quick_kv_cache(Of<double> auto layers, Of<double> auto hidden, Of<double> auto tokens,
                              Of<double> auto element_bytes) {
  return cited("common form for multi-head attention", in<Bytes>(2.0 * layers * hidden * tokens * element_bytes));
}

struct RuleOfThumb {
  std::string_view formula;
  std::string_view says;
  std::string_view fails;
};
inline constexpr RuleOfThumb kQuickServingMemory{
    "memory.quick_serving_memory", "Billions of parameters x bits / 8, and a fifth on top.",
    "It has no KV cache: at long contexts or many sequences the cache is larger than the weights. Scales, 16-bit "
    "embeddings, and the fraction that an engine may use are not in it. "
    "Mixture-of-experts models need all experts, not the active ones."};
inline constexpr RuleOfThumb kQuickKvCache{
    "memory.quick_kv_cache", "Two times layers, hidden size, tokens and bytes.",
    "It holds for multi-head attention only: grouped-query models keep kv_heads / attention_heads of it, latent "
    "attention a fraction again, windowed layers only the window."};

}  // namespace podwright
