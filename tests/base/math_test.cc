#include "base/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace podwright::math_test {
namespace {

constexpr double kPromise = 1e-15;  // math.h

/// Even steps from `low` to `high`, shifted by an irrational part so that no step is a round number.
template <class Visit>
void sweep(double low, double high, int steps, Visit visit) {
  for (int i = 0; i < steps; ++i) visit(low + (high - low) * (i + 0.6180339887498949) / steps);
}

double relative_error(double value, double expected) { return std::fabs(value / expected - 1.0); }

TEST(Exp, AgreesWithTheCLibrary) {
  sweep(-708, 709, 200000, [](double x) { ASSERT_LT(relative_error(math::exp(x), std::exp(x)), kPromise) << x; });
  sweep(-1e-3, 1e-3, 20000, [](double x) { ASSERT_LT(relative_error(math::exp(x), std::exp(x)), kPromise) << x; });
}

TEST(Exp, IsExactAtZeroAndFadesOutBelowTheNormalRange) {
  EXPECT_EQ(math::exp(0), 1.0);
  EXPECT_GT(math::exp(709), 8e307);
  const double smallest = std::numeric_limits<double>::denorm_min();
  sweep(-745, -708, 5000,
        [&](double x) { ASSERT_LE(std::fabs(math::exp(x) - std::exp(x)), smallest + kPromise * std::exp(x)) << x; });
  EXPECT_EQ(math::exp(-746), 0.0);
  EXPECT_EQ(math::exp(-std::numeric_limits<double>::infinity()), 0.0);
}

TEST(Log, AgreesWithTheCLibrary) {
  sweep(-1074, 1023.99, 200000, [](double exponent) {
    const double x = std::exp2(exponent);
    ASSERT_LT(relative_error(math::log(x), std::log(x)), kPromise) << x;
  });
  sweep(0.999, 1.001, 20000, [](double x) { ASSERT_LT(relative_error(math::log(x), std::log(x)), kPromise) << x; });
  EXPECT_EQ(math::log(1), 0.0);
  sweep(1e-300, 1e300, 20000,
        [](double x) { ASSERT_LT(relative_error(math::log2(x), std::log2(x)), 2 * kPromise) << x; });
  EXPECT_DOUBLE_EQ(math::log2(8), 3.0);
}

TEST(Pow, AgreesWithTheCLibraryUpToTheEndsOfTheRange) {
  sweep(-300, 300, 500, [](double exponent) {
    const double x = std::exp2(exponent);
    const double largest = 700.0 / std::fabs(std::log(x));
    sweep(-largest, largest, 401,
          [&](double y) { ASSERT_LT(relative_error(math::pow(x, y), std::pow(x, y)), kPromise) << x << " " << y; });
  });
  sweep(0.99, 1.01, 500, [](double x) {
    sweep(-60000, 60000, 101,
          [&](double y) { ASSERT_LT(relative_error(math::pow(x, y), std::pow(x, y)), kPromise) << x << " " << y; });
  });
}

TEST(Pow, WholeExponentsTakeAnyBase) {
  sweep(-30, 30, 3001, [](double exponent) {
    const double x = std::exp2(exponent);
    for (int n = -64; n <= 64; ++n) {
      const double expected = std::pow(x, n);
      if (expected > 1e-307 && expected < 1e308) {
        ASSERT_LT(relative_error(math::pow(x, n), expected), kPromise) << x << " " << n;
      }
    }
  });
  EXPECT_EQ(math::pow(3, 2), 9.0);
  EXPECT_EQ(math::pow(3, 33), 5559060566555523.0);
  EXPECT_EQ(math::pow(10, 22), 1e22);
  EXPECT_EQ(math::pow(10, -3), 0.001);
  EXPECT_EQ(math::pow(2, -64), 0x1p-64);
  EXPECT_EQ(math::pow(-2, 3), -8.0);
  EXPECT_EQ(math::pow(-2, -2), 0.25);
  EXPECT_EQ(math::pow(5, 0), 1.0);
  EXPECT_EQ(math::pow(0, 0), 1.0);
  EXPECT_EQ(math::pow(0, 3), 0.0);
  EXPECT_EQ(math::pow(1e200, 2), std::numeric_limits<double>::infinity());
  EXPECT_EQ(math::pow(1e-200, 2), 0.0);
  EXPECT_EQ(math::pow(0x1p-537, 2), 0x1p-1074);
}

TEST(Quantile, IsLinearBetweenOrderStatistics) {
  EXPECT_EQ(math::quantile({7}, 0.3), 7.0);
  EXPECT_EQ(math::quantile({4, 1, 3, 2}, 0.0), 1.0);
  EXPECT_EQ(math::quantile({4, 1, 3, 2}, 1.0), 4.0);
  EXPECT_EQ(math::quantile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(math::quantile({4, 1, 3, 2}, 0.9), 3.7);
  EXPECT_EQ(math::quantile({10, 0, 20, 30, 40}, 0.25), 10.0);
}

TEST(NormalShareBelow, AgreesWithTheCLibrary) {
  sweep(-8, 8, 20000,
        [](double x) { ASSERT_NEAR(math::normal_share_below(x), 0.5 * std::erfc(-x / std::sqrt(2.0)), 7.5e-8) << x; });
  EXPECT_NEAR(math::normal_share_below(1.6448536269514722), 0.95, 1e-7);
}

}  // namespace
}  // namespace podwright::math_test
