#pragma once
/// Equations of speculative decoding. docs/method/speculative_and_disaggregated.md.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Tokens that one step yields on average: the accepted ones of `drafts` proposals in a row, and the model's own. From
/// 1 (nothing is accepted) to drafts + 1. The power is no equation of the explained grammar, so it is told as a method.
double tokens_per_verified_step(double drafts, double acceptance);

/// Steps that an answer takes.
constexpr double verified_steps(double tokens, double tokens_per_step) { return tokens / tokens_per_step; }
inline constexpr Formula<verified_steps> kVerifiedSteps{.id = "perf.verified_steps",
                                                        .inputs = {"tokens", "tokens_per_step"},
                                                        .equation = "tokens / tokens_per_step",
                                                        .source = "arXiv 2211.17192 section 3.1"};

/// Every sequence brings its last token and the proposals into the step that checks them.
constexpr double verified_tokens(double drafts) { return drafts + 1.0; }
inline constexpr Formula<verified_tokens> kVerifiedTokens{.id = "perf.verified_tokens",
                                                          .inputs = {"drafts"},
                                                          .equation = "drafts + 1",
                                                          .source = "arXiv 2211.17192 section 2.3"};

/// Proposals of a step that follow the first.
constexpr double later_drafts(double drafts) { return drafts - 1.0; }
inline constexpr Formula<later_drafts> kLaterDrafts{.id = "perf.later_drafts",
                                                    .inputs = {"drafts"},
                                                    .equation = "drafts - 1",
                                                    .source = "definition: proposals follow each other"};

/// First proposal in the same step as the prompts, the others with decoding sequences only.
constexpr Seconds draft_time(double drafts, Seconds first, Seconds later) {
  return first + later_drafts(drafts) * later;
}
inline constexpr Formula<draft_time> kDraftTime{.id = "perf.draft_time",
                                                .inputs = {"drafts", "first", "later"},
                                                .equation = "first + (drafts - 1) * later",
                                                .source = "definition: proposals follow each other"};

/// Sequences that the pool holds when it gives up room for the draft's weights, and each of its tokens for the draft's
/// own keys and values.
inline double sequences_beside_draft(double sequences, Bytes pool, Bytes draft_weights, Bytes per_token,
                                     Bytes draft_per_token) {
  return std::floor(sequences * std::max(0.0, 1.0 - draft_weights / pool) *
                    (per_token / (per_token + draft_per_token)));
}
inline constexpr Formula<sequences_beside_draft> kSequencesBesideDraft{
    .id = "perf.sequences_beside_draft",
    .inputs = {"sequences", "pool", "draft_weights", "per_token", "draft_per_token"},
    .equation = "floor(sequences * max(0, 1 - draft_weights / pool) * (per_token / (per_token + draft_per_token)))",
    .source = "docs/method/speculative_and_disaggregated.md#memory"};

}  // namespace podwright
