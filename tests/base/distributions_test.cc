#include "base/distributions.h"

#include <gtest/gtest.h>
#include <array>

#include <cmath>
#include <vector>

#include "base/bulk_math.h"
#include "base/math.h"
#include "base/random.h"

namespace podwright::distributions_test {
namespace {

TEST(BulkMath, AgreesWithTheCLibrary) {
  for (int i = -7000; i <= 7000; ++i) {
    const double x = i * 0.0999;
    EXPECT_NEAR(bulk::exp(x) / std::exp(x), 1.0, 1e-15) << x;
  }
  for (int i = -5000; i <= 5000; ++i) {
    const double x = std::exp(i * 0.1);
    EXPECT_NEAR(bulk::log(x), std::log(x), 1e-15 * std::fabs(std::log(x))) << x;
    const double near_one = 1.0 + i * 1e-5;
    EXPECT_NEAR(bulk::log(near_one), std::log(near_one), 1e-15 * std::fabs(std::log(near_one))) << near_one;
  }
  EXPECT_EQ(bulk::exp(0.0), 1.0);
  EXPECT_EQ(bulk::log(1.0), 0.0);
}

// Quantiles from tables of the normal distribution, and what an independent implementation gives in the far tails.
TEST(NormalQuantile, OfKnownShares) {
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.9), 1.2815515655446004, 1e-14);
  EXPECT_NEAR(normal_quantile(0.1), -1.2815515655446004, 1e-14);
  EXPECT_NEAR(normal_quantile(0.05), -1.6448536269514729, 1e-14);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-13);
  EXPECT_NEAR(normal_quantile(1e-20), -9.262340089798408, 1e-13);
}

TEST(NormalQuantile, TurnsTheErrorFunctionAround) {
  for (int i = 1; i < 2000; ++i) {
    const double p = i / 2000.0;
    const double z = normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-z / std::sqrt(2.0)), p, 2e-15) << p;
    EXPECT_NEAR(normal_quantile(1 - p), -z, 1e-13);
  }
}

TEST(NormalQuantile, IsTheSameOneByOneAndTogether) {
  const random::Stream stream(1, 1);
  std::vector<double> together;
  for (std::size_t i = 0; i < 1000; ++i) together.push_back(stream.uniform(i));
  to_normal(together);
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(together[i], normal_quantile(stream.uniform(i)));
}

TEST(Triangle, QuantilesFollowItsSides) {
  const Triangle triangle{.low = 0.3, .typical = 0.6, .high = 0.8};
  // The left side holds 0.3 / 0.5 of it.
  EXPECT_NEAR(triangle_quantile(triangle, 0.6), 0.6, 1e-15);
  EXPECT_NEAR(triangle_quantile(triangle, 0.1), 0.3 + std::sqrt(0.1 * 0.5 * 0.3), 1e-15);
  EXPECT_NEAR(triangle_quantile(triangle, 0.9), 0.8 - std::sqrt(0.1 * 0.5 * 0.2), 1e-15);
  const Triangle left{.low = 0, .typical = 0, .high = 1};
  EXPECT_NEAR(triangle_quantile(left, 0.75), 0.5, 1e-15);
  const Triangle right{.low = 0, .typical = 1, .high = 1};
  EXPECT_NEAR(triangle_quantile(right, 0.25), 0.5, 1e-15);
  EXPECT_EQ(triangle_quantile({.low = 2, .typical = 2, .high = 2}, 0.3), 2);
}

TEST(LognormalOf, PutsNinetyPerCentBetweenLowAndHigh) {
  const Lognormal price = lognormal_of(1, 2, 4);
  const auto quantile = [&](double p) {
    std::vector<double> z{normal_quantile(p)};
    to_lognormal(price, z);
    return z[0];
  };
  EXPECT_EQ(quantile(0.5), 2);
  EXPECT_NEAR(quantile(0.05), 1, 1e-14);
  EXPECT_NEAR(quantile(0.95), 4, 1e-14);
}

TEST(Lognormal, HasItsMoments) {
  const Lognormal price{.median = 3, .spread = 0.4};
  const random::Stream stream(1, 5);
  std::vector<double> sample;
  for (std::uint64_t i = 0; i < 400000; ++i) sample.push_back(stream.uniform(i));
  to_normal(sample);
  to_lognormal(price, sample);
  double mean = 0;
  for (const double x : sample) mean += x;
  mean /= static_cast<double>(sample.size());
  double variance = 0;
  for (const double x : sample) variance += (x - mean) * (x - mean);
  variance /= static_cast<double>(sample.size());
  const double expected = 3 * std::exp(0.08);
  EXPECT_NEAR(mean, expected, 0.003 * expected);
  EXPECT_NEAR(variance, expected * expected * (std::exp(0.16) - 1), 0.02 * expected * expected * (std::exp(0.16) - 1));
}

TEST(QuantilesOf, AreThoseOfASortedSample) {
  for (const std::size_t size : {1u, 2u, 3u, 10u, 11u, 1000u, 1001u, 20000u}) {
    const random::Stream stream(3, size);
    std::vector<double> sample;
    for (std::size_t i = 0; i < size; ++i) sample.push_back(stream.uniform(i) * 100);
    const std::vector<double> before = sample;
    constexpr std::array kShares{0.05, 0.5, 0.95};
    std::array<double, kShares.size()> quantiles{};
    quantiles_of(sample, kShares, quantiles);
    for (std::size_t i = 0; i < kShares.size(); ++i)
      EXPECT_EQ(quantiles[i], math::quantile(before, kShares[i])) << size;
  }
}

}  // namespace
}  // namespace podwright::distributions_test
