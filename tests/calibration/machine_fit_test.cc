#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/distributions.h"
#include "base/random.h"
#include "calibration/collective_times.h"
#include "calibration/product_fit.h"
#include "calibration/transfer_fit.h"

namespace podwright::machine_fit_test {
namespace {

constexpr MachinePeaks kPeaks{tflops(989), BytesPerSecond(3.35e12)};

/// A device whose products follow the model, with a smooth deviation over the shapes and noise of its own.
struct SyntheticDevice {
  double start = 4e-6;
  double compute = 0.75;
  double bandwidth = 0.85;
  double noise = 0.02;
  std::uint64_t seed = 1;
  double norm = 0;        ///< of the smooth maximum; 0: the larger counts
  double wave_share = 0;  ///< of the loss in the last wave of tiles
  double wobble = 0.03;
  static constexpr double kMultiprocessors = 148;

  ProductPoint measured(double m, double n, double k, std::uint64_t place) const {
    const double bytes = 2 * (m * k + k * n + m * n);
    const double tiles = std::ceil(m / 128) * std::ceil(n / 128);
    const double lost = std::ceil(tiles / kMultiprocessors) * kMultiprocessors / tiles - 1;
    const double arithmetic = 2 * m * n * k / (989e12 * compute) * (1 + wave_share * lost);
    const double traffic = bytes / (3.35e12 * bandwidth);
    const double roof = norm > 0 ? std::pow(std::pow(arithmetic, norm) + std::pow(traffic, norm), 1 / norm)
                                 : std::max(arithmetic, traffic);
    const double deviation =
        wobble * std::sin(std::log(m)) + noise * normal_quantile(random::Stream(seed, 1).uniform(place));
    return {{m, n, k, Bytes(bytes)}, Seconds((start + roof) * std::exp(deviation))};
  }
  /// The 48 products of the calibration grid.
  std::vector<ProductPoint> grid() const {
    std::vector<ProductPoint> points;
    const double pairs[][2] = {{1024, 1024}, {4096, 4096}, {5120, 5120},  {8192, 8192},
                               {2048, 8192}, {8192, 2048}, {16384, 4096}, {4096, 16384}};
    for (const double m : {1.0, 8.0, 64.0, 256.0, 1024.0, 4096.0})
      for (const auto& pair : pairs) points.push_back(measured(m, pair[0], pair[1], points.size()));
    return points;
  }
};

TEST(ProductFit, RecoversASyntheticDevice) {
  const SyntheticDevice device;
  const ProductFit fit = fit_products(device.grid(), kPeaks);
  EXPECT_EQ(fit.refused, "");
  EXPECT_NEAR(raw(fit.start), 4e-6, 0.6e-6);
  EXPECT_NEAR(fit.compute_efficiency, 0.75, 0.03);
  EXPECT_NEAR(fit.bandwidth_efficiency, 0.85, 0.04);
  EXPECT_LT(fit.leave_one_out_median, 0.05);
}

TEST(ProductFit, KeepsTheFewestParametersThatServe) {
  const ProductFit fit = fit_products(SyntheticDevice{}.grid(), kPeaks);
  EXPECT_FALSE(fit.norm);
  EXPECT_FALSE(fit.wave_share);
  EXPECT_EQ(fit.plain_leave_one_out_median, fit.leave_one_out_median);
}

// Arithmetic and traffic that hide each other in part: the norm is found, and unseen products are nearer than without.
TEST(ProductFit, TakesASmoothMaximumWhereItServes) {
  SyntheticDevice device;
  device.norm = 2;
  device.noise = 0.01;
  device.wobble = 0;
  const ProductFit fit = fit_products(device.grid(), kPeaks);
  EXPECT_EQ(fit.refused, "");
  ASSERT_TRUE(fit.norm);
  EXPECT_NEAR(*fit.norm, 2, 0.4);
  EXPECT_NEAR(fit.compute_efficiency, 0.75, 0.03);
  EXPECT_NEAR(fit.bandwidth_efficiency, 0.85, 0.04);
  EXPECT_LT(fit.leave_one_out_median, 0.9 * fit.plain_leave_one_out_median);
}

TEST(ProductFit, TakesWavesOfTilesOnlyWhereMultiprocessorsAreTold) {
  SyntheticDevice device;
  device.wave_share = 0.6;
  device.noise = 0.01;
  device.wobble = 0;
  const ProductFit without = fit_products(device.grid(), kPeaks);
  EXPECT_FALSE(without.wave_share);
  MachinePeaks peaks = kPeaks;
  peaks.multiprocessors = SyntheticDevice::kMultiprocessors;
  const ProductFit fit = fit_products(device.grid(), peaks);
  EXPECT_EQ(fit.refused, "");
  ASSERT_TRUE(fit.wave_share);
  EXPECT_NEAR(*fit.wave_share, 0.6, 0.1);
  EXPECT_NEAR(fit.compute_efficiency, 0.75, 0.03);
  EXPECT_LT(fit.leave_one_out_median, without.leave_one_out_median);
}

TEST(ProductFit, PredictsProductsItDidNotSee) {
  int inside = 0;
  std::vector<double> errors;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SyntheticDevice device;
    device.seed = seed;
    const ProductFit fit = fit_products(device.grid(), kPeaks);
    for (const double m : {2.0, 16.0, 128.0, 512.0, 2048.0})
      for (const double n : {3072.0, 6144.0, 12288.0})
        for (const double k : {2560.0, 7168.0}) {
          const ProductPoint point = device.measured(m, n, k, 1000 + errors.size());
          errors.push_back(std::fabs(std::log(fit.predict(point.shape) / point.time)));
          inside += errors.back() <= fit.leave_one_out_90 ? 1 : 0;
        }
  }
  EXPECT_LT(error_at(errors, 0.5), 0.05);
  const double coverage = inside / static_cast<double>(errors.size());
  EXPECT_GE(coverage, 0.84);
  EXPECT_LE(coverage, 0.98);
}

TEST(ProductFit, ReproducesWhatItSaw) {
  const std::vector<ProductPoint> points = SyntheticDevice{}.grid();
  const ProductFit fit = fit_products(points, kPeaks);
  for (const ProductPoint& point : points) EXPECT_NEAR(fit.predict(point.shape) / point.time, 1, 1e-9);
}

TEST(ProductFit, ResidualsFadeOutsideTheMeasuredRange) {
  const ProductFit fit = fit_products(SyntheticDevice{}.grid(), kPeaks);
  const double m = 4096 * 4.1;
  const ProductPoint far = SyntheticDevice{}.measured(m, 8192, 8192, 0);
  const double bare = raw(fit.start) + 2 * m * 8192 * 8192 / (989e12 * fit.compute_efficiency);
  EXPECT_NEAR(raw(fit.predict(far.shape)) / bare, 1, 1e-9);
}

TEST(ProductFit, RefusesWhatCannotBeTrusted) {
  const std::vector<ProductPoint> grid = SyntheticDevice{}.grid();
  const auto reason = [](const std::vector<ProductPoint>& points) { return fit_products(points, kPeaks).refused; };
  EXPECT_NE(reason({}).find("fewer than 12"), std::string::npos);
  EXPECT_NE(reason({grid.begin(), grid.begin() + 11}).find("11 valid points"), std::string::npos);

  SyntheticDevice cached;  // small sizes from the cache look as if work began before it was asked for
  cached.start = -0.6e-6;
  cached.noise = 0;
  std::vector<ProductPoint> above;
  for (const ProductPoint& point : cached.grid())
    if (raw(point.time) > 1e-7) above.push_back(point);
  EXPECT_NE(reason(above).find("start-up time"), std::string::npos) << reason(above);

  SyntheticDevice slow;
  slow.compute = 0.1;
  EXPECT_NE(reason(slow.grid()).find("compute efficiency"), std::string::npos);
  SyntheticDevice above_roof;
  above_roof.bandwidth = 1.3;
  EXPECT_NE(reason(above_roof.grid()).find("bandwidth efficiency"), std::string::npos);
  SyntheticDevice wild;
  wild.noise = 0.5;
  EXPECT_NE(reason(wild.grid()), "");
}

std::vector<TransferPoint> transfers(double start, double bandwidth, double noise) {
  std::vector<TransferPoint> points;
  for (double bytes = 1048576; bytes <= 4294967296.0; bytes *= 4) {
    const double wobble = noise * normal_quantile(random::Stream(7, 1).uniform(points.size()));
    points.push_back({Bytes(bytes), Seconds((start + bytes / bandwidth) * std::exp(wobble))});
  }
  return points;
}

TEST(TransferFit, RecoversStartAndBandwidth) {
  const TransferFit fit = fit_transfers(transfers(5e-6, 2.9e12, 0.01), BytesPerSecond(3.35e12));
  EXPECT_EQ(fit.refused, "");
  EXPECT_NEAR(raw(fit.start), 5e-6, 0.4e-6);
  EXPECT_NEAR(raw(fit.bandwidth), 2.9e12, 0.06e12);
  EXPECT_LT(fit.leave_one_out_median, 0.03);
}

TEST(TransferFit, RefusesWhatCannotBeTrusted) {
  const auto reason = [](const std::vector<TransferPoint>& points) {
    return fit_transfers(points, BytesPerSecond(3.35e12)).refused;
  };
  const std::vector<TransferPoint> good = transfers(5e-6, 2.9e12, 0);
  EXPECT_NE(reason({}).find("fewer than 6"), std::string::npos);
  EXPECT_NE(reason({good.begin(), good.begin() + 5}).find("5 valid points"), std::string::npos);
  EXPECT_NE(reason(transfers(-3e-7, 2.9e12, 0)).find("start-up time"), std::string::npos);
  EXPECT_NE(reason(transfers(5e-6, 0.5e12, 0)).find("efficiency"), std::string::npos);
  EXPECT_NE(reason(transfers(5e-6, 4.0e12, 0)).find("efficiency"), std::string::npos);
}

TEST(CollectiveTable, InterpolatesLogarithmsAndExtendsItsEnds) {
  const CollectiveTable table =
      collective_table({{Bytes(1e6), Seconds(40e-6)}, {Bytes(1e3), Seconds(10e-6)}, {Bytes(1e9), Seconds(4e-3)}});
  EXPECT_EQ(table.predict(Bytes(10)), Seconds(10e-6));
  EXPECT_NEAR(raw(table.predict(Bytes(std::sqrt(1e3 * 1e6)))), 20e-6, 1e-12);
  EXPECT_NEAR(raw(table.predict(Bytes(1e6))), 40e-6, 1e-12);
  EXPECT_NEAR(raw(table.predict(Bytes(2e9))), 8e-3, 1e-9);
  EXPECT_EQ(leave_one_out_errors(table).size(), 1U);
}

// A collective of a start-up time and a bandwidth, at the twelve sizes of the probe: a knot predicted from the others.
TEST(CollectiveTable, PredictsSizesBetweenItsKnots) {
  std::vector<TransferPoint> points;
  for (const double kib : {1.0, 8.0, 32.0, 128.0, 512.0, 2048.0, 8192.0, 32768.0, 131072.0, 524288.0})
    points.push_back({Bytes(1024 * kib), Seconds(15e-6 + 1024 * kib / 250e9)});
  const CollectiveTable table = collective_table(points);
  std::vector<double> errors;
  for (double bytes = 3000; bytes < 4e8; bytes *= 1.7)
    errors.push_back(std::fabs(std::log(raw(table.predict(Bytes(bytes))) / (15e-6 + bytes / 250e9))));
  EXPECT_LT(error_at(errors, 0.5), 0.04);
}

}  // namespace
}  // namespace podwright::machine_fit_test
