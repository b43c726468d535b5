/// A product beside an all-reduce, against each alone.
#include "native/runs.h"
#include "probes/run_findings.h"

namespace podwright::probes::overlap_test {
namespace {

RunOutcome run_standard(const std::string& script) {
  const Variable variable("PODWRIGHT_FAKE", script);
  RunOptions options = fake_options({"overlap"});
  options.budget.mode = RunMode::standard;
  return run_probes(options);
}

TEST(Overlap, IsToldForThreeSizes) {
  const RunOutcome outcome = run_standard("devices=4;hidden=0.75");
  EXPECT_EQ(outcome.exit, ProbeExit::ok);
  int both = 0;
  int alone = 0;
  for (const ProbeResult& result : outcome.profile.results) {
    EXPECT_EQ(result.devices.size(), 4U);
    (result.probe == "overlap" ? both : alone) += 1;
    ASSERT_EQ(result.overlap_efficiency.has_value(), result.probe == "overlap") << result.probe;
    // Noise of 0.4 % on the sum is more on the shorter one: of 8 MiB it is a 400th of the product.
    if (result.overlap_efficiency && *result.size.bytes > 200e6) {
      EXPECT_NEAR(*result.overlap_efficiency, 0.75, 0.1);
    }
  }
  EXPECT_EQ(both, 3);
  EXPECT_EQ(alone, 4);
  const auto read = read_profile(profile_text(outcome.profile));
  ASSERT_TRUE(read) << read.error().front().path;
  EXPECT_EQ(profile_text(read->profile), profile_text(outcome.profile));
}

TEST(Overlap, NeedsBothPartsAlone) {
  for (const char* part : {"overlap.product", "overlap.collective"}) {
    const RunOutcome outcome = run_standard("devices=2;wrong@" + std::string(part));
    for (const ProbeResult& result : outcome.profile.results) EXPECT_FALSE(result.overlap_efficiency) << part;
  }
}

TEST(Overlap, OneDeviceHasNoPartner) {
  const RunOutcome outcome = run_standard("");
  ASSERT_EQ(outcome.profile.results.size(), 1U);
  ASSERT_TRUE(outcome.profile.results.front().skip);
  EXPECT_EQ(outcome.profile.results.front().skip->reason, SkipReason::one_device);
}

}  // namespace
}  // namespace podwright::probes::overlap_test
