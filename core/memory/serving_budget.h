#pragma once
/// How much of a GPU becomes KV cache under each engine's convention, and what fits into it.
/// docs/method/serving_memory.md.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// A fraction of the whole memory less what the engine subtracts from it (fraction of total, static pool).
constexpr Bytes budget_of_total(Bytes capacity, double fraction, Bytes used) { return fraction * capacity - used; }
inline constexpr Formula<budget_of_total> kBudgetOfTotal{
    .id = "memory.budget_of_total",
    .inputs = {"capacity", "fraction", "used"},
    .equation = "fraction * capacity - used",
    .source = "vLLM gpu_memory_utilization; SGLang mem_fraction_static"};

/// A fraction of what is free once everything else stands; `usable` of it becomes blocks.
constexpr Bytes budget_of_free(Bytes capacity, double fraction, Bytes used, double usable) {
  return usable * fraction * (capacity - used);
}
inline constexpr Formula<budget_of_free> kBudgetOfFree{
    .id = "memory.budget_of_free",
    .inputs = {"capacity", "fraction", "used", "usable"},
    .equation = "usable * fraction * (capacity - used)",
    .source = "TensorRT-LLM free_gpu_memory_fraction; ai-dynamo/aiconfigurator @095f58a51"};

/// All that remains.
constexpr Bytes budget_of_rest(Bytes capacity, Bytes used) { return capacity - used; }
inline constexpr Formula<budget_of_rest> kBudgetOfRest{.id = "memory.budget_of_rest",
                                                       .inputs = {"capacity", "used"},
                                                       .equation = "capacity - used",
                                                       .source = "definition"};

/// Static fraction that leaves `reserve` free, to three decimals.
inline double static_fraction(Bytes capacity, Bytes reserve) {
  return std::floor((capacity - reserve) / capacity * 1000.0 + 0.5) / 1000.0;
}
inline constexpr Formula<static_fraction> kStaticFraction{
    .id = "memory.static_fraction",
    .inputs = {"capacity", "reserve"},
    .equation = "floor((capacity - reserve) / capacity * 1000 + 0.5) / 1000",
    .source = "SGLang server_args.py"};

/// What the static fraction leaves free for a step: activations by its tokens.
constexpr Bytes step_reserve(double tokens, double at_least, Bytes per_token) {
  return std::max(tokens, at_least) * per_token;
}
inline constexpr Formula<step_reserve> kStepReserve{.id = "memory.step_reserve",
                                                    .inputs = {"tokens", "at_least", "per_token"},
                                                    .equation = "max(tokens, at_least) * per_token",
                                                    .source = "SGLang server_args.py"};

constexpr Bytes counted_reserve(double count, Bytes each) { return count * each; }
inline constexpr Formula<counted_reserve> kCountedReserve{.id = "memory.counted_reserve",
                                                          .inputs = {"count", "each"},
                                                          .equation = "count * each",
                                                          .source = "SGLang server_args.py"};

/// Whole blocks of `block` tokens in a budget.
inline double blocks_in(Bytes budget, double block, Bytes per_token) {
  return std::floor(std::max(0.0, budget / (block * per_token)));
}
inline constexpr Formula<blocks_in> kBlocksIn{.id = "memory.blocks_in",
                                              .inputs = {"budget", "block", "per_token"},
                                              .equation = "floor(max(0, budget / (block * per_token)))",
                                              .source = "arXiv 2309.06180"};

constexpr double tokens_in_blocks(double blocks, double block) { return blocks * block; }
inline constexpr Formula<tokens_in_blocks> kTokensInBlocks{.id = "memory.tokens_in_blocks",
                                                           .inputs = {"blocks", "block"},
                                                           .equation = "blocks * block",
                                                           .source = "definition"};

/// Sequences in a budget, not rounded.
constexpr double sequences_in(Bytes budget, Bytes per_sequence) { return std::max(0.0, budget / per_sequence); }
inline constexpr Formula<sequences_in> kSequencesIn{.id = "memory.sequences_in",
                                                    .inputs = {"budget", "per_sequence"},
                                                    .equation = "max(0, budget / per_sequence)",
                                                    .source = "definition"};

constexpr double sequences_of_tokens(double tokens, double per_sequence) { return tokens / per_sequence; }
inline constexpr Formula<sequences_of_tokens> kSequencesOfTokens{.id = "memory.sequences_of_tokens",
                                                                 .inputs = {"tokens", "per_sequence"},
                                                                 .equation = "tokens / per_sequence",
                                                                 .source = "definition"};

