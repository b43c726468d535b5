#include "calibration/transfer_fit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/math.h"
#include "calibration/fit_errors.h"
#include "calibration/machine_formulas.h"
#include "calibration/simplex_search.h"

namespace podwright {
namespace {

/// Start in microseconds, logarithm of the bandwidth over the peak.
void set_parameters(TransferFit& fit, const std::vector<double>& parameters, BytesPerSecond peak) {
  fit.start = Seconds(parameters[0] * kMicrosecond);
  fit.efficiency = math::exp(std::clamp(parameters[1], -20.0, 20.0));
  fit.bandwidth = peak * fit.efficiency;
}

TransferFit minimised(std::span<const TransferPoint> points, BytesPerSecond peak, std::vector<double> start) {
  TransferFit fit;
  const auto cost = [&](const std::vector<double>& parameters) {
    set_parameters(fit, parameters, peak);
    double sum = 0;
    for (const TransferPoint& point : points)
      sum += std::min(50.0, std::fabs(log_error(fit.predict(point.bytes), point.time)));
    return sum / static_cast<double>(points.size());
  };
  set_parameters(fit, simplex_minimum(cost, std::move(start), {2.0, 0.2}), peak);
  return fit;
}

std::vector<double> unseen_errors(std::span<const TransferPoint> points, BytesPerSecond peak, const TransferFit& fit) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<TransferPoint> others(points.begin(), points.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const TransferFit without = minimised(others, peak, {raw(fit.start) / kMicrosecond, math::log(fit.efficiency)});
    errors.push_back(std::fabs(log_error(without.predict(points[i].bytes), points[i].time)));
  }
  return errors;
}

std::string refusal(const TransferFit& fit) {
  if (std::string problem = start_problem(fit.start); !problem.empty()) return problem;
  if (std::string problem = efficiency_problem(fit.efficiency, "efficiency"); !problem.empty()) return problem;
  return unseen_problem(fit.leave_one_out_median);
}

}  // namespace

Seconds TransferFit::predict(Bytes bytes) const { return started_transfer_time(start, bytes, bandwidth); }

double TransferFit::efficiency_at(Bytes bytes) const {
  return reached_efficiency(efficiency, bytes, half_size(start, bandwidth));
}

TransferFit fit_transfers(std::span<const TransferPoint> points, BytesPerSecond peak) {
  TransferFit fit;
  if (points.size() >= 2) fit = minimised(points, peak, {5.0, math::log(0.8)});
  fit.refused = count_problem(points.size(), kFewestTransferPoints);
  if (!fit.refused.empty()) return fit;
  const std::vector<double> errors = unseen_errors(points, peak, fit);
  fit.leave_one_out_median = error_at(errors, 0.5);
  fit.leave_one_out_90 = error_at(errors, 0.9);
  fit.points.assign(points.begin(), points.end());
  fit.refused = refusal(fit);
  return fit;
}

Seconds CollectiveTable::predict(Bytes message) const {
  if (message <= knots.front().bytes) return knots.front().time;
  if (message >= knots.back().bytes) return time_between_sizes(message, knots.back().bytes, knots.back().time, 1.0);
  const auto above = std::upper_bound(knots.begin(), knots.end(), message,
                                      [](Bytes size, const TransferPoint& point) { return size < point.bytes; });
  const TransferPoint& below = *(above - 1);
  const double slope = math::log(above->time / below.time) / math::log(above->bytes / below.bytes);
  return time_between_sizes(message, below.bytes, below.time, slope);
}

double CollectiveTable::half_width() const { return std::max(repeat_90, error_at(leave_one_out_errors(*this), 0.9)); }

CollectiveTable collective_table(std::vector<TransferPoint> points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const TransferPoint& a, const TransferPoint& b) { return a.bytes < b.bytes; });
  points.erase(std::unique(points.begin(), points.end(),
                           [](const TransferPoint& a, const TransferPoint& b) { return a.bytes == b.bytes; }),
               points.end());
  CollectiveTable table;
  table.knots = std::move(points);
  return table;
}

std::vector<double> leave_one_out_errors(const CollectiveTable& table) {
  std::vector<double> errors;
  for (std::size_t i = 1; i + 1 < table.knots.size(); ++i) {
    CollectiveTable others = table;
    others.knots.erase(others.knots.begin() + static_cast<std::ptrdiff_t>(i));
    errors.push_back(std::fabs(log_error(others.predict(table.knots[i].bytes), table.knots[i].time)));
  }
  return errors;
}

}  // namespace podwright
