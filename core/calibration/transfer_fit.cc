#include "calibration/transfer_fit.h"

#include <algorithm>

#include "base/math.h"
#include "base/number_text.h"
#include "calibration/machine_formulas.h"
#include "calibration/simplex_search.h"

namespace podwright {
namespace {

using TransferSpan = std::span<const TransferPoint>;

/// The effective size of a cache must lie between these shares of what the device reports.
constexpr double kLeastCacheShare = 0.5;
constexpr double kMostCacheShare = 1.2;

/// Start in microseconds, logarithm of the bandwidth over the peak.
void set_parameters(TransferFit& fit, const std::vector<double>& parameters, BytesPerSecond peak) {
  fit.start = Seconds(parameters[0] * kMicrosecond);
  fit.efficiency = math::exp(std::clamp(parameters[1], -20.0, 20.0));
  fit.bandwidth = peak * fit.efficiency;
}

TransferFit minimised(TransferSpan points, BytesPerSecond peak, std::vector<double> start) {
  TransferFit fit;
  const auto cost = [&](const std::vector<double>& parameters) {
    set_parameters(fit, parameters, peak);
    return mean_error(points, [&](const TransferPoint& point) { return fit.predict(point.bytes); });
  };
  set_parameters(fit, simplex_minimum(cost, std::move(start), {2.0, 0.2}), peak);
  return fit;
}

double cache_parameter(double parameter) { return math::exp(std::clamp(parameter, -60.0, 60.0)); }

/// Start in microseconds; logarithms of the effective size and of both bandwidths.
void set_parameters(CacheFit& fit, const std::vector<double>& parameters) {
  fit.start = Seconds(parameters[0] * kMicrosecond);
  fit.effective = Bytes(cache_parameter(parameters[1]));
  fit.bandwidth = BytesPerSecond(cache_parameter(parameters[2]));
  fit.memory = BytesPerSecond(cache_parameter(parameters[3]));
}

/// Searches from where `fit` stands.
CacheFit minimised(TransferSpan points, CacheFit fit) {
  std::vector<double> start{raw(fit.start) / kMicrosecond, math::log(raw(fit.effective)), math::log(raw(fit.bandwidth)),
                            math::log(raw(fit.memory))};
  const auto cost = [&](const std::vector<double>& parameters) {
    set_parameters(fit, parameters);
    return mean_error(points, [&](const TransferPoint& point) { return fit.predict(point.bytes); });
  };
  set_parameters(fit, simplex_minimum(cost, std::move(start), {1.0, 0.2, 0.3, 0.3}));
  return fit;
}

/// The reported size, the best rate within it and the slowest beyond it.
CacheFit first_guess(TransferSpan points, Bytes reported) {
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

std::string cache_problem(const CacheFit& fit, Bytes reported) {
  const double share = fit.effective / reported;
  if (!(share >= kLeastCacheShare && share <= kMostCacheShare))
    return "the effective size is " + human_number(share) + " of the reported one, outside 0.5 to 1.2";
  return fit.bandwidth > fit.memory ? "" : "reads that fit the cache are no faster than reads of memory";
}

}  // namespace

Seconds TransferFit::predict(Bytes bytes) const { return started_transfer_time(start, bytes, bandwidth); }

TransferFit fit_transfers(TransferSpan points, BytesPerSecond peak) {
  TransferFit fit;
  if (points.size() >= 2) fit = minimised(points, peak, {5.0, math::log(0.8)});
  fit.refused = count_problem(points.size(), kFewestTransferPoints);
  if (!fit.refused.empty()) return fit;
  const std::vector<double> start{raw(fit.start) / kMicrosecond, math::log(fit.efficiency)};
  fit.set_errors(unseen_errors(points, [&](TransferSpan others, const TransferPoint& point) {
    return minimised(others, peak, start).predict(point.bytes);
  }));
  fit.points.assign(points.begin(), points.end());
  fit.refused = first_problem({start_problem(fit.start), efficiency_problem(fit.efficiency, "efficiency"),
                               unseen_problem(fit.leave_one_out_median)});
  return fit;
}

Seconds CacheFit::predict(Bytes bytes) const { return cached_read_time(start, bytes, effective, bandwidth, memory); }

CacheFit fit_cache(TransferSpan points, Bytes reported) {
  CacheFit fit = first_guess(points, reported);
  fit.refused = count_problem(points.size(), kFewestTransferPoints);
  if (!fit.refused.empty()) return fit;
  if (!(raw(fit.bandwidth) > 0 && raw(fit.memory) > 0)) {
    fit.refused = "no buffer on one side of the reported size";
    return fit;
  }
  fit = minimised(points, std::move(fit));
  fit.set_errors(unseen_errors(points, [&](TransferSpan others, const TransferPoint& point) {
    return minimised(others, fit).predict(point.bytes);
  }));
  fit.points.assign(points.begin(), points.end());
  fit.refused =
      first_problem({start_problem(fit.start), cache_problem(fit, reported), unseen_problem(fit.leave_one_out_median)});
  return fit;
}

}  // namespace podwright
