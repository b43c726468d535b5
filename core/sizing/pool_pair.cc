#include "sizing/pool_pair.h"

#include <algorithm>
#include <cmath>

#include "perf/pool_prompts.h"
#include "sizing/serving_replica.h"

namespace podwright::sizing {
namespace {

/// Of the stable rate, where the grid of rates begins.
constexpr double kLeastShare = 1e-3;

}  // namespace

PoolPair::PoolPair(const ServingPool& prefill, const ServingPool& decode, Bytes kv_of_token, BytesPerSecond link,
                   const PoolTerms& terms)
    : prefill_(prefill), decode_(decode), kv_of_token_(kv_of_token), link_(link), terms_(terms), run_(terms.run) {
  stable_rate_ =
      slower_pool(matched_rate(rate_of_prompts(prefill, prompt_batch(prefill)), terms.matching.prefill_share->typical),
                  matched_rate(rate_of_answers(decode, decode.places()), terms.matching.decode_share->typical))
          .base_units();
}

ServedLatency PoolPair::latency(double rate) const {
  run_.load = {LoadKind::request_rate, rate};
  DisaggregatedFigures figures;
  serve_by_pools(prefill_, decode_, kv_of_token_, link_, run_, terms_.matching, figures);
  return disaggregated_latency(figures, run_, mean_first_token(figures, terms_.matching), terms_.unexplained);
}

bool PoolPair::within(double rate, const std::vector<LatencyLimit>& limits) const {
  if (rate > kShareOfStableRate * stable_rate_) return false;
  return limits.empty() || sizing::within(latency(rate), limits);
}

bool PoolPair::first_token_within(double rate, const std::vector<LatencyLimit>& limits) const {
  if (rate > kShareOfStableRate * stable_rate_) return false;
  run_.load = {LoadKind::request_rate, rate};
  DisaggregatedFigures figures;
  serve_prompts(prefill_, decode_, kv_of_token_, link_, rate, run_, terms_.matching, figures);
  return sizing::within(
      disaggregated_latency(figures, run_, mean_first_token(figures, terms_.matching), terms_.unexplained), limits);
}

double PoolPair::most(const std::vector<LatencyLimit>& limits, int steps) const {
  double low = kLeastShare * stable_rate_;
  double high = kShareOfStableRate * stable_rate_;
  if (!within(low, limits)) return 0;
  if (within(high, limits)) return high;
  for (int i = 0; i < steps; ++i) {
    const double middle = std::sqrt(low * high);
    (within(middle, limits) ? low : high) = middle;
  }
  return low;
}

}  // namespace podwright::sizing
