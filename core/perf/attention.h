#pragma once
/// Arithmetic and memory traffic of core attention (scores and weighted values, without the projections). One
/// multiply-add is 2 FLOP. `span` is how far back a query sees: the window, the tokens that sparse attention reads, or
/// the whole length.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Query-key pairs of a causal sequence; a window longer than the sequence changes nothing.
constexpr double causal_pairs(double tokens, double span) {
  return tokens * std::min(tokens, span) - std::min(tokens, span) * std::min(tokens, span) / 2.0;
}
inline constexpr Formula<causal_pairs> kCausalPairs{
    .id = "perf.causal_pairs",
    .inputs = {"tokens", "span"},
    .equation = "tokens * min(tokens, span) - min(tokens, span)^2 / 2",
    .source = "area of the causal mask, windowed: arXiv 2310.06825 section 2"};

/// Attention that restarts at multiples of `chunk`.
inline double chunked_pairs(double tokens, double chunk) {
  const double whole = std::floor(tokens / chunk);
  const double rest = tokens - whole * chunk;
  return whole * (chunk * chunk) / 2.0 + rest * rest / 2.0;
}
inline constexpr Formula<chunked_pairs> kChunkedPairs{
    .id = "perf.chunked_pairs",
    .inputs = {"tokens", "chunk"},
    .equation = "floor(tokens / chunk) * chunk^2 / 2 + (tokens - floor(tokens / chunk) * chunk)^2 / 2",
    .source = "area of the block-diagonal causal mask"};

/// One layer. `query_dim` is the width of a query and key head, `value_dim` of a value head.
constexpr Flops attention_work(double pairs, double heads, double query_dim, double value_dim) {
  return Flops(2.0 * pairs * heads * (query_dim + value_dim));
}
inline constexpr Formula<attention_work> kAttentionWork{.id = "perf.attention_work",
                                                        .inputs = {"pairs", "heads", "query_dim", "value_dim"},
                                                        .equation = "2 * pairs * heads * (query_dim + value_dim)",
                                                        .source = "arXiv 2205.14135 section 2"};

/// Stored tokens that one decode step of one sequence reads in one layer.
constexpr double tokens_read(double context, double span) { return std::min(context, span); }
inline constexpr Formula<tokens_read> kTokensRead{.id = "perf.tokens_read",
                                                  .inputs = {"context", "span"},
                                                  .equation = "min(context, span)",
                                                  .source = "definition of a window"};

}  // namespace podwright
