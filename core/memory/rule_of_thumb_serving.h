#pragma once
/// Quick formulas of study material and blogs, each with where it fails. They decide nothing here.
#include <array>
#include <string_view>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Memory to serve a model: parameters at a precision plus a share for everything else.
constexpr Bytes quick_serving_memory(double parameters, double bits, double overhead) {
  return Bytes(parameters * bits / 8.0 * (1.0 + overhead));
}
inline constexpr Formula<quick_serving_memory> kQuickServingMemory{.id = "memory.quick_serving_memory",
                                                                   .inputs = {"parameters", "bits", "overhead"},
                                                                   .equation = "parameters * bits / 8 * (1 + overhead)",
                                                                   .source = "Substratus, 16 Nov 2023"};

/// KV cache of a batch where every head keeps its own keys and values.
constexpr Bytes quick_kv_cache(double layers, double hidden, double tokens, double element_bytes) {
  return Bytes(2.0 * layers * hidden * tokens * element_bytes);
}
inline constexpr Formula<quick_kv_cache> kQuickKvCache{.id = "memory.quick_kv_cache",
                                                       .inputs = {"layers", "hidden", "tokens", "element_bytes"},
                                                       .equation = "2 * layers * hidden * tokens * element_bytes",
                                                       .source = "common form for multi-head attention"};

/// Weights, and a tenth for activations and buffers, and two decimal gigabytes for the runtime.
constexpr Bytes quick_with_runtime(double parameters, double bits, double overhead, double activations, Bytes runtime) {
  return Bytes(parameters * bits / 8.0 * (1.0 + overhead) * (1.0 + activations)) + runtime;
}
inline constexpr Formula<quick_with_runtime> kQuickWithRuntime{
    .id = "memory.quick_with_runtime",
    .inputs = {"parameters", "bits", "overhead", "activations", "runtime"},
    .equation = "parameters * bits / 8 * (1 + overhead) * (1 + activations) + runtime",
    .source = "gofasterwithai calculator: a fifth, a tenth and 2 GB"};

struct RuleOfThumb {
  std::string_view formula;  ///< id of the formula
  std::string_view says;
  std::string_view fails;
};
inline constexpr std::array<RuleOfThumb, 3> kServingRulesOfThumb{{
    {"memory.quick_serving_memory", "Billions of parameters x bits / 8, and a fifth on top.",
     "It has no KV cache: at long contexts or many sequences the cache is larger than the weights. Scales, 16-bit "
     "embeddings, and the fraction that an engine may use are not in it. "
     "Mixture-of-experts models need all experts, not the active ones."},
    {"memory.quick_kv_cache", "Two times layers, hidden size, tokens and bytes.",
     "It holds for multi-head attention only: grouped-query models keep kv_heads / attention_heads of it, latent "
     "attention a fraction again, windowed layers only the window."},
    {"memory.quick_with_runtime", "A fifth and a tenth on the weights, and 2 GB.",
     "The activation peak follows the step's tokens and the vocabulary, not the weights: it is the same for 8 and 70 "
     "billion parameters and does not shrink with quantisation."},
}};

}  // namespace podwright
