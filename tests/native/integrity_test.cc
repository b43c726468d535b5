/// The test of all memory: in all but quick runs, and what a wrong word does to the run.
#include "native/runs.h"

namespace podwright::probes::integrity_test {
namespace {

RunOutcome run_in(RunMode mode, const std::string& script) {
  const Variable variable("PODWRIGHT_FAKE", script);
  RunOptions options = fake_options({"mem.integrity"});
  options.budget.mode = mode;
  return run_probes(options);
}

TEST(MemoryIntegrity, BelongsToAllButQuickRuns) {
  EXPECT_TRUE(run_in(RunMode::quick, "").profile.results.empty());
  EXPECT_EQ(run_in(RunMode::standard, "").profile.results.size(), 1U);
  const RunOutcome outcome = run_in(RunMode::soak, "devices=2");
  EXPECT_EQ(outcome.exit, ProbeExit::ok);
  ASSERT_EQ(outcome.profile.results.size(), 2U);
  const ProbeResult& result = outcome.profile.results.front();
  EXPECT_EQ(result.check.status, CheckStatus::pass);
  // At least nine tenths of 79.19 GiB; pattern and complement are written once and read twice each.
  EXPECT_NEAR(*result.size.bytes, 0.9 * 79.19 * 1024 * 1024 * 1024, 1e6);
  EXPECT_EQ(result.counted.bytes, 6 * *result.size.bytes);
  ASSERT_TRUE(read_profile(profile_text(outcome.profile)));
}

TEST(MemoryIntegrity, WrongWordFailsTheDeviceAndTellsWhere) {
  const RunOutcome outcome = run_in(RunMode::soak, "wrong@mem.integrity");
  EXPECT_EQ(outcome.exit, ProbeExit::fault);
  ASSERT_EQ(outcome.profile.health_events.size(), 1U);
  EXPECT_EQ(outcome.profile.health_events.front().name, "memory_mismatch");
  EXPECT_EQ(outcome.profile.health_events.front().message, "wrong, as the script says");
  EXPECT_FALSE(outcome.profile.results.front().bytes_per_s());
}

TEST(MemoryIntegrity, RefusedMemoryIsNamed) {
  const RunOutcome outcome = run_in(RunMode::soak, "oom@mem.integrity");
  EXPECT_EQ(outcome.exit, ProbeExit::ok);
  ASSERT_TRUE(outcome.profile.results.front().skip);
  EXPECT_EQ(outcome.profile.results.front().skip->reason, SkipReason::oom);
  EXPECT_EQ(outcome.profile.results.front().skip->consequence,
            "faults of the memory that no error counter sees stay unknown");
}

}  // namespace
}  // namespace podwright::probes::integrity_test