/// Tokens that sequences of one length hold.
constexpr double tokens_of_sequences(double sequences, double length) { return sequences * length; }
inline constexpr Formula<tokens_of_sequences> kTokensOfSequences{.id = "memory.tokens_of_sequences",
                                                                 .inputs = {"sequences", "length"},
                                                                 .equation = "sequences * length",
                                                                 .source = "definition"};

constexpr Bytes bytes_of_sequences(double sequences, Bytes per_sequence) { return sequences * per_sequence; }
inline constexpr Formula<bytes_of_sequences> kBytesOfSequences{.id = "memory.bytes_of_sequences",
                                                               .inputs = {"sequences", "per_sequence"},
                                                               .equation = "sequences * per_sequence",
                                                               .source = "definition"};

inline double blocks_of_tokens(double tokens, double block) { return std::floor(tokens / block); }
inline constexpr Formula<blocks_of_tokens> kBlocksOfTokens{.id = "memory.blocks_of_tokens",
                                                           .inputs = {"tokens", "block"},
                                                           .equation = "floor(tokens / block)",
                                                           .source = "definition"};

/// Longest sequence: what does not grow with it comes off the budget first.
inline double longest_sequence(Bytes budget, Bytes fixed, Bytes growing) {
  return std::floor(std::max(0.0, (budget - fixed) / growing));
}
inline constexpr Formula<longest_sequence> kLongestSequence{.id = "memory.longest_sequence",
                                                            .inputs = {"budget", "fixed", "growing"},
                                                            .equation = "floor(max(0, (budget - fixed) / growing))",
                                                            .source = "definition"};

/// What a sequence keeps apart from the part that grows with every token.
constexpr Bytes fixed_part(Bytes per_sequence, double tokens, Bytes growing) { return per_sequence - tokens * growing; }
inline constexpr Formula<fixed_part> kFixedPart{.id = "memory.fixed_part",
                                                .inputs = {"per_sequence", "tokens", "growing"},
                                                .equation = "per_sequence - tokens * growing",
                                                .source = "definition"};

constexpr double request_tokens(double input, double output) { return input + output; }
inline constexpr Formula<request_tokens> kRequestTokens{
    .id = "memory.request_tokens", .inputs = {"input", "output"}, .equation = "input + output", .source = "definition"};

/// Mean length of a sequence in flight under optimistic admission: half its output.
constexpr double mean_tokens(double input, double output) { return input + output / 2.0; }
inline constexpr Formula<mean_tokens> kMeanTokens{.id = "memory.mean_tokens",
                                                  .inputs = {"input", "output"},
                                                  .equation = "input + output / 2",
                                                  .source = "docs/method/serving_memory.md"};

/// Tokens that a sequence does not share with the others through the prefix cache.
constexpr double own_tokens(double reserved, double hit_ratio, double input) { return reserved - hit_ratio * input; }
inline constexpr Formula<own_tokens> kOwnTokens{.id = "memory.own_tokens",
                                                .inputs = {"reserved", "hit_ratio", "input"},
                                                .equation = "reserved - hit_ratio * input",
                                                .source = "shared blocks are stored once"};

/// Tokens of the common prefix.
constexpr double shared_tokens(double hit_ratio, double input) { return hit_ratio * input; }
inline constexpr Formula<shared_tokens> kSharedTokens{.id = "memory.shared_tokens",
                                                      .inputs = {"hit_ratio", "input"},
                                                      .equation = "hit_ratio * input",
                                                      .source = "shared blocks are stored once"};

/// Difference that must stay free for a prompt chunk in windowed layers.
constexpr Bytes beyond_the_window(Bytes with_chunk, Bytes without) { return with_chunk - without; }
inline constexpr Formula<beyond_the_window> kBeyondTheWindow{.id = "memory.beyond_the_window",
                                                             .inputs = {"with_chunk", "without"},
                                                             .equation = "with_chunk - without",
                                                             .source = "definition"};

constexpr Bytes less(Bytes budget, Bytes taken) { return budget - taken; }
inline constexpr Formula<less> kLess{
    .id = "memory.less", .inputs = {"budget", "taken"}, .equation = "budget - taken", .source = "definition"};

/// Whole sequences in flight, never more than the engine schedules.
inline double admitted_sequences(double fitting, double limit) { return std::min(std::floor(fitting), limit); }
inline constexpr Formula<admitted_sequences> kAdmittedSequences{.id = "memory.admitted_sequences",
                                                                .inputs = {"fitting", "limit"},
                                                                .equation = "min(floor(fitting), limit)",
                                                                .source = "definition"};

/// Of all engines and attention ranks together.
constexpr double over_ranks(double each, double ranks) { return each * ranks; }
inline constexpr Formula<over_ranks> kOverRanks{
    .id = "memory.over_ranks", .inputs = {"each", "ranks"}, .equation = "each * ranks", .source = "definition"};

}  // namespace podwright
