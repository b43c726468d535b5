#include "calibration/held_back.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/distributions.h"
#include "base/random.h"
#include "calibration/usable_points.h"
#include "catalog/catalog.h"

namespace podwright::held_back_test {
namespace {

ProbeResult timed(const std::string& probe, double time, std::uint64_t place) {
  ProbeResult result;
  result.probe = probe;
  result.devices = {"d0"};
  const random::Stream stream(9, place);
  for (std::uint64_t i = 0; i < 24; ++i)
    result.samples_s.push_back(time * (1 + 0.003 * normal_quantile(stream.uniform(i))));
  result.check.status = CheckStatus::pass;
  return result;
}

/// A device of 0.72 of its peak, 0.88 of its bandwidth and 3 us of start.
HardwareProfile synthetic_machine() {
  HardwareProfile profile;
  profile.devices.push_back({.id = "d0", .kind = "gpu", .key = "h100-sxm5-80gb", .key_match = KeyMatch::exact});
  std::uint64_t place = 0;
  for (const double m : {1.0, 64.0, 1024.0, 4096.0})
    for (const double n : {1024.0, 4096.0, 8192.0, 16384.0}) {
      const double k = 4096;
      const double bytes = 2 * (m * k + k * n + m * n);
      const double flops = 2 * m * n * k;
      ProbeResult result =
          timed("gemm.bf16", 3e-6 + std::max(flops / (989e12 * 0.72), bytes / (3.35e12 * 0.88)), ++place);
      result.dtype = "bf16";
      result.size.m = m, result.size.n = n, result.size.k = k;
      result.counted = {.bytes = bytes, .flops = flops};
      finish_result(result, {});
      profile.results.push_back(result);
    }
  for (double bytes = 1048576; bytes <= 4294967296.0; bytes *= 4) {
    ProbeResult result = timed("hbm.triad", 3e-6 + 3 * bytes / (3.35e12 * 0.88), ++place);
    result.size.bytes = bytes;
    result.counted.bytes = 3 * bytes;
    finish_result(result, {});
    profile.results.push_back(result);
  }
  return profile;
}

DevicePeaks h100_peaks() { return {{{"bf16", tflops(989)}}, BytesPerSecond(3.35e12)}; }

TEST(Calibration, TakesEveryUsableMeasurement) {
  HardwareProfile profile = synthetic_machine();
  const MachineCalibration calibration = calibrate_machine(profile, profile.devices.front(), h100_peaks());
  ASSERT_EQ(calibration.products.count("bf16"), 1U);
  EXPECT_NEAR(calibration.products.begin()->second.compute_efficiency, 0.72, 0.02);
  ASSERT_EQ(calibration.memory.count("hbm.triad"), 1U);
  EXPECT_NEAR(calibration.memory.begin()->second.efficiency, 0.88, 0.02);
  EXPECT_EQ(calibration.gaps.size(), 1U);  // launch
}

TEST(Calibration, LeavesOutWhatIsInvalid) {
  HardwareProfile profile = synthetic_machine();
  for (ProbeResult& result : profile.results)
    if (result.probe == "gemm.bf16") result.flags.push_back({FlagKind::above_roof, ""});
  ProbeResult zeros = timed("gemm.bf16.zeros", 1e-3, 99);
  zeros.dtype = "bf16";
  zeros.size = profile.results[15].size;
  zeros.counted = profile.results[15].counted;
  finish_result(zeros, {});
  EXPECT_FALSE(product_point(zeros));
  for (const char* way : {"gemm.fp8.full_sums", "gemm.bf16.best"}) {
    zeros.probe = way;
    EXPECT_FALSE(product_point(zeros)) << way;
  }
  zeros.probe = "gemm.fp8-block";
  EXPECT_TRUE(product_point(zeros));
  const MachineCalibration calibration = calibrate_machine(profile, profile.devices.front(), h100_peaks());
  EXPECT_TRUE(calibration.products.empty());
  EXPECT_EQ(calibration.gaps.front().parameter, "gemm");
}

TEST(Calibration, TellsTheSustainedFactorOfTheLargestShape) {
  HardwareProfile profile = synthetic_machine();
  ProbeResult slow = profile.results[15];
  slow.mode = ProbeMode::sustained;
  slow.flags.clear();
  for (double& sample : slow.samples_s) sample *= 1.13;
  finish_result(slow, {});
  profile.results.push_back(slow);
  const MachineCalibration calibration = calibrate_machine(profile, profile.devices.front(), h100_peaks());
  ASSERT_EQ(calibration.sustained.count("bf16"), 1U);
  const SustainedProducts& sustained = calibration.sustained.begin()->second;
  EXPECT_NEAR(sustained.factor, 1.13, 1e-6);
  EXPECT_TRUE(sustained.measured);
  EXPECT_LT(sustained.low, 1.13);
  EXPECT_GT(sustained.high, 1.13);
}

TEST(Calibration, UnmeasuredSustainedFactorIsThePublishedOne) {
  HardwareProfile profile = synthetic_machine();
  profile.devices.front().key = "b200-sxm";
  const Catalog& catalog = embedded_catalog_facts();
  const DevicePeaks peaks = catalog_peaks(catalog, **find_gpu(catalog, "b200-sxm"));
  const auto sustained = sustained_products(profile, profile.devices.front(), peaks);
  const SustainedProducts& wide = sustained.at("bf16");
  EXPECT_FALSE(wide.measured);
  EXPECT_EQ(wide.source, "aiconfigurator-sustained-products");
  EXPECT_EQ(wide.factor, 1.13);
  EXPECT_NEAR(wide.high - wide.low, 0.1, 1e-12);
  EXPECT_EQ(sustained.at("nvfp4").factor, 1.06);
  EXPECT_EQ(sustained.at("fp16").factor, wide.factor);
  EXPECT_EQ(sustained.count("fp64"), 0U);
}

TEST(Calibration, WavesOfTilesAreThoseOfCapabilityTen) {
  ProfileDevice device{.id = "d0", .kind = "gpu"};
  device.sm_count = 148;
  const auto waves = [&](const char* capability) {
    device.compute_capability = capability;
    return product_peaks(device, h100_peaks(), "bf16")->multiprocessors;
  };
  EXPECT_EQ(waves("9.0"), 0);
  EXPECT_EQ(waves("10.0"), 148);
  EXPECT_EQ(waves("10.3"), 148);
  EXPECT_EQ(waves("12.0"), 0);
  EXPECT_FALSE(product_peaks(device, h100_peaks(), "fp8"));
}

TEST(Calibration, OtherGpusPeaksAreRefused) {
  HardwareProfile profile = synthetic_machine();
  const Catalog& catalog = embedded_catalog_facts();
  const DevicePeaks peaks = catalog_peaks(catalog, **find_gpu(catalog, "h200-sxm5-141gb"));
  const auto refused = [&] {
    const MachineCalibration calibration = calibrate_machine(profile, profile.devices.front(), peaks);
    EXPECT_TRUE(calibration.products.empty() && calibration.memory.empty());
    EXPECT_EQ(calibration.gaps.size(), 1U);
    EXPECT_TRUE(predict_held_back(profile, profile.devices.front(), peaks).empty());
    return calibration.gaps.front().reason;
  };
  EXPECT_EQ(refused(), "the device is h100-sxm5-80gb, not h200-sxm5-141gb");
  profile.devices.front().key_match = KeyMatch::none;
  EXPECT_NE(refused().find("is not known to be this device"), std::string::npos);
}

TEST(HeldBack, ProductAndTriadArePredicted) {
  const HardwareProfile profile = synthetic_machine();
  const auto predictions = predict_held_back(profile, profile.devices.front(), h100_peaks());
  ASSERT_EQ(predictions.size(), 2U);
  for (const HeldBack& held : predictions) {
    EXPECT_LT(std::fabs(held.relative_error()), 0.05) << held.probe;
    EXPECT_LE(held.predicted_low, held.predicted);
    EXPECT_LE(held.predicted, held.predicted_high);
  }
}

TEST(HeldBack, WhatCannotBePredictedTellsWhy) {
  HardwareProfile profile = synthetic_machine();
  const ProfileDevice& device = profile.devices.front();
  ProbeResult wrong = profile.results.front();
  wrong.flags.push_back({FlagKind::wrong_result, ""});
  EXPECT_NE(predict_held_back(profile, wrong, device, h100_peaks()).error().front().message.find("invalid"),
            std::string::npos);
  EXPECT_NE(predict_held_back(profile, profile.results.front(), device, {}).error().front().message.find("peak"),
            std::string::npos);
  profile.results.resize(8);
  EXPECT_NE(predict_held_back(profile, profile.results.front(), device, h100_peaks())
                .error()
                .front()
                .message.find("7 valid points"),
            std::string::npos);
}

TEST(HeldBack, OfADeviceWithoutACatalogEntryUsesItsOwnBestRates) {
  const HardwareProfile profile = synthetic_machine();
  const DevicePeaks peaks = measured_peaks(profile, profile.devices.front());
  ASSERT_TRUE(peaks.bandwidth);
  EXPECT_LT(raw(*peaks.bandwidth), 3.35e12);
  for (const HeldBack& held : predict_held_back(profile, profile.devices.front(), peaks))
    EXPECT_LT(std::fabs(held.relative_error()), 0.05) << held.probe;
}

}  // namespace
}  // namespace podwright::held_back_test
