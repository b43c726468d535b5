#pragma once
/// Arithmetic and memory traffic of core attention (scores and weighted values, without the projections). One
/// multiply-add is 2 FLOP. `span` is how far back a query sees: the window, the tokens that sparse attention reads, or
/// the whole length.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Query-key pairs of a causal sequence; a window longer than the sequence changes nothing.
constexpr auto causal_pairs(Of<double> auto tokens, Of<double> auto span) {
  return cited("area of the causal mask, windowed: arXiv 2310.06825 section 2",
               tokens * min(tokens, span) - min(tokens, span) * min(tokens, span) / 2.0);
}

/// Attention that restarts at multiples of `chunk`.
auto chunked_pairs(Of<double> auto tokens, Of<double> auto chunk) {
  const auto whole = floor(tokens / chunk);
  const auto rest = tokens - whole * chunk;
  return cited("area of the block-diagonal causal mask", whole * (chunk * chunk) / 2.0 + rest * rest / 2.0);
}

/// One layer. `query_dim` is the width of a query and key head, `value_dim` of a value head.
constexpr auto attention_work(Of<double> auto pairs, Of<double> auto heads, Of<double> auto query_dim,
                              Of<double> auto value_dim) {
  return cited("arXiv 2205.14135 section 2", in<Flops>(2.0 * pairs * heads * (query_dim + value_dim)));
}

/// Stored tokens that one decode step of one sequence reads in one layer.
constexpr auto tokens_read(Of<double> auto context, Of<double> auto span) {
  return cited("definition of a window", min(context, span));
}

}  // namespace podwright
