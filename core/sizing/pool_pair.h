#pragma once
/// A prefill and a decode pool side by side, asked for latencies at any rate of requests.
/// docs/method/search.md#pools-of-their-own.
#include <vector>

#include "perf/disaggregated.h"
#include "sizing/latency_limit.h"

namespace podwright::sizing {

/// What all pairs of one GPU, engine and format share. All must outlive the pairs.
struct PoolTerms {
  const ServingRun& run;  ///< of the whole deployment; its load is not looked at
  PoolMatching matching;
  UnexplainedScatter unexplained;
};

class PoolPair {
 public:
  /// The pools must outlive this. `kv_of_token` moves over `link` for each token of a prompt.
  PoolPair(const ServingPool& prefill, const ServingPool& decode, Bytes kv_of_token, BytesPerSecond link,
           const PoolTerms& terms);

  /// Requests/s that are never exceeded.
  double stable_rate() const { return stable_rate_; }
  ServedLatency latency(double rate) const;
  /// False also where the rate is too near the stable one.
  bool within(double rate, const std::vector<LatencyLimit>& limits) const;
  /// The limits on the first token alone, which the decode pool has no part in but for the links to it.
  bool first_token_within(double rate, const std::vector<LatencyLimit>& limits) const;
  /// The highest rate that keeps the limits, on a grid of 2^`steps` equal ratios below the stable rate; 0: none does.
  double most(const std::vector<LatencyLimit>& limits, int steps) const;

 private:
  const ServingPool& prefill_;
  const ServingPool& decode_;
  Bytes kv_of_token_;
  BytesPerSecond link_;
  const PoolTerms& terms_;
  mutable ServingRun run_;  ///< its load is the rate looked at
  double stable_rate_ = 0;
};

}  // namespace podwright::sizing
