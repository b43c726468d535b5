/// What a run makes of results that stand side by side.
#include "native/runs.h"
#include "probes/result_of_case.h"

namespace podwright::probes::run_findings_test {
namespace {

TEST(RunFindings, LastingClockIsComparedWithTheSameDevicesBurst) {
  HardwareProfile profile;
  for (const char* id : {"d0", "d1"}) profile.devices.emplace_back().id = id;
  ProbeCase product;
  product.probe = "gemm.bf16";
  Measured measured;
  measured.result.samples_s.assign(24, 1e-3);
  for (const int device : {0, 1}) {
    measured.result.context.sm_clock_hz = device == 0 ? 1.8e9 : 1.5e9;
    take_case(profile, device, {}, product, measured);
  }
  product.mode = ProbeMode::sustained;
  take_case(profile, 1, {}, product, measured);
  EXPECT_EQ(profile.results.back().context.burst_sm_clock_hz, 1.5e9);
}

TEST(RunFindings, EveryOrderedPairBecomesALink) {
  const RunOutcome outcome = run_standard("devices=3", {"p2p"});
  ASSERT_EQ(outcome.profile.links.size(), 6U);
  for (const ProfileLink& link : outcome.profile.links) {
    EXPECT_NE(link.from, link.to);
    // 390 GB/s, less the start.
    EXPECT_NEAR(*link.bytes_per_s, 387e9, 4e9);
  }
  EXPECT_TRUE(read_profile(profile_text(outcome.profile)));
}

TEST(RunFindings, FasterZerosShowALimitOfPower) {
  const auto told = [](const RunOutcome& outcome) {
    for (const std::string& limit : outcome.profile.limits)
      if (limit.find("limit of power") != std::string::npos) return limit;
    return std::string();
  };
  EXPECT_EQ(told(run_standard("zeros=1.02", {"gemm.bf16"})), "");
  const std::string limit = told(run_standard("zeros=1.2", {"gemm.bf16"}));
  EXPECT_EQ(limit.rfind("d0 works at its limit of power: products of zeros are 1.", 0), 0U) << limit;
}

}  // namespace
}  // namespace podwright::probes::run_findings_test
