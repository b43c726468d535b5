#include "calibration/product_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/math.h"
#include "base/stable_sort.h"
#include "calibration/machine_formulas.h"
#include "calibration/simplex_search.h"
#include "measure/measure_formulas.h"

namespace podwright {
namespace {

constexpr std::array<double, 3> kAxisWeights = {1.0, 0.7, 0.7};
constexpr std::size_t kNeighbours = 6;
constexpr double kFadeDistance = 1.3862943611198906;  // ln 4

using Place = std::array<double, 3>;

Place place_of(const ProductShape& shape) { return {math::log(shape.m), math::log(shape.n), math::log(shape.k)}; }

/// A fit without one of its points lies near the fit with all of them: one round of smaller moves finds it.
constexpr SimplexEffort kNearby{.rounds = 1, .tolerance = 1e-8};
constexpr double kNearbySteps = 0.25;

/// Beyond it the smooth maximum is the maximum in every digit that times have.
constexpr double kMostNorm = 32;

double product_parameter(double parameter) { return math::exp(std::clamp(parameter, -20.0, 20.0)); }

/// What a search moves: the start in microseconds, logarithms of the others that the equation has.
std::vector<double> parameters_of(const ProductFit& fit) {
  std::vector<double> parameters{raw(fit.start) / kMicrosecond, math::log(fit.compute_efficiency),
                                 math::log(fit.bandwidth_efficiency)};
  if (fit.norm) parameters.push_back(math::log(std::max(1e-6, *fit.norm - 1)));
  if (fit.wave_share) parameters.push_back(math::log(std::max(1e-6, *fit.wave_share)));
  return parameters;
}

void set_parameters(ProductFit& fit, const std::vector<double>& parameters) {
  fit.start = Seconds(parameters[0] * kMicrosecond);
  fit.compute_efficiency = product_parameter(parameters[1]);
  fit.bandwidth_efficiency = product_parameter(parameters[2]);
  std::size_t next = 3;
  if (fit.norm) fit.norm = std::min(kMostNorm, 1 + product_parameter(parameters[next++]));
  if (fit.wave_share) fit.wave_share = std::min(1.0, product_parameter(parameters[next]));
}

/// Searches from where `fit` stands.
void minimise(ProductFit& fit, const SimplexEffort& effort = {}, double step_scale = 1) {
  std::vector<double> start = parameters_of(fit);
  std::vector<double> steps{2.0, 0.2, 0.2};
  steps.resize(start.size(), 0.7);
  for (double& step : steps) step *= step_scale;
  const auto cost = [&](const std::vector<double>& parameters) {
    set_parameters(fit, parameters);
    return mean_error(fit.points, [&](const ProductPoint& point) { return fit.time(point.shape); });
  };
  set_parameters(fit, simplex_minimum(cost, std::move(start), steps, effort));
  fit.residuals.clear();
  for (const ProductPoint& point : fit.points) fit.residuals.push_back(-log_error(fit.time(point.shape), point.time));
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
  sort_stably(neighbours, [](const Neighbour& a, const Neighbour& b) { return a.distance < b.distance; });
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
  const std::span<const ProductPoint> points = fit.points;
  fit.set_errors(unseen_errors(points, [&](std::vector<ProductPoint> others, const ProductPoint& point) {
    ProductFit without = fit;
    without.points = std::move(others);
    minimise(without, kNearby, kNearbySteps);
    return without.predict(point.shape);
  }));
}

std::string refusal(const ProductFit& fit) {
  return first_problem({start_problem(fit.start), efficiency_problem(fit.compute_efficiency, "compute efficiency"),
                        efficiency_problem(fit.bandwidth_efficiency, "bandwidth efficiency"),
                        unseen_problem(fit.leave_one_out_median)});
}

/// The variant in place of the fit where it is worth its parameter.
void take_if_better(ProductFit& fit, ProductFit variant) {
  minimise(variant);
  leave_one_out(variant);
  if (refusal(variant).empty() && variant.leave_one_out_median < (1 - kLeastGainOfVariants) * fit.leave_one_out_median)
    fit = std::move(variant);
}

void try_variants(ProductFit& fit) {
  fit.plain_leave_one_out_median = fit.leave_one_out_median;
  ProductFit smooth = fit;
  smooth.norm = 4;
  take_if_better(fit, std::move(smooth));
  if (!(fit.peaks.multiprocessors > 0)) return;
  ProductFit waved = fit;
  waved.wave_share = 0.3;
  take_if_better(fit, std::move(waved));
}

}  // namespace

Seconds ProductFit::time(const ProductShape& shape) const {
  const Flops work = matrix_product_work(shape.m, shape.n, shape.k);
  Seconds compute = work / (peaks.flops * compute_efficiency);
  const Seconds memory = shape.bytes / (peaks.bandwidth * bandwidth_efficiency);
  if (wave_share && peaks.multiprocessors > 0)
    compute = waved_compute_time(compute, *wave_share, wave_loss(shape.m, shape.n, peaks.multiprocessors));
  return norm ? smooth_product_time(start, compute, memory, *norm) : product_time(start, compute, memory);
}

Seconds ProductFit::predict(const ProductShape& shape) const {
  const Place here = place_of(shape);
  return time(shape) * math::exp(presence(*this, here) * neighbours_residual(*this, here));
}

ProductFit fit_products(std::span<const ProductPoint> points, const MachinePeaks& peaks) {
  ProductFit fit;
  fit.peaks = peaks;
  fit.points.assign(points.begin(), points.end());
  fit.refused = count_problem(points.size(), kFewestProductPoints);
  if (points.size() < 4) return fit;
  fit.start = Seconds(5 * kMicrosecond);
  fit.compute_efficiency = 0.7;
  fit.bandwidth_efficiency = 0.8;
  minimise(fit);
  if (!fit.refused.empty()) return fit;
  leave_one_out(fit);
  try_variants(fit);
  fit.refused = refusal(fit);
  return fit;
}

}  // namespace podwright
