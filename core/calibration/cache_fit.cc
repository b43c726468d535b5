#include "calibration/cache_fit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/math.h"
#include "base/number_text.h"
#include "calibration/fit_errors.h"
#include "calibration/machine_formulas.h"
#include "calibration/simplex_search.h"

namespace podwright {
namespace {

double cache_parameter(double parameter) { return math::exp(std::clamp(parameter, -60.0, 60.0)); }

/// Start in microseconds; logarithms of the effective size and of both bandwidths.
std::vector<double> parameters_of(const CacheFit& fit) {
  return {raw(fit.start) / kMicrosecond, math::log(raw(fit.effective)), math::log(raw(fit.bandwidth)),
          math::log(raw(fit.memory))};
}
void set_parameters(CacheFit& fit, const std::vector<double>& parameters) {
  fit.start = Seconds(parameters[0] * kMicrosecond);
  fit.effective = Bytes(cache_parameter(parameters[1]));
  fit.bandwidth = BytesPerSecond(cache_parameter(parameters[2]));
  fit.memory = BytesPerSecond(cache_parameter(parameters[3]));
}

/// Searches from where `fit` stands.
void minimise(CacheFit& fit, std::span<const TransferPoint> points) {
  CacheFit tried;
  const auto cost = [&](const std::vector<double>& parameters) {
    set_parameters(tried, parameters);
    double sum = 0;
    for (const TransferPoint& point : points)
      sum += std::min(50.0, std::fabs(log_error(tried.predict(point.bytes), point.time)));
    return sum / static_cast<double>(points.size());
  };
  set_parameters(fit, simplex_minimum(cost, parameters_of(fit), {1.0, 0.2, 0.3, 0.3}));
}

/// The reported size, the best rate within it and the slowest beyond it.
CacheFit first_guess(std::span<const TransferPoint> points, Bytes reported) {
  CacheFit fit;
  fit.start = Seconds(2 * kMicrosecond);
  fit.effective = reported;
  for (const TransferPoint& point : points) {
    const BytesPerSecond rate = point.bytes / point.time;
    if (point.bytes <= reported) fit.bandwidth = std::max(fit.bandwidth, rate);
    if (point.bytes > reported) fit.memory = raw(fit.memory) > 0 ? std::min(fit.memory, rate) : rate;
  }
  return fit;
}

void leave_one_out(CacheFit& fit, std::span<const TransferPoint> points) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<TransferPoint> others(points.begin(), points.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    CacheFit without = fit;
    minimise(without, others);
    errors.push_back(std::fabs(log_error(without.predict(points[i].bytes), points[i].time)));
  }
  fit.leave_one_out_median = error_at(errors, 0.5);
  fit.leave_one_out_90 = error_at(errors, 0.9);
}

std::string refusal(const CacheFit& fit, Bytes reported) {
  if (std::string problem = start_problem(fit.start); !problem.empty()) return problem;
  const double share = fit.effective / reported;
  if (!(share >= kLeastCacheShare && share <= kMostCacheShare))
    return "the effective size is " + human_number(share) + " of the reported one, outside 0.5 to 1.2";
  if (!(fit.bandwidth > fit.memory)) return "reads that fit the cache are no faster than reads of memory";
  return unseen_problem(fit.leave_one_out_median);
}

}  // namespace

Seconds CacheFit::predict(Bytes bytes) const { return cached_read_time(start, bytes, effective, bandwidth, memory); }

CacheFit fit_cache(std::span<const TransferPoint> points, Bytes reported) {
  CacheFit fit = first_guess(points, reported);
  fit.refused = count_problem(points.size(), kFewestTransferPoints);
  if (!fit.refused.empty()) return fit;
  if (!(raw(fit.bandwidth) > 0 && raw(fit.memory) > 0)) {
    fit.refused = "no buffer on one side of the reported size";
    return fit;
  }
  minimise(fit, points);
  leave_one_out(fit, points);
  fit.points.assign(points.begin(), points.end());
  fit.refused = refusal(fit, reported);
  return fit;
}

}  // namespace podwright
