#include "calibration/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace podwright::least_squares_test {
namespace {

/// y = a + b x over x = 0..n-1, with priors too weak to matter.
LeastSquaresProblem line(const std::vector<double>& y, double prior_spread) {
  LeastSquaresProblem problem;
  problem.weights.prior = {0, 0};
  problem.weights.spread = {prior_spread, prior_spread};
  problem.weights.observations.assign(y.size(), 1);
  problem.weights.noise = 1;
  problem.residuals = [y](const std::vector<double>& at, std::vector<double>& residuals) {
    for (std::size_t i = 0; i < y.size(); ++i) residuals[i] = at[0] + at[1] * static_cast<double>(i) - y[i];
  };
  problem.derivative = [y](const std::vector<double>&, const std::vector<double>&, std::size_t parameter,
                           std::vector<double>& derivative) {
    for (std::size_t i = 0; i < y.size(); ++i) derivative[i] = parameter == 0 ? 1.0 : static_cast<double>(i);
  };
  return problem;
}

TEST(SolvePositiveDefinite, SolvesAKnownSystem) {
  // 4 x + 2 y = 10, 2 x + 3 y = 9: x = 1.5, y = 2.
  Matrix a(2, 2);
  a(0, 0) = 4;
  a(0, 1) = a(1, 0) = 2;
  a(1, 1) = 3;
  const std::vector<double> x = solve_positive_definite(a, {10, 9});
  ASSERT_EQ(x.size(), 2u);
  EXPECT_NEAR(x[0], 1.5, 1e-12);
  EXPECT_NEAR(x[1], 2.0, 1e-12);
}

TEST(SolvePositiveDefinite, IsEmptyForOtherMatrices) {
  Matrix a(2, 2);
  a(0, 0) = a(1, 1) = 1;
  a(0, 1) = a(1, 0) = 2;
  EXPECT_TRUE(solve_positive_definite(a, {1, 1}).empty());
}

TEST(LeastSquares, FindsTheLineThroughPoints) {
  const std::vector<double> fit = fit_least_squares(line({1, 3, 5, 7, 9}, 1e3), 50).parameters;
  EXPECT_NEAR(fit[0], 1, 1e-3);
  EXPECT_NEAR(fit[1], 2, 1e-3);
}

TEST(LeastSquares, HardlyFollowsOneWildPoint) {
  const std::vector<double> fit = fit_least_squares(line({1, 3, 5, 7, 9, 11, 13, 1000}, 1e3), 100).parameters;
  EXPECT_NEAR(fit[1], 2, 0.5);  // plain least squares would find a slope of 84
}

TEST(NormalEquations, LeaveOutObservationsWithoutWeight) {
  LeastSquaresWeights weights{.prior = {0}, .spread = {1e3}, .observations = {1, 0}, .noise = 1e6};
  const NormalEquations normal = normal_equations(weights, {0}, {-3e6, 7e6}, {{1, 1}});
  EXPECT_NEAR(normal.matrix(0, 0), 1e-12 / std::sqrt(10.0) + 1e-6, 1e-18);
  EXPECT_NEAR(normal.right[0], 3e-6 / std::sqrt(10.0), 1e-15);
}

TEST(LeastSquares, StaysAtThePriorWhereItIsFirm) {
  const std::vector<double> fit = fit_least_squares(line({1, 3, 5, 7, 9}, 1e-4), 50).parameters;
  EXPECT_NEAR(fit[0], 0, 1e-3);
  EXPECT_NEAR(fit[1], 0, 1e-3);
}

/// Solves by elimination with pivots, to compare with.
std::vector<double> eliminated(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j; i < n; ++i)
      if (std::fabs(a[i][j]) > std::fabs(a[pivot][j])) pivot = i;
    std::swap(a[j], a[pivot]);
    std::swap(b[j], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == j) continue;
      const double times = a[i][j] / a[j][j];
      for (std::size_t k = j; k < n; ++k) a[i][k] -= times * a[j][k];
      b[i] -= times * b[j];
    }
  }
  for (std::size_t j = 0; j < n; ++j) b[j] /= a[j][j];
  return b;
}

TEST(NormalEquations, AreThoseOfADenseSum) {
  // Four parameters, five observations; parameters 1 and 3 move few of them, one observation weighs nothing.
  const LeastSquaresWeights weights{
      .prior = {0.1, -0.2, 0, 0.4}, .spread = {0.5, 1, 2, 0.25}, .observations = {1, 0.5, 2, 0, 0.75}, .noise = 0.3};
  const std::vector<double> at{0.2, 0.3, -0.4, 0.5};
  const std::vector<double> residuals{0.4, -0.1, 0.7, 5, -0.3};
  const std::vector<std::vector<double>> derivatives{
      {1, 0.5, -0.25, 2, 0.75}, {0, 0, 1.5, 1, 0}, {-1, 0.25, 0.5, 3, 1.25}, {0, 2, 0, 1, 0}};
  std::vector<std::vector<double>> matrix(4, std::vector<double>(4));
  std::vector<double> right(4);
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t i = 0; i < 5; ++i) {
      const double z = residuals[i] / 0.3;
      const double weight = weights.observations[i] / (0.3 * 0.3 * std::sqrt(1 + z * z));
      for (std::size_t k = 0; k < 4; ++k) matrix[j][k] += weight * derivatives[j][i] * derivatives[k][i];
      right[j] -= weight * derivatives[j][i] * residuals[i];
    }
    matrix[j][j] += 1 / (weights.spread[j] * weights.spread[j]);
    right[j] -= (at[j] - weights.prior[j]) / (weights.spread[j] * weights.spread[j]);
  }
  const NormalEquations normal = normal_equations(weights, at, residuals, derivatives);
  const std::vector<double> step = solve_positive_definite(normal.matrix, normal.right);
  const std::vector<double> dense = eliminated(matrix, right);
  ASSERT_EQ(step.size(), 4u);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(normal.right[j], right[j], 1e-12);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(normal.matrix(j, k), matrix[j][k], 1e-12);
    EXPECT_NEAR(step[j], dense[j], 1e-12);
  }
}

