/// Error counters and events of scripted devices, before and after a run.
#include <tuple>

#include "native/runs.h"

namespace podwright::probes::health_test {
namespace {

const HealthCounter* counter_of(const RunOutcome& outcome, const std::string& name) {
  for (const HealthCounter& counter : outcome.profile.health_counters)
    if (counter.name == name) return &counter;
  return nullptr;
}

void expect_valid(const RunOutcome& outcome) {
  const auto read = read_profile(profile_text(outcome.profile));
  ASSERT_TRUE(read) << read.error().front().path << ": " << read.error().front().message;
  EXPECT_EQ(read->profile.health_counters.size(), outcome.profile.health_counters.size());
  EXPECT_EQ(read->profile.health_events.size(), outcome.profile.health_events.size());
}

TEST(HealthOfARun, QuietDevicesTellEqualCounters) {
  const RunOutcome outcome = run_fake("devices=2", {"hbm.triad"});
  EXPECT_EQ(outcome.exit, ProbeExit::ok);
  EXPECT_EQ(outcome.profile.health_counters.size(), 10U);
  for (const HealthCounter& counter : outcome.profile.health_counters) EXPECT_EQ(counter.before, counter.after);
  expect_valid(outcome);
}

TEST(HealthOfARun, UncorrectableErrorEndsItWithFour) {
  const RunOutcome outcome = run_fake("rise=ecc_uncorrectable:2@hbm.triad", {"hbm.triad"});
  const HealthCounter* errors = counter_of(outcome, "ecc_uncorrectable");
  ASSERT_NE(errors, nullptr);
  EXPECT_EQ(errors->device, "d0");
  EXPECT_EQ(errors->before, 5);
  EXPECT_EQ(errors->after, 7);
  EXPECT_EQ(outcome.exit, ProbeExit::fault);
  EXPECT_EQ(outcome.profile.run.exit_code, 4);
  EXPECT_TRUE(outcome.profile.run.complete);
  expect_valid(outcome);
}

TEST(HealthOfARun, CorrectedErrorIsToldAndChangesNothing) {
  const RunOutcome outcome = run_fake("rise=ecc_correctable:1@hbm.triad", {"hbm.triad"});
  EXPECT_EQ(counter_of(outcome, "ecc_correctable")->after, 6);
  EXPECT_EQ(outcome.exit, ProbeExit::ok);
}

TEST(HealthOfARun, XidOfTheDeviceEndsItWithFour) {
  const RunOutcome outcome = run_fake("xid=79@hbm.triad", {"hbm.triad"});
  ASSERT_EQ(outcome.profile.health_events.size(), 1U);
  EXPECT_EQ(outcome.profile.health_events.front().name, "xid:79");
  EXPECT_EQ(outcome.exit, ProbeExit::fault);
  expect_valid(outcome);
}

TEST(HealthOfARun, XidThatAProgramCausesIsOurFault) {
  EXPECT_EQ(run_fake("xid=31@hbm.triad", {"hbm.triad"}).exit, ProbeExit::internal_error);
}

TEST(HealthOfARun, StickyWorkerStillTells) {
  const RunOutcome outcome = run_fake("sticky@hbm.triad;rise=ecc_uncorrectable:1@hbm.triad", {"hbm.triad"});
  EXPECT_EQ(counter_of(outcome, "ecc_uncorrectable")->after, 6);
}

TEST(HealthOfARun, AfterACrashTheDeviceIsAskedAgain) {
  const RunOutcome outcome = run_fake("crash@hbm.triad", {"hbm.triad"});
  ASSERT_NE(counter_of(outcome, "pcie_replay"), nullptr);
  for (const std::string& limit : outcome.profile.limits) EXPECT_EQ(limit.find("Error counters"), std::string::npos);
}

TEST(HealthOfARun, EachFaultIsToldOnce) {
  for (const auto& [step, sentence, only] :
       {std::tuple("rise=ecc_uncorrectable:3@hbm.triad", "3 uncorrectable memory errors", "hbm.triad"),
        std::tuple("rise=ecc_correctable:3@hbm.triad", "3 corrected memory errors", "hbm.triad"),
        std::tuple("xid=79@hbm.triad", "Xid 79", "hbm.triad"),
        std::tuple("crash@hbm*", "two workers of one group", "hbm,gemm"),
        std::tuple("sticky@hbm.triad", "device_fault: an illegal address", "hbm.triad,gemm"),
        std::tuple("sticky@launch.stream", "no more probes on this device", "launch,hbm,gemm"),
        std::tuple("wrong@hbm.triad", "wrong output", "hbm.triad"),
        std::tuple("wrong@hbm.triad", "wrong_result", "hbm.triad")}) {
    const std::string log = scratch("once.log");
    Program program({"probe", "--backend", "fake", "--only", only}, {"PODWRIGHT_FAKE=" + std::string(step)}, log);
    program.wait();
    const std::string text = file_text(log);
    const std::size_t first = text.find(sentence);
    ASSERT_NE(first, std::string::npos) << sentence << "\n" << text;
    EXPECT_EQ(text.find(sentence, first + 1), std::string::npos) << sentence << "\n" << text;
  }
}

TEST(HealthOfARun, SummaryNamesThem) {
  const std::string log = scratch("health.log");
  Program program({"probe", "--backend", "fake", "--only", "hbm.triad"},
                  {"PODWRIGHT_FAKE=rise=ecc_uncorrectable:3@hbm.triad"}, log);
  EXPECT_EQ(program.wait(), 4);
  EXPECT_NE(file_text(log).find("failed     d0: 3 uncorrectable memory errors during the run"), std::string::npos)
      << file_text(log);
}

}  // namespace
}  // namespace podwright::probes::health_test
