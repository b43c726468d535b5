#pragma once
/// Robust non-linear least squares with priors: small problems, derivatives by differences.
#include <cstddef>
#include <functional>
#include <vector>

namespace podwright {

/// A dense matrix row by row.
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;

  Matrix(std::size_t of_rows, std::size_t of_columns) : rows(of_rows), columns(of_columns), values(rows * columns) {}
  double& operator()(std::size_t row, std::size_t column) { return values[row * columns + column]; }
  double operator()(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

/// Solves `a` x = `b` for a symmetric positive definite matrix (Cholesky). Empty where it is none.
std::vector<double> solve_positive_definite(Matrix a, std::vector<double> b);

/// What parameters and observations weigh.
struct LeastSquaresWeights {
  std::vector<double> prior;         ///< of the parameters
  std::vector<double> spread;        ///< standard deviation of the prior, > 0
  std::vector<double> observations;  ///< one each; 0 leaves it out
  double noise = 1;                  ///< residual at which an observation begins to count less than with its square
};

/// Writes the residuals at `parameters`; NaN where the model has nothing to say there.
using Residuals = std::function<void(const std::vector<double>& parameters, std::vector<double>& residuals)>;

struct LeastSquaresProblem {
  LeastSquaresWeights weights;
  double least_gain = 1e-5;  ///< share of the cost; a step that wins less is the last
  Residuals residuals;
  /// Writes the derivative of the residuals by one parameter, given the residuals at the point; NaN where there is
  /// none. Parameters are asked for in their order, from the first, at each point.
  std::function<void(const std::vector<double>& parameters, const std::vector<double>& at, std::size_t parameter,
                     std::vector<double>& derivative)>
      derivative;
};

/// A point of a fit. A residual that the model does not give there is that of the point before, so that nothing is won
/// or lost by losing a prediction; it has no derivative.
struct LeastSquaresPoint {
  std::vector<double> parameters;
  std::vector<double> residuals;
  std::vector<bool> told;  ///< by the model
  double cost = 0;
  bool solved = true;  ///< false: a step's normal equations could not be factorised, and the steps end there
};

/// A Gauss-Newton step from `parameters` solves matrix x = right.
struct NormalEquations {
  Matrix matrix;
  std::vector<double> right;
};
/// `residuals` and their `derivatives` (one list for each parameter) are those at `parameters`.
NormalEquations normal_equations(const LeastSquaresWeights& weights, const std::vector<double>& parameters,
                                 const std::vector<double>& residuals,
                                 const std::vector<std::vector<double>>& derivatives);

/// sum w * soft(r / noise) + sum ((x - prior) / spread)^2, which fits minimise; soft(z) = 2 (sqrt(1 + z^2) - 1) is a
/// square near zero and an absolute value far out.
double cost_of(const LeastSquaresWeights& weights, const std::vector<double>& parameters,
               const std::vector<double>& residuals);

/// Minimises the cost by damped Gauss-Newton steps with weights of a soft absolute value. Starts at the prior.
LeastSquaresPoint fit_least_squares(const LeastSquaresProblem& problem, int most_iterations);

/// One list for each parameter; 0 where a residual has no derivative.
std::vector<std::vector<double>> derivatives_at(const LeastSquaresProblem& problem, const LeastSquaresPoint& point);

/// Minimises the cost of other weights from a point near by, whose `derivatives` serve all steps. A step that costs
/// more is halved until it costs less, so that the result never costs more than `start` does.
LeastSquaresPoint refit_least_squares(const LeastSquaresWeights& weights, const Residuals& residuals,
                                      const std::vector<std::vector<double>>& derivatives, LeastSquaresPoint start,
                                      int most_iterations);

}  // namespace podwright
