#include "calibration/attention_fit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/math.h"
#include "calibration/fit_errors.h"
#include "calibration/machine_formulas.h"
#include "calibration/simplex_search.h"

namespace podwright {
namespace {

using AttentionPoints = std::vector<AttentionPoint>;

/// A start-up time must leave this share of the shortest time for the work.
constexpr double kLeastWorkShare = 0.05;

AttentionPoints by_length(std::span<const AttentionPoint> points) {
  AttentionPoints sorted(points.begin(), points.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const AttentionPoint& a, const AttentionPoint& b) { return a.tokens < b.tokens; });
  const auto same = [](const AttentionPoint& a, const AttentionPoint& b) { return a.tokens == b.tokens; };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), same), sorted.end());
  return sorted;
}

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

std::vector<double> unseen_errors(const AttentionPoints& points, FlopsPerSecond peak, Seconds start) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < points.size(); ++i) {
    AttentionPoints others = points;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const AttentionFit without = with_start(others, peak, start);
    errors.push_back(std::fabs(log_error(without.predict(points[i].tokens, points[i].work), points[i].time)));
  }
  return errors;
}

Seconds best_start(const AttentionPoints& points, FlopsPerSecond peak) {
  const double most = raw(shortest_time(points)) * (1 - kLeastWorkShare) / kMicrosecond;
  const auto start_of = [&](double parameter) { return Seconds(std::clamp(parameter, 0.0, most) * kMicrosecond); };
  const auto cost = [&](const std::vector<double>& parameters) {
    double sum = 0;
    for (const double error : unseen_errors(points, peak, start_of(parameters[0]))) sum += error;
    // Beyond its limits the start-up time says nothing more: the way back is downhill.
    return sum + std::fabs(parameters[0] - raw(start_of(parameters[0])) / kMicrosecond);
  };
  const double first = std::min(5.0, most / 2);
  return start_of(simplex_minimum(cost, {first}, {first / 2}).front());
}

std::string refusal(const AttentionFit& fit) {
  if (std::string problem = start_problem(fit.start); !problem.empty()) return problem;
  if (std::string problem = efficiency_problem(fit.knots.back().efficiency, "efficiency of the longest prompt");
      !problem.empty())
    return problem;
  return unseen_problem(fit.leave_one_out_median);
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
  const AttentionPoints lengths = by_length(points);
  AttentionFit fit;
  fit.peak = peak;
  fit.refused = count_problem(lengths.size(), kFewestAttentionPoints);
  if (!fit.refused.empty()) return fit;
  const Seconds start = best_start(lengths, peak);
  fit = with_start(lengths, peak, start);
  const std::vector<double> errors = unseen_errors(lengths, peak, start);
  fit.leave_one_out_median = error_at(errors, 0.5);
  fit.leave_one_out_90 = error_at(errors, 0.9);
  fit.refused = refusal(fit);
  fit.points = lengths;
  return fit;
}

}  // namespace podwright
