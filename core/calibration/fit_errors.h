#pragma once
/// What fits of times have in common: errors as logarithms, those of unseen points, and the limits beyond which a fit
/// is refused. docs/method/probes.md#refusals.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/stable_sort.h"
#include "base/units.h"

namespace podwright {

/// A machine outside these ranges was measured wrongly; fewer points cannot tell parameters and their spread.
inline constexpr int kFewestProductPoints = 12;
inline constexpr int kFewestTransferPoints = 6;
inline constexpr double kWorstLeaveOneOut = 0.15;
inline constexpr double kLeastEfficiency = 0.2;
inline constexpr double kMostEfficiency = 1.05;
inline constexpr double kMostStartSeconds = 1e-4;

/// Share of what was left out that an interval covers.
inline constexpr double kCovered = 0.9;

/// ln(predicted / measured); infinite where the prediction is not above 0.
double log_error(Seconds predicted, Seconds measured);

/// |ln| error at rank ceil(share (n + 1)), at most the largest; 0 without errors.
double error_at(std::vector<double> errors, double share);

/// How well a fit tells what it did not see, and whether it may be used.
struct FitQuality {
  double leave_one_out_median = 0;  ///< |ln| error of points that the fit did not see
  double leave_one_out_90 = 0;      ///< the same at rank ceil(0.9 (n + 1)): the half-width of 90 % intervals
  std::string refused;              ///< why it must not be used; empty: it may

  void set_errors(const std::vector<double>& of_unseen);
};

/// Mean |ln| error of the points' times, which searches of parameters minimise; no point counts for more than 50.
template <class Points, class Predict>
double mean_error(const Points& points, const Predict& predict) {
  double sum = 0;
  for (const auto& point : points) sum += std::min(50.0, std::fabs(log_error(predict(point), point.time)));
  return sum / static_cast<double>(points.size());
}

/// |ln| error of each point's time by `predict(others, point)`, a fit that did not see it.
template <class Point, class Predict>
std::vector<double> unseen_errors(std::span<const Point> points, const Predict& predict) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<Point> others(points.begin(), points.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    errors.push_back(std::fabs(log_error(predict(others, points[i]), points[i].time)));
  }
  return errors;
}

/// Points in the order of a member; of those with the same value the first counts.
template <class Point, class Size>
std::vector<Point> each_size_once(std::vector<Point> points, Size Point::*size) {
  sort_stably(points, [size](const Point& a, const Point& b) { return a.*size < b.*size; });
  points.erase(
      std::unique(points.begin(), points.end(), [size](const Point& a, const Point& b) { return a.*size == b.*size; }),
      points.end());
  return points;
}

/// A fit that was asked for and cannot be used, or a parameter that nothing was measured for.
struct CalibrationGap {
  std::string parameter;  ///< "gemm.bf16", "hbm.triad", "launch.graph" ...
  std::string reason;
};

/// Keeps a fit that may be used under its key; a refused one is a gap of `parameter`.
template <class Fit>
void keep_fit(std::map<std::string, Fit>& fits, const std::string& key, Fit fit, std::string parameter,
              std::vector<CalibrationGap>& gaps) {
  if (fit.refused.empty())
    fits.emplace(key, std::move(fit));
  else
    gaps.push_back({std::move(parameter), std::move(fit.refused)});
}

// Sentences without a full stop; empty where there is no problem.
std::string start_problem(Seconds start);
std::string efficiency_problem(double efficiency, const std::string& name);  ///< `name`: "compute efficiency"
std::string unseen_problem(double leave_one_out_median);
std::string count_problem(std::size_t points, int fewest);
/// The first of them that is one.
std::string first_problem(std::initializer_list<std::string> problems);

}  // namespace podwright
