#include "calibration/least_squares.h"

#include <cmath>

namespace podwright {
namespace {

/// 2 (sqrt(1 + z^2) - 1): a square near zero, an absolute value far out.
double soft(double z) { return 2.0 * (std::sqrt(1.0 + z * z) - 1.0); }

double cost_of(const LeastSquaresWeights& weights, const std::vector<double>& x, const std::vector<double>& residuals) {
  double cost = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i)
    cost += weights.observations[i] * soft(residuals[i] / weights.noise);
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double off = (x[j] - weights.prior[j]) / weights.spread[j];
    cost += off * off;
  }
  return cost;
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

std::vector<double> fit_least_squares(const LeastSquaresProblem& problem, int most_iterations) {
  const std::size_t count = problem.weights.prior.size();
  const std::size_t observations = problem.weights.observations.size();
  std::vector<double> parameters = problem.weights.prior;
  std::vector<double> residuals(observations);
  problem.residuals(parameters, residuals);
  double lowest = cost_of(problem.weights, parameters, residuals);
  std::vector<std::vector<double>> derivatives(count, std::vector<double>(observations));
  double damping = 1e-2;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    for (std::size_t j = 0; j < count; ++j) problem.derivative(parameters, residuals, j, derivatives[j]);
    const NormalEquations normal = normal_equations(problem.weights, parameters, residuals, derivatives);
    bool better = false;
    double gain = 0;
    for (int attempt = 0; attempt < 12 && !better; ++attempt) {
      Matrix damped = normal.matrix;
      for (std::size_t j = 0; j < count; ++j) damped(j, j) *= 1.0 + damping;
      const std::vector<double> step = solve_positive_definite(std::move(damped), normal.right);
      if (step.empty()) {
        damping *= 10;
        continue;
      }
      std::vector<double> next = parameters;
      for (std::size_t j = 0; j < count; ++j) next[j] += step[j];
      std::vector<double> at(observations);
      problem.residuals(next, at);
      const double cost = cost_of(problem.weights, next, at);
      if (cost < lowest) {
        better = true;
        gain = lowest - cost;
        parameters = std::move(next);
        residuals = std::move(at);
        lowest = cost;
        damping = damping > 1e-6 ? damping / 5 : damping;
      } else {
        damping *= 4;
      }
    }
    if (!better || gain < 1e-5 * lowest) break;
  }
  return parameters;
}

}  // namespace podwright
