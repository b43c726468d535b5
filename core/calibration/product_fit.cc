#include "calibration/product_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/math.h"
#include "calibration/fit_errors.h"
#include "calibration/simplex_search.h"

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

/// Searches from where the form of `fit` stands.
void minimise(ProductFit& fit, const SimplexEffort& effort = {}, double step_scale = 1) {
  ProductForm tried = fit;
  const auto cost = [&](const std::vector<double>& parameters) {
    tried.set_parameters(parameters);
    double sum = 0;
    for (const ProductPoint& point : fit.points)
      sum += std::min(50.0, std::fabs(log_error(tried.time(point.shape, fit.peaks), point.time)));
    return sum / static_cast<double>(fit.points.size());
  };
  std::vector<double> steps = fit.steps();
  for (double& step : steps) step *= step_scale;
  fit.set_parameters(simplex_minimum(cost, fit.parameters(), steps, effort));
  fit.residuals.clear();
  for (const ProductPoint& point : fit.points)
    fit.residuals.push_back(-log_error(fit.time(point.shape, fit.peaks), point.time));
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
    ProductFit without = fit;
    without.points.erase(without.points.begin() + static_cast<std::ptrdiff_t>(i));
    minimise(without, kNearby, kNearbySteps);
    errors.push_back(std::fabs(log_error(without.predict(fit.points[i].shape), fit.points[i].time)));
  }
  fit.leave_one_out_median = error_at(errors, 0.5);
  fit.leave_one_out_90 = error_at(errors, 0.9);
}

std::string refusal(const ProductFit& fit) {
  if (std::string problem = start_problem(fit.start); !problem.empty()) return problem;
  if (std::string problem = efficiency_problem(fit.compute_efficiency, "compute efficiency"); !problem.empty())
    return problem;
  if (std::string problem = efficiency_problem(fit.bandwidth_efficiency, "bandwidth efficiency"); !problem.empty())
    return problem;
  return unseen_problem(fit.leave_one_out_median);
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

Seconds ProductFit::predict(const ProductShape& shape) const {
  const Place here = place_of(shape);
  return time(shape, peaks) * math::exp(presence(*this, here) * neighbours_residual(*this, here));
}

ProductFit fit_products(std::span<const ProductPoint> points, const MachinePeaks& peaks) {
  ProductFit fit;
  fit.peaks = peaks;
  static_cast<ProductForm&>(fit) = first_product_form();
  fit.points.assign(points.begin(), points.end());
  fit.refused = count_problem(points.size(), kFewestProductPoints);
  if (points.size() < 4) {
    static_cast<ProductForm&>(fit) = ProductForm();
    return fit;
  }
  minimise(fit);
  if (!fit.refused.empty()) return fit;
  leave_one_out(fit);
  try_variants(fit);
  fit.refused = refusal(fit);
  return fit;
}

}  // namespace podwright
