#include "calibration/attention_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/distributions.h"
#include "base/random.h"
#include "calibration/machine_calibration.h"

namespace podwright::attention_fit_test {
namespace {

constexpr FlopsPerSecond kPeak = tflops(989);

double work_of(double tokens) { return 2 * tokens * tokens * 4096; }

/// Efficiency that grows with the logarithm of the length up to 8192 tokens.
struct SyntheticAttention {
  double start = 8e-6;
  double short_share = 0.3;
  double long_share = 0.6;
  double noise = 0;
  std::uint64_t seed = 1;

  double efficiency(double tokens) const {
    const double way = std::log(tokens / 1024) / std::log(8.0);
    return short_share + (long_share - short_share) * std::min(1.0, std::max(0.0, way));
  }
  AttentionPoint measured(double tokens, std::uint64_t place) const {
    const double deviation = noise * normal_quantile(random::Stream(seed, 2).uniform(place));
    const double time = start + work_of(tokens) / (raw(kPeak) * efficiency(tokens));
    return {tokens, Flops(work_of(tokens)), Seconds(time * std::exp(deviation))};
  }
  std::vector<AttentionPoint> points() const {
    std::vector<AttentionPoint> points;
    for (const double tokens : {8192.0, 1024.0, 2048.0, 4096.0, 16384.0, 32768.0})
      points.push_back(measured(tokens, points.size()));
    return points;
  }
};

TEST(AttentionFit, RecoversASyntheticDevice) {
  SyntheticAttention device;
  device.noise = 0.01;
  const AttentionFit fit = fit_attention(device.points(), kPeak);
  EXPECT_EQ(fit.refused, "");
  EXPECT_NEAR(fit.efficiency(8192), 0.6, 0.03);
  EXPECT_NEAR(fit.efficiency(40000), 0.6, 0.03);
  EXPECT_LT(fit.leave_one_out_median, 0.1);
  for (const double tokens : {1500.0, 3000.0, 6000.0, 12000.0, 24000.0}) {
    const AttentionPoint unseen = device.measured(tokens, 50);
    EXPECT_NEAR(fit.predict(tokens, unseen.work) / unseen.time, 1, 0.08) << tokens;
  }
}

TEST(AttentionFit, EfficiencyNeverFallsWithTheLength) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SyntheticAttention device;
    device.noise = 0.08;
    device.seed = seed;
    const AttentionFit fit = fit_attention(device.points(), kPeak);
    ASSERT_EQ(fit.knots.size(), 6U);
    for (double tokens = 500; tokens < 60000; tokens *= 1.3)
      EXPECT_LE(fit.efficiency(tokens), fit.efficiency(1.3 * tokens) * (1 + 1e-12)) << seed;
  }
}

// Twice the peak and half the work tell the same times: only the shares change.
TEST(AttentionFit, DoesNotDependOnTheUnits) {
  SyntheticAttention device;
  device.noise = 0.02;
  const AttentionFit fit = fit_attention(device.points(), kPeak);
  const AttentionFit halved = fit_attention(device.points(), kPeak * 2);
  const Flops work(work_of(3000));
  EXPECT_NEAR(halved.predict(3000, work) / fit.predict(3000, work), 1, 1e-6);
  EXPECT_NEAR(halved.efficiency(3000) / fit.efficiency(3000), 0.5, 1e-6);
}

TEST(AttentionFit, RefusesWhatCannotBeTrusted) {
  SyntheticAttention device;
  const std::vector<AttentionPoint> points = device.points();
  EXPECT_NE(fit_attention({}, kPeak).refused.find("0 valid points, fewer than 4"), std::string::npos);
  const std::vector<AttentionPoint> same(6, points.front());
  EXPECT_NE(fit_attention(same, kPeak).refused.find("1 valid points"), std::string::npos);
  device.short_share = device.long_share = 0.1;
  EXPECT_NE(fit_attention(device.points(), kPeak).refused.find("efficiency of the longest prompt"), std::string::npos);
  device = {};
  device.start = 3e-4;
  device.short_share = device.long_share = 0.5;
  EXPECT_NE(fit_attention(device.points(), kPeak).refused.find("start-up time"), std::string::npos);
  device = {};
  device.noise = 0.8;
  EXPECT_NE(fit_attention(device.points(), kPeak).refused, "");
}

TEST(Calibration, PromptAttentionComesFromKernelsThatEnginesUse) {
  HardwareProfile profile;
  profile.devices.push_back({.id = "d0", .kind = "gpu", .key = "h100-sxm5-80gb", .key_match = KeyMatch::exact});
  for (const AttentionPoint& point : SyntheticAttention().points()) {
    ProbeResult result;
    result.probe = "prefill.attn";
    result.devices = {"d0"};
    result.dtype = "bf16";
    result.size.context_tokens = point.tokens;
    result.counted.flops = raw(point.work);
    result.samples_s.assign(24, raw(point.time));
    result.check.status = CheckStatus::pass;
    finish_result(result, {});
    result.flags.clear();
    profile.results.push_back(result);
  }
  const DevicePeaks peaks{{{"bf16", kPeak}}, BytesPerSecond(3.35e12), "", {}};
  EXPECT_EQ(calibrate_machine(profile, profile.devices.front(), peaks).attention.count("bf16"), 1U);
  for (ProbeResult& result : profile.results) result.variant.algorithm = "reference_kernel";
  const MachineCalibration reference = calibrate_machine(profile, profile.devices.front(), peaks);
  EXPECT_TRUE(reference.attention.empty());
  bool told = false;
  for (const CalibrationGap& gap : reference.gaps)
    told = told || gap.reason.find("reference kernel") != std::string::npos;
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace podwright::attention_fit_test
