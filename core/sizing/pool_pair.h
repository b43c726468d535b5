#pragma once
/// A prefill and a decode pool side by side, asked for latencies at any rate of requests.
/// docs/method/search.md#pools-of-their-own.
#include <vector>

#include "perf/disaggregated.h"
#include "sizing/latency_limit.h"
#include "sizing/serving_replica.h"

namespace podwright::sizing {

/// What all pairs of one GPU, engine and format share. All must outlive the pairs.
struct PoolTerms {
  const ServingRun& run;  ///< of the whole deployment; its load is not looked at
  PoolMatching matching;
  UnexplainedScatter unexplained;
};

class PoolPair {
 public:
  /// The pools must outlive this. Keys and values go over `link`.
  PoolPair(const ServingPool& prefill, const ServingPool& decode, BytesPerSecond link, const PoolTerms& terms);

  /// Requests/s that no limit lets through more of: a share of the stable rate.
  double most_loaded() const { return kShareOfStableRate * rates_.most().base_units(); }
  /// The rate at which requests are as good as alone.
  double least_loaded() const;
  ServedLatency latency(double rate) const;
  /// False also where the rate is too near the stable one.
  bool within(double rate, const std::vector<LatencyLimit>& limits) const;
  /// The highest rate that keeps the limits, on a grid of 2^`steps` equal ratios below the stable rate; 0: none does.
  double most(const std::vector<LatencyLimit>& limits, int steps) const;

 private:
  const ServingPool& prefill_;
  const ServingPool& decode_;
  BytesPerSecond link_;
  const PoolTerms& terms_;
  PoolRates rates_;
  mutable ServingRun run_;  ///< its load is the rate looked at
};

}  // namespace podwright::sizing
