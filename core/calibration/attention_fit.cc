#include "calibration/attention_fit.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "calibration/machine_formulas.h"
#include "calibration/simplex_search.h"

namespace podwright {
namespace {

using AttentionPoints = std::vector<AttentionPoint>;

/// A start-up time must leave this share of the shortest time for the work.
constexpr double kLeastWorkShare = 0.05;

Seconds shortest_time(const AttentionPoints& points) {
  Seconds shortest = points.front().time;
  for (const AttentionPoint& point : points) shortest = std::min(shortest, point.time);
  return shortest;
}

/// Pools neighbours whose efficiencies fall until none does (the pool-adjacent-violators algorithm), in logarithms.
void make_monotone(std::vector<AttentionFit::Knot>& knots) {
  struct Pool {
    double sum = 0;
    std::size_t count = 0;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (const AttentionFit::Knot& knot : knots) {
    pools.push_back({math::log(knot.efficiency), 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      pools[pools.size() - 2].sum += pools.back().sum;
      pools[pools.size() - 2].count += pools.back().count;
      pools.pop_back();
    }
  }
  std::size_t next = 0;
  for (const Pool& pool : pools)
    for (std::size_t i = 0; i < pool.count; ++i) knots[next++].efficiency = math::exp(pool.mean());
}

/// Knots at the measured lengths, for a start-up time that all measured times exceed.
AttentionFit with_start(const AttentionPoints& points, FlopsPerSecond peak, Seconds start) {
  AttentionFit fit;
  fit.peak = peak;
  fit.start = start;
  for (const AttentionPoint& point : points)
    fit.knots.push_back({point.tokens, point.work / (peak * (point.time - start))});
  make_monotone(fit.knots);
  return fit;
}

std::vector<double> errors_with_start(const AttentionPoints& points, FlopsPerSecond peak, Seconds start) {
  return unseen_errors(std::span<const AttentionPoint>(points),
                       [&](const AttentionPoints& others, const AttentionPoint& point) {
                         return with_start(others, peak, start).predict(point.tokens, point.work);
                       });
}

Seconds best_start(const AttentionPoints& points, FlopsPerSecond peak) {
  const double most = raw(shortest_time(points)) * (1 - kLeastWorkShare) / kMicrosecond;
  const auto start_of = [&](double parameter) { return Seconds(std::clamp(parameter, 0.0, most) * kMicrosecond); };
  const auto cost = [&](const std::vector<double>& parameters) {
    double sum = 0;
    for (const double error : errors_with_start(points, peak, start_of(parameters[0]))) sum += error;
    // Beyond its limits the start-up time says nothing more: the way back is downhill.
    return sum + std::fabs(parameters[0] - raw(start_of(parameters[0])) / kMicrosecond);
  };
  const double first = std::min(5.0, most / 2);
  return start_of(simplex_minimum(cost, {first}, {first / 2}).front());
}

}  // namespace

double AttentionFit::efficiency(double tokens) const {
  if (tokens <= knots.front().tokens) return knots.front().efficiency;
  if (tokens >= knots.back().tokens) return knots.back().efficiency;
  const auto above = std::upper_bound(knots.begin(), knots.end(), tokens,
                                      [](double length, const Knot& knot) { return length < knot.tokens; });
  const Knot& low = *(above - 1);
  const double share = math::log(tokens / low.tokens) / math::log(above->tokens / low.tokens);
  return low.efficiency + share * (above->efficiency - low.efficiency);
}

Seconds AttentionFit::predict(double tokens, Flops work) const {
  return prompt_attention_time(start, work, peak, efficiency(tokens));
}

AttentionFit fit_attention(std::span<const AttentionPoint> points, FlopsPerSecond peak) {
  const AttentionPoints lengths =
      each_size_once(AttentionPoints(points.begin(), points.end()), &AttentionPoint::tokens);
  AttentionFit fit;
  fit.peak = peak;
  fit.refused = count_problem(lengths.size(), kFewestAttentionPoints);
  if (!fit.refused.empty()) return fit;
  fit = with_start(lengths, peak, best_start(lengths, peak));
  fit.set_errors(errors_with_start(lengths, peak, fit.start));
  fit.refused = first_problem({start_problem(fit.start),
                               efficiency_problem(fit.knots.back().efficiency, "efficiency of the longest prompt"),
                               unseen_problem(fit.leave_one_out_median)});
  fit.points = lengths;
  return fit;
}

}  // namespace podwright
