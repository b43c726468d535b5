#include "measure/zeros.h"

#include <gtest/gtest.h>

namespace podwright::zeros_test {
namespace {

ProbeResult product(const std::string& probe, double seconds) {
  ProbeResult result;
  result.probe = probe;
  result.devices = {"d0"};
  result.size.m = result.size.n = result.size.k = 4096;
  result.time_s = summary_of(std::vector<double>{seconds});
  return result;
}

TEST(FasterZeros, AreThoseWellBelowTheSameProductOfRandomNumbers) {
  HardwareProfile profile;
  profile.results = {product("gemm.bf16", 1.06e-3), product("gemm.bf16.zeros", 1e-3), product("gemm.fp8", 1.04e-3),
                     product("gemm.fp8.zeros", 1e-3)};
  const auto found = faster_zeros(profile);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().random, &profile.results[0]);
  EXPECT_EQ(found.front().zeros, &profile.results[1]);
  EXPECT_NEAR(found.front().ratio, 1.06, 1e-12);
}

TEST(FasterZeros, NeedTheSameDeviceSizeAndModeAndUsableResults) {
  for (int wrong = 0; wrong < 4; ++wrong) {
    HardwareProfile profile;
    ProbeResult random = product("gemm.bf16", 2e-3);
    if (wrong == 0) random.devices = {"d1"};
    if (wrong == 1) random.size.m = 8192;
    if (wrong == 2) random.mode = ProbeMode::sustained;
    if (wrong == 3) random.check.status = CheckStatus::fail;
    profile.results = {random, product("gemm.bf16.zeros", 1e-3)};
    EXPECT_TRUE(faster_zeros(profile).empty()) << wrong;
  }
}

}  // namespace
}  // namespace podwright::zeros_test
