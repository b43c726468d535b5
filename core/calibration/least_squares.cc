#include "calibration/least_squares.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace podwright {
namespace {

/// 2 (sqrt(1 + z^2) - 1): a square near zero, an absolute value far out.
double soft(double z) { return 2.0 * (std::sqrt(1.0 + z * z) - 1.0); }

constexpr double kLeastSquaresGain = 1e-5;  ///< of the cost; steps of refits that win less are the last
constexpr int kMostAttempts = 12;           ///< at damping a step
constexpr int kMostHalvings = 6;
constexpr double kMostRefitStep = 0.5;  ///< of one parameter

/// The point of `parameters`, tried from `last`.
LeastSquaresPoint point_at(const LeastSquaresWeights& weights, const Residuals& residuals,
                           std::vector<double> parameters, const LeastSquaresPoint& last) {
  const std::size_t count = weights.observations.size();
  LeastSquaresPoint point{.parameters = std::move(parameters),
                          .residuals = std::vector<double>(count),
                          .told = std::vector<bool>(count, true),
                          .cost = 0,
                          .solved = true};
  residuals(point.parameters, point.residuals);
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isfinite(point.residuals[i])) continue;
    point.residuals[i] = last.residuals[i];
    point.told[i] = false;
  }
  point.cost = cost_of(weights, point.parameters, point.residuals);
  return point;
}

std::vector<double> sum_of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = a[i] + b[i];
  return sum;
}

}  // namespace

std::vector<double> solve_positive_definite(Matrix a, std::vector<double> b) {
  const std::size_t n = a.rows;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) a(j, j) -= a(j, k) * a(j, k);
    if (!(a(j, j) > 0)) return {};
    a(j, j) = std::sqrt(a(j, j));
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) a(i, j) -= a(i, k) * a(j, k);
      a(i, j) /= a(j, j);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a(i, k) * b[k];
    b[i] /= a(i, i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a(k, i) * b[k];
    b[i] /= a(i, i);
  }
  return b;
}

NormalEquations normal_equations(const LeastSquaresWeights& weights, const std::vector<double>& parameters,
                                 const std::vector<double>& residuals,
                                 const std::vector<std::vector<double>>& derivatives) {
  const std::size_t count = parameters.size();
  NormalEquations out{.matrix = Matrix(count, count), .right = std::vector<double>(count)};
  std::vector<double> robust(residuals.size());
  for (std::size_t i = 0; i < robust.size(); ++i) {
    const double z = residuals[i] / weights.noise;
    robust[i] = weights.observations[i] / std::sqrt(1.0 + z * z) / (weights.noise * weights.noise);
  }
  // Most parameters move few observations: only those are summed.
  std::vector<std::vector<std::size_t>> moved(count);
  for (std::size_t j = 0; j < count; ++j)
    for (std::size_t i = 0; i < robust.size(); ++i)
      if (robust[i] != 0 && derivatives[j][i] != 0) moved[j].push_back(i);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t k = 0; k <= j; ++k) {
      double sum = 0;
      for (const std::size_t i : moved[j].size() < moved[k].size() ? moved[j] : moved[k])
        sum += robust[i] * derivatives[j][i] * derivatives[k][i];
      out.matrix(j, k) = out.matrix(k, j) = sum;
    }
    for (const std::size_t i : moved[j]) out.right[j] -= robust[i] * derivatives[j][i] * residuals[i];
    const double stiffness = 1.0 / (weights.spread[j] * weights.spread[j]);
    out.matrix(j, j) += stiffness;
    out.right[j] -= stiffness * (parameters[j] - weights.prior[j]);
  }
  return out;
}

double cost_of(const LeastSquaresWeights& weights, const std::vector<double>& parameters,
               const std::vector<double>& residuals) {
  double cost = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i)
    cost += weights.observations[i] * soft(residuals[i] / weights.noise);
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    const double off = (parameters[j] - weights.prior[j]) / weights.spread[j];
    cost += off * off;
  }
  return cost;
}

std::vector<std::vector<double>> derivatives_at(const LeastSquaresProblem& problem, const LeastSquaresPoint& point) {
  std::vector<std::vector<double>> derivatives(point.parameters.size(), std::vector<double>(point.residuals.size()));
  for (std::size_t j = 0; j < derivatives.size(); ++j) {
    problem.derivative(point.parameters, point.residuals, j, derivatives[j]);
    for (std::size_t i = 0; i < point.residuals.size(); ++i)
      if (!point.told[i] || !std::isfinite(derivatives[j][i])) derivatives[j][i] = 0;
  }
  return derivatives;
}

LeastSquaresPoint fit_least_squares(const LeastSquaresProblem& problem, int most_iterations) {
  const LeastSquaresWeights& weights = problem.weights;
  const LeastSquaresPoint nowhere{.parameters = {},
                                  .residuals = std::vector<double>(weights.observations.size()),
                                  .told = {},
                                  .cost = 0,
                                  .solved = true};
  LeastSquaresPoint best = point_at(weights, problem.residuals, weights.prior, nowhere);
  double damping = 1e-2;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const NormalEquations normal =
        normal_equations(weights, best.parameters, best.residuals, derivatives_at(problem, best));
    bool factorised = false;
    double gain = 0;
    for (int attempt = 0; attempt < kMostAttempts && !(gain > 0); ++attempt) {
      Matrix damped = normal.matrix;
      for (std::size_t j = 0; j < damped.rows; ++j) damped(j, j) *= 1.0 + damping;
      const std::vector<double> step = solve_positive_definite(std::move(damped), normal.right);
      if (step.empty()) {
        damping *= 10;
        continue;
      }
      factorised = true;
      LeastSquaresPoint next = point_at(weights, problem.residuals, sum_of(best.parameters, step), best);
      if (next.cost < best.cost) {
        gain = best.cost - next.cost;
        best = std::move(next);
        damping = damping > 1e-6 ? damping / 5 : damping;
      } else {
        damping *= 4;
      }
    }
    best.solved = factorised;
    if (!(gain > problem.least_gain * best.cost)) break;
  }
  return best;
}

LeastSquaresPoint refit_least_squares(const LeastSquaresWeights& weights, const Residuals& residuals,
                                      const std::vector<std::vector<double>>& derivatives, LeastSquaresPoint start,
                                      int most_iterations) {
  LeastSquaresPoint best = std::move(start);
  best.cost = cost_of(weights, best.parameters, best.residuals);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    NormalEquations normal = normal_equations(weights, best.parameters, best.residuals, derivatives);
    std::vector<double> step = solve_positive_definite(std::move(normal.matrix), std::move(normal.right));
    best.solved = !step.empty();
    if (!best.solved) break;
    for (double& part : step) part = std::clamp(part, -kMostRefitStep, kMostRefitStep);
    double gain = 0;
    for (int halving = 0; halving <= kMostHalvings && !(gain > 0); ++halving) {
      LeastSquaresPoint next = point_at(weights, residuals, sum_of(best.parameters, step), best);
      if (next.cost < best.cost) {
        gain = best.cost - next.cost;
        best = std::move(next);
      } else {
        for (double& part : step) part /= 2;
      }
    }
    if (!(gain > kLeastSquaresGain * best.cost)) break;
  }
  return best;
}

}  // namespace podwright
