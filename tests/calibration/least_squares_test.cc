#include "calibration/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>

namespace podwright {
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
  const std::vector<double> fit = fit_least_squares(line({1, 3, 5, 7, 9}, 1e3), 50);
  EXPECT_NEAR(fit[0], 1, 1e-3);
  EXPECT_NEAR(fit[1], 2, 1e-3);
}

TEST(LeastSquares, HardlyFollowsOneWildPoint) {
  const std::vector<double> fit = fit_least_squares(line({1, 3, 5, 7, 9, 11, 13, 1000}, 1e3), 100);
  EXPECT_NEAR(fit[1], 2, 0.5);  // plain least squares would find a slope of 84
}

TEST(NormalEquations, LeaveOutObservationsWithoutWeight) {
  LeastSquaresWeights weights{.prior = {0}, .spread = {1e3}, .observations = {1, 0}, .noise = 1e6};
  const NormalEquations normal = normal_equations(weights, {0}, {-3e6, 7e6}, {{1, 1}});
  EXPECT_NEAR(normal.matrix(0, 0), 1e-12 / std::sqrt(10.0) + 1e-6, 1e-18);
  EXPECT_NEAR(normal.right[0], 3e-6 / std::sqrt(10.0), 1e-15);
}

TEST(LeastSquares, StaysAtThePriorWhereItIsFirm) {
  const std::vector<double> fit = fit_least_squares(line({1, 3, 5, 7, 9}, 1e-4), 50);
  EXPECT_NEAR(fit[0], 0, 1e-3);
  EXPECT_NEAR(fit[1], 0, 1e-3);
}

}  // namespace
}  // namespace podwright
