#pragma once
/// Equations of pools of their own for prompts and answers. docs/method/speculative_and_disaggregated.md.
#include <algorithm>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// What a pool reaches beside the other one.
constexpr PerSecond matched_rate(PerSecond own, double share) { return own * share; }
inline constexpr Formula<matched_rate> kMatchedRate{.id = "perf.matched_rate",
                                                    .inputs = {"own", "share"},
                                                    .equation = "own * share",
                                                    .source = "aiconfigurator, rate matching"};

constexpr PerSecond slower_pool(PerSecond prefill, PerSecond decode) { return std::min(prefill, decode); }
inline constexpr Formula<slower_pool> kSlowerPool{.id = "perf.slower_pool",
                                                  .inputs = {"prefill", "decode"},
                                                  .equation = "min(prefill, decode)",
                                                  .source = "every request passes both pools"};

constexpr double idle_share(PerSecond served, PerSecond possible) { return std::max(0.0, 1.0 - served / possible); }
inline constexpr Formula<idle_share> kIdleShare{.id = "perf.idle_share",
                                                .inputs = {"served", "possible"},
                                                .equation = "max(0, 1 - served / possible)",
                                                .source = "definition"};

/// Keys and values of the prompt go from the GPUs of one replica to those of another, each over a link of its own.
constexpr Seconds kv_transfer_time(double tokens, Bytes per_token, double links, BytesPerSecond bandwidth) {
  return tokens * per_token / (links * bandwidth);
}
inline constexpr Formula<kv_transfer_time> kKvTransferTime{.id = "perf.kv_transfer_time",
                                                           .inputs = {"tokens", "per_token", "links", "bandwidth"},
                                                           .equation = "tokens * per_token / (links * bandwidth)",
                                                           .source = "docs/method/speculative_and_disaggregated.md"};

/// `factor` stands for dispatch and queues of prompts, `wait` for those that find the pool full.
constexpr Seconds disaggregated_first_token(Seconds prompt, double factor, Seconds transfer, Seconds wait) {
  return factor * prompt + transfer + wait;
}
inline constexpr Formula<disaggregated_first_token> kDisaggregatedFirstToken{
    .id = "perf.disaggregated_first_token",
    .inputs = {"prompt", "factor", "transfer", "wait"},
    .equation = "factor * prompt + transfer + wait",
    .source = "aiconfigurator, rate matching"};

}  // namespace podwright
