#include "sizing/pool_pair.h"

#include <cmath>

namespace podwright::sizing {
namespace {

/// Of the stable rate, where the grid of rates begins.
constexpr double kLeastShare = 1e-3;

}  // namespace

PoolPair::PoolPair(const ServingPool& prefill, const ServingPool& decode, BytesPerSecond link, const PoolTerms& terms)
    : prefill_(prefill),
      decode_(decode),
      link_(link),
      terms_(terms),
      rates_(pool_rates(prefill, decode, terms.matching)),
      run_(terms.run) {}

double PoolPair::least_loaded() const { return kLeastShare * rates_.most().base_units(); }

ServedLatency PoolPair::latency(double rate) const {
  run_.load = {LoadKind::request_rate, rate};
  DisaggregatedFigures figures;
  serve_by_pools(prefill_, decode_, rates_, link_, run_, terms_.matching, figures);
  return disaggregated_latency(figures, run_, mean_first_token(figures, terms_.matching), terms_.unexplained);
}

bool PoolPair::within(double rate, const std::vector<LatencyLimit>& limits) const {
  if (rate > most_loaded()) return false;
  return limits.empty() || sizing::within(latency(rate), limits);
}

double PoolPair::most(const std::vector<LatencyLimit>& limits, int steps) const {
  double low = least_loaded();
  double high = most_loaded();
  if (!within(low, limits)) return 0;
  if (within(high, limits)) return high;
  for (int i = 0; i < steps; ++i) {
    const double middle = std::sqrt(low * high);
    (within(middle, limits) ? low : high) = middle;
  }
  return low;
}

}  // namespace podwright::sizing
