#include "calibration/product_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/math.h"
#include "base/number_text.h"
#include "calibration/machine_formulas.h"
#include "calibration/simplex_search.h"
#include "measure/measure_formulas.h"

namespace podwright {
namespace {

constexpr std::array<double, 3> kAxisWeights = {1.0, 0.7, 0.7};
constexpr std::size_t kNeighbours = 6;
constexpr double kFadeDistance = 1.3862943611198906;  // ln 4
constexpr double kMicrosecond = 1e-6;

using Place = std::array<double, 3>;

Place place_of(const ProductShape& shape) { return {math::log(shape.m), math::log(shape.n), math::log(shape.k)}; }

Seconds fitted_time(const ProductFit& fit, const ProductShape& shape) {
  const Flops work = matrix_product_work(shape.m, shape.n, shape.k);
  return product_time(fit.start, work / (fit.peaks.flops * fit.compute_efficiency),
                      shape.bytes / (fit.peaks.bandwidth * fit.bandwidth_efficiency));
}

double log_error(Seconds predicted, Seconds measured) {
  const double ratio = predicted / measured;
  return ratio > 0 ? math::log(ratio) : std::numeric_limits<double>::infinity();
}

/// Start in microseconds and logarithms of the efficiencies.
void set_parameters(ProductFit& fit, const std::vector<double>& parameters) {
  fit.start = Seconds(parameters[0] * kMicrosecond);
  fit.compute_efficiency = math::exp(std::clamp(parameters[1], -20.0, 20.0));
  fit.bandwidth_efficiency = math::exp(std::clamp(parameters[2], -20.0, 20.0));
}

std::vector<double> parameters_of(const ProductFit& fit) {
  return {raw(fit.start) / kMicrosecond, math::log(fit.compute_efficiency), math::log(fit.bandwidth_efficiency)};
}

void minimise(ProductFit& fit, const std::vector<double>& start) {
  ProductFit tried;
  tried.peaks = fit.peaks;
  const auto cost = [&](const std::vector<double>& parameters) {
    set_parameters(tried, parameters);
    double sum = 0;
    for (const ProductPoint& point : fit.points)
      sum += std::min(50.0, std::fabs(log_error(fitted_time(tried, point.shape), point.time)));
    return sum / static_cast<double>(fit.points.size());
  };
  set_parameters(fit, simplex_minimum(cost, start, {2.0, 0.2, 0.2}));
  fit.residuals.clear();
  for (const ProductPoint& point : fit.points)
    fit.residuals.push_back(-log_error(fitted_time(fit, point.shape), point.time));
}

double squared(double x) { return x * x; }

/// Share of the neighbours' residuals that counts here: all inside the measured range, none from ln 4 outside it.
double presence(const ProductFit& fit, const Place& here) {
  double outside = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const ProductPoint& point : fit.points) {
      low = std::min(low, place_of(point.shape)[axis]);
      high = std::max(high, place_of(point.shape)[axis]);
    }
    outside += squared(kAxisWeights[axis] * std::max({0.0, low - here[axis], here[axis] - high}));
  }
  return std::max(0.0, 1 - std::sqrt(outside) / kFadeDistance);
}

/// Residuals of the nearest points, weighted with the inverse square of their distance.
double neighbours_residual(const ProductFit& fit, const Place& here) {
  struct Neighbour {
    double distance;
    double residual;
  };
  std::vector<Neighbour> neighbours;
  for (std::size_t i = 0; i < fit.points.size(); ++i) {
    const Place there = place_of(fit.points[i].shape);
    double distance = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) distance += squared(kAxisWeights[axis] * (there[axis] - here[axis]));
    neighbours.push_back({distance, fit.residuals[i]});
  }
  std::stable_sort(neighbours.begin(), neighbours.end(),
                   [](const Neighbour& a, const Neighbour& b) { return a.distance < b.distance; });
  if (neighbours.empty()) return 0;
  if (neighbours.front().distance < 1e-18) return neighbours.front().residual;
  neighbours.resize(std::min(neighbours.size(), kNeighbours));
  double weights = 0;
  double sum = 0;
  for (const Neighbour& neighbour : neighbours) {
    weights += 1 / neighbour.distance;
    sum += neighbour.residual / neighbour.distance;
  }
  return sum / weights;
}

void leave_one_out(ProductFit& fit) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < fit.points.size(); ++i) {
    ProductFit without;
    without.peaks = fit.peaks;
    without.points = fit.points;
    without.points.erase(without.points.begin() + static_cast<std::ptrdiff_t>(i));
    minimise(without, parameters_of(fit));
    errors.push_back(std::fabs(log_error(without.predict(fit.points[i].shape), fit.points[i].time)));
  }
  fit.leave_one_out_median = error_at(errors, 0.5);
  fit.leave_one_out_90 = error_at(errors, 0.9);
}

std::string efficiency_problem(double efficiency, const std::string& name) {
  if (efficiency > kLeastEfficiency && efficiency < kMostEfficiency) return "";
  return name + " efficiency " + human_number(efficiency) + " lies outside 0.2 to 1.05";
}

std::string refusal(const ProductFit& fit) {
  if (!(raw(fit.start) > 0 && raw(fit.start) < kMostStartSeconds))
    return "start-up time " + human_number(raw(fit.start) / kMicrosecond) + " us lies outside 0 to 100 us";
  if (std::string problem = efficiency_problem(fit.compute_efficiency, "compute"); !problem.empty()) return problem;
  if (std::string problem = efficiency_problem(fit.bandwidth_efficiency, "bandwidth"); !problem.empty()) return problem;
  if (fit.leave_one_out_median > kWorstLeaveOneOut)
    return "points that the fit did not see are " + human_number(100 * fit.leave_one_out_median) +
           " % off at the median, more than 15 %";
  return "";
}

}  // namespace

double error_at(std::vector<double> errors, double share) {
  if (errors.empty()) return 0;
  std::sort(errors.begin(), errors.end());
  const double rank = std::ceil(share * static_cast<double>(errors.size() + 1));
  return errors[std::min(errors.size(), static_cast<std::size_t>(rank)) - 1];
}

Seconds ProductFit::predict(const ProductShape& shape) const {
  const Place here = place_of(shape);
  return fitted_time(*this, shape) * math::exp(presence(*this, here) * neighbours_residual(*this, here));
}

ProductFit fit_products(std::span<const ProductPoint> points, const MachinePeaks& peaks) {
  ProductFit fit;
  fit.peaks = peaks;
  fit.points.assign(points.begin(), points.end());
  const std::string count = std::to_string(points.size()) + " valid points, fewer than 12";
  if (points.size() < 4) {
    fit.refused = count;
    return fit;
  }
  minimise(fit, {5.0, math::log(0.7), math::log(0.8)});
  if (points.size() < kFewestProductPoints) {
    fit.refused = count;
    return fit;
  }
  leave_one_out(fit);
  fit.refused = refusal(fit);
  return fit;
}

}  // namespace podwright
