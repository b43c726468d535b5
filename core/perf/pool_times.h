#pragma once
/// Equations of pools of their own for prompts and answers. docs/method/speculative_and_disaggregated.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// What a pool reaches beside the other one.
constexpr auto matched_rate(Of<PerSecond> auto own, Of<double> auto share) {
  return cited("aiconfigurator, rate matching", own * share);
}

constexpr auto slower_pool(Of<PerSecond> auto prefill, Of<PerSecond> auto decode) {
  return cited("every request passes both pools", min(prefill, decode));
}

constexpr auto idle_share(Of<PerSecond> auto served, Of<PerSecond> auto possible) {
  return max(0.0, 1.0 - served / possible);
}

/// Keys and values of the prompt go from the GPUs of one replica to those of another, each over a link of its own.
constexpr auto kv_transfer_time(Of<double> auto tokens, Of<Bytes> auto per_token, Of<double> auto links,
                                Of<BytesPerSecond> auto bandwidth) {
  return cited("docs/method/speculative_and_disaggregated.md", tokens * per_token / (links * bandwidth));
}

/// `factor` stands for dispatch and queues of prompts, `wait` for those that find the pool full.
constexpr auto disaggregated_first_token(Of<Seconds> auto prompt, Of<double> auto factor, Of<Seconds> auto transfer,
                                         Of<Seconds> auto wait) {
  return cited("aiconfigurator, rate matching", factor * prompt + transfer + wait);
}

}  // namespace podwright
