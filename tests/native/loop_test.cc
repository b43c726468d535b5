/// From a measurement to a prediction: probe, fit, and a held-back result against its prediction. Devices are scripted,
/// so that nobody else's work on this machine is in their times.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>

#include "calibration/held_back.h"
#include "native/runs.h"

namespace podwright::probes::loop_test {
namespace {

/// Largest error of each kind that a run predicts; empty where a fit is refused.
std::map<std::string, double> errors_of(const HardwareProfile& profile) {
  const ProfileDevice& device = profile.devices.front();
  std::map<std::string, double> errors;
  for (const HeldBack& one : predict_held_back(profile, device, measured_peaks(profile, device))) {
    std::printf("%-18s measured %.3g s, predicted %.3g s: %+.1f %% (within 10 %%: %s)\n", one.probe.c_str(),
                raw(one.measured), raw(one.predicted), 100 * one.relative_error(),
                std::fabs(one.relative_error()) <= 0.10 ? "yes" : "no");
    errors[one.probe] = std::fabs(one.relative_error());
  }
  return errors;
}

TEST(Loop, ScriptedDeviceIsPredicted) {
  const RunOutcome outcome = run_fake("", {"gemm.bf16", "hbm.triad", "hbm.read"});
  ASSERT_EQ(outcome.exit, ProbeExit::ok);
  const auto read = read_profile(profile_text(outcome.profile));
  ASSERT_TRUE(read);
  const auto errors = errors_of(read->profile);
  ASSERT_EQ(errors.count("gemm.bf16"), 1U);
  for (const auto& [probe, error] : errors) EXPECT_LE(error, 0.05) << probe;
}

TEST(Loop, ScriptedProcessorsArePredicted) {
  const auto read = read_profile(profile_text(scripted_processors()));
  ASSERT_TRUE(read);
  const auto errors = errors_of(read->profile);
  for (const char* probe : {"cpu.gemm.f32", "cpu.stream.triad"}) {
    ASSERT_EQ(errors.count(probe), 1U) << probe;
    EXPECT_LE(errors.at(probe), 0.05) << probe;
  }
}

}  // namespace
}  // namespace podwright::probes::loop_test
