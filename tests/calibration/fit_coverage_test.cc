/// Do 90 % intervals hold 90 % of what fits did not see? Synthetic machines of known parameters, fixed seeds.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "base/distributions.h"
#include "base/random.h"
#include "calibration/product_fit.h"
#include "calibration/transfer_fit.h"

namespace podwright::fit_coverage_test {
namespace {

/// Points exchangeable with those of the fit: unseen errors then exceed the rank of 0.9 (n + 1) in a tenth of cases.
struct RandomMachine {
  random::Stream stream;
  double start = 4e-6;
  double compute = 0.75;
  double bandwidth = 0.85;
  double noise = 0.04;

  explicit RandomMachine(std::uint64_t seed) : stream(seed, 77) {}

  ProductPoint product(std::uint64_t i, const MachinePeaks& peaks) const {
    const auto size = [&](std::uint64_t axis, double low, double high) {
      return std::round(low * std::exp(stream.uniform(8 * i + axis) * std::log(high / low)));
    };
    const double m = size(0, 1, 4096);
    const double n = size(1, 1024, 16384);
    const double k = size(2, 1024, 16384);
    const double bytes = 2 * (m * k + k * n + m * n);
    const double roof =
        std::max(2 * m * n * k / (raw(peaks.flops) * compute), bytes / (raw(peaks.bandwidth) * bandwidth));
    const double time = (start + roof) * std::exp(noise * normal_quantile(stream.uniform(8 * i + 3)));
    return {{m, n, k, Bytes(bytes)}, Seconds(time)};
  }
  TransferPoint transfer(std::uint64_t i, double peak) const {
    const double bytes = 1e6 * std::exp(stream.uniform(8 * i) * std::log(4000.0));
    const double time =
        (start + bytes / (peak * bandwidth)) * std::exp(noise * normal_quantile(stream.uniform(8 * i + 3)));
    return {Bytes(bytes), Seconds(time)};
  }
};

struct Coverage {
  int inside = 0;
  int all = 0;
  void count(double error, double half_width) {
    ++all;
    inside += error <= half_width ? 1 : 0;
  }
  double share() const { return inside / static_cast<double>(all); }
};

TEST(FitCoverage, OfProductsWithAndWithoutVariants) {
  Coverage coverage;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const RandomMachine machine(seed);
    MachinePeaks peaks{tflops(989), BytesPerSecond(3.35e12)};
    if (seed % 2 == 0) peaks.multiprocessors = 148;
    std::vector<ProductPoint> points;
    for (std::uint64_t i = 0; i < 48; ++i) points.push_back(machine.product(i, peaks));
    const ProductFit fit = fit_products(points, peaks);
    ASSERT_EQ(fit.refused, "");
    EXPECT_NEAR(fit.compute_efficiency, 0.75, 0.06);
    EXPECT_NEAR(fit.bandwidth_efficiency, 0.85, 0.08);
    for (std::uint64_t i = 1000; i < 1100; ++i) {
      const ProductPoint unseen = machine.product(i, peaks);
      coverage.count(std::fabs(log_error(fit.predict(unseen.shape), unseen.time)), fit.leave_one_out_90);
    }
  }
  EXPECT_EQ(coverage.all, 1200);
  RecordProperty("percent", static_cast<int>(100 * coverage.share() + 0.5));
  EXPECT_GE(coverage.share(), 0.86);
  EXPECT_LE(coverage.share(), 0.96);
}

TEST(FitCoverage, OfTransfers) {
  Coverage coverage;
  constexpr double kPeak = 3.35e12;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const RandomMachine machine(seed);
    std::vector<TransferPoint> points;
    for (std::uint64_t i = 0; i < 19; ++i) points.push_back(machine.transfer(i, kPeak));
    const TransferFit fit = fit_transfers(points, BytesPerSecond(kPeak));
    ASSERT_EQ(fit.refused, "");
    for (std::uint64_t i = 1000; i < 1040; ++i) {
      const TransferPoint unseen = machine.transfer(i, kPeak);
      coverage.count(std::fabs(log_error(fit.predict(unseen.bytes), unseen.time)), fit.leave_one_out_90);
    }
  }
  RecordProperty("percent", static_cast<int>(100 * coverage.share() + 0.5));
  EXPECT_GE(coverage.share(), 0.86);
  EXPECT_LE(coverage.share(), 0.95);
}

// A clock of other units and points in another order are the same machine.
TEST(FitProperties, OrderAndUnitsDoNotMatter) {
  const RandomMachine machine(5);
  const MachinePeaks peaks{tflops(989), BytesPerSecond(3.35e12)};
  std::vector<ProductPoint> points;
  for (std::uint64_t i = 0; i < 24; ++i) points.push_back(machine.product(i, peaks));
  const ProductFit fit = fit_products(points, peaks);
  const ProductFit turned = fit_products(std::vector<ProductPoint>(points.rbegin(), points.rend()), peaks);
  EXPECT_NEAR(turned.leave_one_out_median, fit.leave_one_out_median, 0.01);
  const ProductShape shape = machine.product(2000, peaks).shape;
  EXPECT_NEAR(turned.predict(shape) / fit.predict(shape), 1, 0.02);

  // Twice the peaks halve the efficiencies and change no prediction.
  const ProductFit halved = fit_products(points, {peaks.flops * 2, peaks.bandwidth * 2});
  EXPECT_NEAR(halved.compute_efficiency / fit.compute_efficiency, 0.5, 0.02);
  EXPECT_NEAR(halved.predict(shape) / fit.predict(shape), 1, 0.02);
}

// More noise in the measurements is a wider interval.
TEST(FitProperties, NoiseWidensTheInterval) {
  const MachinePeaks peaks{tflops(989), BytesPerSecond(3.35e12)};
  double before = 0;
  for (const double noise : {0.005, 0.02, 0.08}) {
    RandomMachine machine(9);
    machine.noise = noise;
    std::vector<ProductPoint> points;
    for (std::uint64_t i = 0; i < 24; ++i) points.push_back(machine.product(i, peaks));
    const double width = fit_products(points, peaks).leave_one_out_90;
    EXPECT_GT(width, before);
    before = width;
  }
}

}  // namespace
}  // namespace podwright::fit_coverage_test
