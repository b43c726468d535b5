#include "calibration/held_back.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/distributions.h"
#include "base/random.h"

namespace podwright {
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
  profile.devices.front().memory_allocatable_gib = 78.5;
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
  EXPECT_EQ(*calibration.allocatable, gib(78.5));
  EXPECT_EQ(calibration.gaps.size(), 1U);  // launch
}

TEST(Calibration, LeavesOutWhatIsInvalid) {
  HardwareProfile profile = synthetic_machine();
  for (ProbeResult& result : profile.results)
    if (result.probe == "gemm.bf16") result.flags.push_back({FlagKind::above_roof, ""});
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
  ASSERT_EQ(calibration.sustained_factor.count("bf16"), 1U);
  EXPECT_NEAR(calibration.sustained_factor.begin()->second, 1.13, 1e-6);
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
}  // namespace podwright