TEST(CostOf, IsSoftInResidualsAndSquareInPriors) {
  const LeastSquaresWeights weights{.prior = {1}, .spread = {0.5}, .observations = {3, 0}, .noise = 2};
  // 3 x 2 (sqrt(1 + 1.5^2) - 1) + (1 / 0.5)^2
  EXPECT_NEAR(cost_of(weights, {2}, {3, 100}), 6 * (std::sqrt(3.25) - 1) + 4, 1e-12);
}

/// One observation wants 2; another is told below 1 only, where it is 4 off whatever the parameter.
LeastSquaresProblem with_an_edge() {
  LeastSquaresProblem problem;
  problem.weights = {.prior = {0}, .spread = {1e3}, .observations = {1, 1}, .noise = 1};
  problem.residuals = [](const std::vector<double>& x, std::vector<double>& residuals) {
    residuals = {x[0] - 2, x[0] < 1 ? 4.0 : std::numeric_limits<double>::quiet_NaN()};
  };
  problem.derivative = [problem](const std::vector<double>& x, const std::vector<double>& at, std::size_t,
                                 std::vector<double>& derivative) {
    problem.residuals({x[0] + 1e-4}, derivative);
    for (std::size_t i = 0; i < 2; ++i) derivative[i] = (derivative[i] - at[i]) / 1e-4;
  };
  return problem;
}

TEST(LeastSquares, NothingIsWonByLosingAPrediction) {
  const LeastSquaresProblem problem = with_an_edge();
  const LeastSquaresPoint fit = fit_least_squares(problem, 50);
  EXPECT_NEAR(fit.parameters[0], 2, 1e-3);
  EXPECT_FALSE(fit.told[1]);
  EXPECT_EQ(fit.residuals[1], 4);
  EXPECT_NEAR(fit.cost, 2 * (std::sqrt(17) - 1), 1e-4);
  EXPECT_EQ(derivatives_at(problem, fit)[0][1], 0);
}

TEST(LeastSquares, AnEdgeIsNoSlope) {
  // All but at the edge: the quotient's second point is not told.
  LeastSquaresProblem problem = with_an_edge();
  const double edge = 1 - 5e-5;
  const LeastSquaresPoint point{.parameters = {edge}, .residuals = {edge - 2, 4}, .told = {true, true}};
  EXPECT_EQ(derivatives_at(problem, point)[0][1], 0);
  problem.weights.observations = {0, 1};
  problem.weights.prior = {edge};
  EXPECT_EQ(fit_least_squares(problem, 50).parameters[0], edge);
}

TEST(RefitLeastSquares, OfALineIsTheFitOfTheOthers) {
  const LeastSquaresProblem problem = line({1, 3, 5, 7, 12}, 1e3);
  const LeastSquaresPoint whole = fit_least_squares(problem, 100);
  LeastSquaresWeights others = problem.weights;
  others.observations[4] = 0;
  const LeastSquaresPoint refit =
      refit_least_squares(others, problem.residuals, derivatives_at(problem, whole), whole, 50);
  EXPECT_TRUE(refit.solved);
  EXPECT_NEAR(refit.parameters[0], 1, 1e-2);
  EXPECT_NEAR(refit.parameters[1], 2, 1e-2);
}

TEST(RefitLeastSquares, HalvesStepsThatCostMore) {
  // A derivative of a tenth makes steps ten times too long.
  LeastSquaresWeights weights{.prior = {0}, .spread = {1e3}, .observations = {1}, .noise = 1};
  const auto residuals = [](const std::vector<double>& x, std::vector<double>& at) { at = {x[0] - 0.04}; };
  const LeastSquaresPoint start{.parameters = {0}, .residuals = {-0.04}, .told = {true}};
  const LeastSquaresPoint refit = refit_least_squares(weights, residuals, {{0.1}}, start, 20);
  EXPECT_NEAR(refit.parameters[0], 0.04, 1e-3);
}

TEST(RefitLeastSquares, NeverCostsMoreThanItsStart) {
  // Derivatives of the wrong sign lead uphill, however short the step.
  LeastSquaresWeights weights{.prior = {0}, .spread = {1e3}, .observations = {1}, .noise = 1};
  const auto residuals = [](const std::vector<double>& x, std::vector<double>& at) { at = {x[0] - 2}; };
  const LeastSquaresPoint start{.parameters = {0.5}, .residuals = {-1.5}, .told = {true}};
  const LeastSquaresPoint refit = refit_least_squares(weights, residuals, {{-1}}, start, 20);
  EXPECT_EQ(refit.parameters[0], 0.5);
  EXPECT_TRUE(refit.solved);
  EXPECT_EQ(refit.cost, cost_of(weights, start.parameters, start.residuals));
}

TEST(RefitLeastSquares, SaysWhereEquationsHaveNoSolution) {
  LeastSquaresWeights weights{.prior = {0}, .spread = {1}, .observations = {1}, .noise = 1};
  const auto residuals = [](const std::vector<double>&, std::vector<double>& at) { at = {1}; };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const LeastSquaresPoint start{.parameters = {0}, .residuals = {1}, .told = {true}};
  const LeastSquaresPoint refit = refit_least_squares(weights, residuals, {{nan}}, start, 20);
  EXPECT_FALSE(refit.solved);
  EXPECT_EQ(refit.parameters[0], 0);
}

}  // namespace
}  // namespace podwright::least_squares_test
