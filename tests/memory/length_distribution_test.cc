#include "memory/length_distribution.h"

#include <gtest/gtest.h>

#include <cmath>

namespace podwright::length_distribution_test {
namespace {

TEST(LengthDistribution, OfATableHasItsMeanAndScatter) {
  // 100 three times in four, 500 once: mean 200, mean square 0.75 x 100^2 + 0.25 x 500^2 = 70000.
  const LengthDistribution lengths = lengths_of_table({{500, 1}, {100, 3}});
  EXPECT_DOUBLE_EQ(mean_of_lengths(lengths), 200);
  EXPECT_DOUBLE_EQ(cv_of_lengths(lengths), std::sqrt(70000.0 / 40000 - 1));
  EXPECT_EQ(length_at(lengths, 0.2), 500);
  EXPECT_EQ(length_at(lengths, 0.3), 100);
  EXPECT_EQ(length_at(lengths, 0.999), 100);
}

TEST(LengthDistribution, BetweenQuantilesTheLogarithmIsEven) {
  // From 100 to 1000: mean 900 / ln 10 = 390.87, mean square 990000 / (2 ln 10) = 214976.
  const LengthDistribution lengths = lengths_of_quantiles({{0, 100}, {1, 1000}});
  ASSERT_EQ(lengths.size(), 1U);
  EXPECT_NEAR(mean_of_lengths(lengths), 390.87, 0.01);
  EXPECT_NEAR(cv_of_lengths(lengths), std::sqrt(214975.6 / (390.865 * 390.865) - 1), 1e-4);
  EXPECT_NEAR(length_at(lengths, 0.5), std::sqrt(1e5), 1e-9);
}

TEST(LengthDistribution, LognormalLengthsKeepTheirMoments) {
  const LengthDistribution lengths = lognormal_lengths(12035, 1.31);
  EXPECT_NEAR(mean_of_lengths(lengths) / 12035, 1, 2e-3);
  EXPECT_NEAR(cv_of_lengths(lengths) / 1.31, 1, 0.02);
}

TEST(LengthDistribution, CutLengthsAreThoseOfACutLognormal) {
  // E[min(L, C)] = m N(d - s) + C (1 - N(d)) with s^2 = ln(1 + cv^2) = 1 and d = ln(C / m) + s^2 / 2 = 1.5.
  LengthDistribution lengths = lognormal_lengths(1000, std::sqrt(std::exp(1.0) - 1));
  const double longest = 1000 * std::exp(1.0);
  cut_lengths(lengths, longest);
  EXPECT_NEAR(mean_of_lengths(lengths), 1000 * 0.691462 + longest * 0.066807, 2);
  EXPECT_NEAR(length_at(lengths, 0.99), longest, 1e-9);
}

TEST(LengthDistribution, GoesOnBeyondTheOuterQuantiles) {
  // A factor of 10 in 0.4 of the requests: down to 100 / 10^(0.5 / 0.4) = 5.623, up to 1000 x 10^(0.1 / 0.4) = 1778.
  const LengthDistribution lengths = lengths_of_quantiles({{0.5, 100}, {0.9, 1000}});
  ASSERT_EQ(lengths.size(), 3U);
  EXPECT_NEAR(lengths[0].shortest, 5.6234, 1e-4);
  EXPECT_NEAR(lengths[2].longest, 1778.28, 0.01);
  // One line, so one logarithm: (1778.28 - 5.62) / ln(1778.28 / 5.62).
  EXPECT_NEAR(mean_of_lengths(lengths), 307.95, 0.01);
  EXPECT_NEAR(length_at(lengths, 0.5), 100, 1e-9);
  EXPECT_NEAR(length_at(lengths, 0.9), 1000, 1e-9);
  // No prompt has less than a token.
  EXPECT_EQ(lengths_of_quantiles({{0.9, 10}, {0.95, 1000}})[0].shortest, 1);
}

TEST(LengthDistribution, EqualQuantilesAreOneLength) {
  const LengthDistribution lengths = lengths_of_quantiles({{0.5, 300}, {0.9, 300}});
  EXPECT_NEAR(mean_of_lengths(lengths), 300, 1e-9);
  EXPECT_NEAR(cv_of_lengths(lengths), 0, 1e-6);
}

}  // namespace
}  // namespace podwright::length_distribution_test
