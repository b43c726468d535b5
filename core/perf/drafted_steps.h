#pragma once
/// Equations of speculative decoding. docs/method/speculative_and_disaggregated.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Tokens that one step yields on average: the accepted ones of `drafts` proposals in a row, and the model's own. From
/// 1 (nothing is accepted) to drafts + 1. The power is no equation of the explained grammar, so it is told as a method.
double tokens_per_verified_step(double drafts, double acceptance);

/// Proposals of a step that follow the first.
constexpr auto later_drafts(Of<double> auto drafts) {
  return cited("definition: proposals follow each other", drafts - 1.0);
}

/// First proposal in the same step as the prompts, the others with decoding sequences only.
constexpr auto draft_time(Of<double> auto drafts, Of<Seconds> auto first, Of<Seconds> auto later) {
  return cited("definition: proposals follow each other", first + later_drafts(drafts) * later);
}

/// Sequences that the pool holds when it gives up room for the draft's weights, and each of its tokens for the draft's
/// own keys and values.
auto sequences_beside_draft(Of<double> auto sequences, Of<Bytes> auto pool, Of<Bytes> auto draft_weights,
                            Of<Bytes> auto per_token, Of<Bytes> auto draft_per_token) {
  return cited("docs/method/speculative_and_disaggregated.md#memory",
               floor(sequences * max(0.0, 1.0 - draft_weights / pool) * (per_token / (per_token + draft_per_token))));
}

}  // namespace podwright
