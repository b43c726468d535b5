#pragma once
/// How much of a GPU becomes KV cache under each engine's convention, and what fits into it.
/// docs/method/serving_memory.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// A fraction of the whole memory less what the engine subtracts from it (fraction of total, static pool).
constexpr auto budget_of_total(Of<Bytes> auto capacity, Of<double> auto fraction, Of<Bytes> auto used) {
  return cited("vLLM gpu_memory_utilization; SGLang mem_fraction_static", fraction * capacity - used);
}

/// A fraction of what is free once everything else stands; `usable` of it becomes blocks.
constexpr auto budget_of_free(Of<Bytes> auto capacity, Of<double> auto fraction, Of<Bytes> auto used,
                              Of<double> auto usable) {
  return cited("TensorRT-LLM free_gpu_memory_fraction; ai-dynamo/aiconfigurator @095f58a51",
               usable * fraction * (capacity - used));
}

/// Static fraction that leaves `reserve` free, to three decimals.
auto static_fraction(Of<Bytes> auto capacity, Of<Bytes> auto reserve) {
  return cited("SGLang server_args.py", floor((capacity - reserve) / capacity * 1000.0 + 0.5) / 1000.0);
}

/// What the static fraction leaves free for a step: activations by its tokens.
constexpr auto step_reserve(Of<double> auto tokens, Of<double> auto at_least, Of<Bytes> auto per_token) {
  return cited("SGLang server_args.py", max(tokens, at_least) * per_token);
}

constexpr auto counted_reserve(Of<double> auto count, Of<Bytes> auto each) {
  return cited("SGLang server_args.py", count * each);
}

/// Whole blocks of `block` tokens in a budget.
auto blocks_in(Of<Bytes> auto budget, Of<double> auto block, Of<Bytes> auto per_token) {
  return cited("arXiv 2309.06180", floor(max(0.0, budget / (block * per_token))));
}

/// Sequences in a budget, not rounded.
constexpr auto sequences_in(Of<Bytes> auto budget, Of<Bytes> auto per_sequence) {
  return max(0.0, budget / per_sequence);
}

/// Longest sequence: what does not grow with it comes off the budget first.
auto longest_sequence(Of<Bytes> auto budget, Of<Bytes> auto fixed, Of<Bytes> auto growing) {
  return floor(max(0.0, (budget - fixed) / growing));
}

/// Mean length of what is met at some moment, of which long ones are met more often: the answers that are being
/// decoded, the prompt that a token stands in.
constexpr auto met_length(Of<double> auto mean, Of<double> auto cv) {
  return cited("size bias of a length", mean * (1.0 + cv * cv));
}

/// Mean length of the sequences that decode: it grows by one a step. `answer` is the met_length().
constexpr auto mean_context(Of<double> auto input, Of<double> auto answer) {
  return cited("mean of a length that grows by one a step", input + answer / 2.0);
}

/// Tokens that a sequence does not share with the others through the prefix cache.
constexpr auto own_tokens(Of<double> auto reserved, Of<double> auto hit_ratio, Of<double> auto input) {
  return cited("shared blocks are stored once", reserved - hit_ratio * input);
}

/// The same where the shared tokens are known themselves.
constexpr auto tokens_beside_shared(Of<double> auto reserved, Of<double> auto shared) {
  return cited("shared blocks are stored once", max(1.0, reserved - shared));
}

/// Whole sequences in flight, never more than the engine schedules.
auto admitted_sequences(Of<double> auto fitting, Of<double> auto limit) { return min(floor(fitting), limit); }

}  // namespace podwright
