/// Every fault of a device, from a script: reason, exit code, and a profile that stays valid.
#include <signal.h>

#include "native/runs.h"

namespace podwright::probes::fake_test {
namespace {

const ProbeResult* only_result(const RunOutcome& outcome, const std::string& probe) {
  for (const ProbeResult& result : outcome.profile.results)
    if (result.probe == probe) return &result;
  return nullptr;
}

void expect_valid(const RunOutcome& outcome) {
  const auto read = read_profile(profile_text(outcome.profile));
  ASSERT_TRUE(read) << read.error().front().path << ": " << read.error().front().message;
  EXPECT_EQ(read->profile.results.size(), outcome.profile.results.size());
}

bool flagged(const ProbeResult& result, FlagKind kind) { return has_flag(result.flags, kind); }

TEST(FakeBackend, CleanRunMeasuresEverything) {
  const RunOutcome outcome = run_fake("", {"gemm", "hbm", "launch"});
  EXPECT_EQ(outcome.exit, ProbeExit::ok);
  EXPECT_TRUE(outcome.profile.run.complete);
  ASSERT_GE(outcome.profile.results.size(), 30U);
  for (const ProbeResult& result : outcome.profile.results) {
    ASSERT_TRUE(result.time_s) << result.probe;
    EXPECT_TRUE(result.usable()) << result.probe;
    EXPECT_TRUE(result.time_s->lo95) << result.probe;
    EXPECT_EQ(result.check.status, CheckStatus::pass);
  }
  expect_valid(outcome);
}

TEST(FakeBackend, RateIsThatOfTheScript) {
  const RunOutcome outcome = run_fake("", {"hbm.triad"});
  const ProbeResult* triad = only_result(outcome, "hbm.triad");
  ASSERT_NE(triad, nullptr);
  // 91 % of 3.352 TB/s.
  EXPECT_NEAR(*triad->bytes_per_s(), 3.05e12, 0.03e12);
}

struct Fault {
  const char* script;
  const char* reason;
  ProbeExit exit;
};

class FakeFault : public testing::TestWithParam<Fault> {};

TEST_P(FakeFault, IsNamedAndLeavesAValidProfile) {
  const Fault& fault = GetParam();
  const RunOutcome outcome = run_fake(fault.script, {"hbm.triad"});
  EXPECT_EQ(outcome.exit, fault.exit);
  const ProbeResult* result = only_result(outcome, "hbm.triad");
  ASSERT_NE(result, nullptr);
  ASSERT_TRUE(result->skip);
  EXPECT_EQ(kSkipReasonWords[static_cast<std::size_t>(result->skip->reason)], fault.reason);
  EXPECT_FALSE(result->skip->message.empty());
  EXPECT_FALSE(result->skip->consequence.empty());
  expect_valid(outcome);
}

INSTANTIATE_TEST_SUITE_P(All, FakeFault,
                         testing::Values(Fault{"oom@hbm.triad", "oom", ProbeExit::ok},
                                         Fault{"hang@hbm.triad", "hang", ProbeExit::fault},
                                         Fault{"gate@hbm.triad", "hang", ProbeExit::fault},
                                         Fault{"sticky@hbm.triad", "device_fault", ProbeExit::fault},
                                         Fault{"crash@hbm.triad", "device_fault", ProbeExit::fault}),
                         [](const auto& one) {
                           const std::string script = one.param.script;
                           return script.substr(0, script.find('@'));
                         });

TEST(FakeBackend, HangEndsOneProbeAndTheOthersGoOn) {
  const RunOutcome outcome = run_fake("hang@hbm.triad", {"hbm"});
  int measured = 0;
  for (const ProbeResult& result : outcome.profile.results) measured += result.time_s ? 1 : 0;
  EXPECT_GE(measured, 4);
  EXPECT_EQ(outcome.exit, ProbeExit::fault);
}

TEST(FakeBackend, StickyErrorEndsAllProbesOfTheDevice) {
  const RunOutcome outcome = run_fake("devices=2;sticky@launch.stream", {"launch", "hbm.triad"});
  for (const ProbeResult& result : outcome.profile.results) EXPECT_FALSE(result.probe == "hbm.triad" && result.time_s);
  ASSERT_EQ(outcome.profile.health_events.size(), 2U);
  EXPECT_EQ(outcome.profile.health_events.front().name, "device_fault");
}

// Its first library aborts where another of its parts is missing.
TEST(FakeBackend, CudnnThatEndsItsProcessIsNoFaultOfTheDevice) {
  const RunOutcome outcome = run_standard("crash@decode.attn.cudnn", {"decode.attn", "decode.step"});
  EXPECT_EQ(outcome.exit, ProbeExit::ok);
  EXPECT_TRUE(outcome.profile.health_events.empty());
  int ended = 0;
  for (const ProbeResult& result : outcome.profile.results) {
    EXPECT_EQ(result.skip.has_value(), result.probe == "decode.attn.cudnn") << result.probe;
    if (!result.skip) continue;
    EXPECT_EQ(result.skip->reason, SkipReason::library_missing);
    ended += result.skip->message == "cuDNN did not get on: the worker ended by signal 6";
  }
  EXPECT_EQ(ended, 2);  // each in a process of its own; then the library is left alone
  EXPECT_EQ(outcome.profile.results.back().probe, "decode.step");
  expect_valid(outcome);
}

TEST(FakeBackend, SmallerMemoryIsTakenWhenMoreIsRefused) {
  const RunOutcome outcome = run_fake("oom_above=300000000@hbm.triad", {"hbm.triad"});
  const ProbeResult* result = only_result(outcome, "hbm.triad");
  ASSERT_NE(result, nullptr);
  ASSERT_TRUE(result->time_s);
  EXPECT_EQ(result->size.bytes, 268435456.0);
  EXPECT_EQ(result->counted.bytes, 3 * 268435456.0);
}

TEST(FakeBackend, WrongResultWithholdsTheRate) {
  const RunOutcome outcome = run_fake("wrong@hbm.triad", {"hbm.triad"});
  const ProbeResult* result = only_result(outcome, "hbm.triad");
  EXPECT_EQ(outcome.exit, ProbeExit::fault);
  EXPECT_TRUE(flagged(*result, FlagKind::wrong_result));
  EXPECT_FALSE(result->bytes_per_s());
  expect_valid(outcome);
}

TEST(FakeBackend, NotANumberIsAWrongResult) {
  const RunOutcome outcome = run_fake("nan@hbm.triad", {"hbm.triad"});
  const ProbeResult* result = only_result(outcome, "hbm.triad");
  EXPECT_EQ(result->check.nan_count, 3);
  EXPECT_EQ(outcome.exit, ProbeExit::fault);
  EXPECT_FALSE(result->usable());
}

TEST(FakeBackend, CombinedThrottleBitsAreBothSeen) {
  const RunOutcome outcome = run_fake("throttle=36@hbm.triad", {"hbm.triad"});  // power cap 4 and thermal 32
  const ProbeResult* result = only_result(outcome, "hbm.triad");
  ASSERT_TRUE(flagged(*result, FlagKind::throttled));
  std::string detail;
  for (const ProbeFlag& flag : result->flags)
    if (flag.kind == FlagKind::throttled) detail = flag.detail;
  EXPECT_NE(detail.find("sw_power_cap"), std::string::npos);
  EXPECT_NE(detail.find("sw_thermal"), std::string::npos);
  EXPECT_TRUE(result->usable());
}

TEST(FakeBackend, AboveTheRoofIsInvalid) {
  const RunOutcome outcome = run_fake("above_roof@hbm.triad", {"hbm.triad"});
  const ProbeResult* result = only_result(outcome, "hbm.triad");
  EXPECT_TRUE(flagged(*result, FlagKind::above_roof));
  EXPECT_FALSE(result->usable());
}

TEST(FakeBackend, TimesOnAGridAreInvalid) {
  const RunOutcome outcome = run_fake("quantised@hbm.copy", {"hbm.copy"});
  for (const ProbeResult& result : outcome.profile.results) EXPECT_FALSE(result.usable()) << *result.size.bytes;
}

TEST(FakeBackend, PartialTelemetryLeavesWhatIsKnown) {
  const RunOutcome without_clock = run_fake("no_clock", {"hbm.triad"});
  const ProbeContext& some = only_result(without_clock, "hbm.triad")->context;
  EXPECT_FALSE(some.sm_clock_hz);
  EXPECT_EQ(some.temperature_c, 50.0);
  const RunOutcome without = run_fake("no_telemetry;no_clock", {"hbm.triad"});
  const ProbeContext& none = only_result(without, "hbm.triad")->context;
  EXPECT_FALSE(none.power_w);
  EXPECT_TRUE(only_result(without, "hbm.triad")->usable());
  expect_valid(without);
}

TEST(FakeBackend, BusyDeviceIsRefusedUnlessAllowed) {
  const RunOutcome refused = run_fake("busy", {"hbm.triad"});
  EXPECT_EQ(refused.exit, ProbeExit::unusable);
  EXPECT_NE(refused.message.find("--allow-busy"), std::string::npos);
  const Variable script("PODWRIGHT_FAKE", "busy");
  RunOptions options = fake_options({"hbm.triad"});
  options.allow_busy = true;
  const RunOutcome allowed = run_probes(options);
  EXPECT_TRUE(flagged(*only_result(allowed, "hbm.triad"), FlagKind::noisy_neighbour));
}

// The driver counts our own context too, and tells the work of the last second: both are asked before the first
// context.
TEST(FakeBackend, OwnWorkIsNoNeighbour) {
  const RunOutcome outcome = run_fake("devices=2", {"hbm"});
  EXPECT_EQ(outcome.exit, ProbeExit::ok) << outcome.message;
  ASSERT_FALSE(outcome.profile.results.empty());
  for (const ProbeResult& result : outcome.profile.results) {
    EXPECT_FALSE(flagged(result, FlagKind::noisy_neighbour)) << result.probe;
    EXPECT_EQ(result.context.other_processes, 0);
  }
}

TEST(FakeBackend, AnotherProcessIsRefused) {
  const RunOutcome refused = run_fake("others=1", {"hbm.triad"});
  EXPECT_EQ(refused.exit, ProbeExit::unusable);
  EXPECT_NE(refused.message.find("1 processes"), std::string::npos);
}

// The start is 10 K cooler than what a process finds, and each look at the device takes a degree away.
TEST(FakeBackend, GroupsThatHeatWaitForTheDevice) {
  const RunOutcome outcome = run_fake("cools", {"hbm.copy", "gemm"});
  int waited = 0;
  double before_it = 0;
  for (const ProbeResult& result : outcome.profile.results) {
    if (result.probe == "hbm.copy") before_it = std::max(before_it, *result.context.temperature_c);
    if (result.probe != "hbm.copy") waited += *result.context.temperature_c <= 45 ? 1 : 0;
  }
  EXPECT_EQ(waited, 24);
  EXPECT_GT(before_it, 45);
}

TEST(FakeBackend, AbsentOrOldDriverStopsANamedBackend) {
  for (const auto& [script, reason] : {std::pair{"no_driver", "no_driver"}, {"too_old", "driver_too_old"}}) {
    const RunOutcome outcome = run_fake(script, {});
    EXPECT_EQ(outcome.exit, ProbeExit::unusable);
    EXPECT_EQ(outcome.message.rfind(reason, 0), 0U) << outcome.message;
  }
}

TEST(FakeBackend, RequiredSkipMakesTheRunUnusable) {
  const Variable script("PODWRIGHT_FAKE", "oom@hbm.triad");
  RunOptions options = fake_options({"hbm.triad"});
  options.required = {"hbm"};
  EXPECT_EQ(run_probes(options).exit, ProbeExit::unusable);
}

TEST(FakeBackend, RequiredProbeThatIsNotPlannedMakesTheRunUnusable) {
  RunOptions options = fake_options({"hbm.triad"});
  options.required = {"gemm"};
  const RunOutcome outcome = run_probes(options);
  EXPECT_EQ(outcome.exit, ProbeExit::unusable);
  EXPECT_EQ(outcome.message, "1 of 1 required probes were not tried: gemm");
  const RunOutcome nothing = run_fake("", {"nosuch"});
  EXPECT_EQ(nothing.exit, ProbeExit::unusable);
  EXPECT_EQ(nothing.message, "no probe of this run on fake begins with nosuch");
}

TEST(FakeBackend, UnknownDeviceIsWrongInput) {
  RunOptions options = fake_options({"hbm.triad"});
  options.devices = {3};
  EXPECT_EQ(run_probes(options).exit, ProbeExit::wrong_input);
}

TEST(FakeBackend, ProfileNamesNobody) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const std::string text = profile_text(run_fake("", {"launch"}).profile);
  EXPECT_EQ(text.find("\"" + std::string(host) + "\""), std::string::npos);
  EXPECT_EQ(text.find("identity_hash"), std::string::npos);
}

TEST(Program, InterruptedRunLeavesAValidUnfinishedProfile) {
  const std::string file = scratch("interrupted.json");
  Program program({"probe", "--backend", "fake", "--only", "launch,hbm", "-o", file}, {"PODWRIGHT_FAKE=hang@hbm.read"},
                  scratch("interrupted.log"));
  // The first group is done when its file is there.
  for (int i = 0; i < 2000 && !std::filesystem::exists(file); ++i) usleep(50000);
  program.kill(SIGINT);
  EXPECT_EQ(program.wait(), 4);
  const auto read = read_profile(file_text(file));
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->profile.run.complete);
  bool interrupted = false;
  for (const ProbeResult& result : read->profile.results)
    interrupted = interrupted || (result.skip && result.skip->reason == SkipReason::interrupted);
  EXPECT_TRUE(interrupted);
}

/// Without podwright-gpu, with it and no driver, and where the devices are hidden from it.
bool names_no_gpu(const std::string& told) {
  const auto has = [&](const char* word) { return told.find(word) != std::string::npos; };
  return has("cuda_missing") || has("no_driver") || has("no_device");
}

TEST(Program, ExitCodes) {
  const auto code = [](const std::vector<std::string>& arguments, const std::string& script) {
    return Program(arguments, {"PODWRIGHT_FAKE=" + script, "CUDA_VISIBLE_DEVICES="}, scratch("code.log")).wait();
  };
  EXPECT_EQ(code({"probe", "--backend", "fake", "--only", "launch"}, ""), 0);
  EXPECT_EQ(code({"probe", "--backend", "granite"}, ""), 2);
  EXPECT_EQ(code({"probe", "--backend", "fake", "-o", "/nowhere/profile.json"}, ""), 3);
  EXPECT_EQ(code({"probe", "--backend", "fake", "--device", "9"}, ""), 2);
  EXPECT_EQ(code({"probe", "--backend", "fake"}, "no_device"), 3);
  EXPECT_EQ(code({"probe", "--backend", "fake", "--only", "launch"}, "wrong@launch*"), 4);
  EXPECT_EQ(code({"probe", "--backend", "cuda"}, ""), 3);
  EXPECT_TRUE(names_no_gpu(file_text(scratch("code.log.err"))));
}

TEST(Program, OptionsThatWouldDoNothingAreWrongUsage) {
  const std::string log = scratch("options.log");
  for (const auto& [options, hint] :
       {std::pair<std::vector<std::string>, std::string>{{"--quick", "--standard"}, "excludes"},
        {{"--soak", "--standard"}, "excludes"},
        {{"--share"}, "--share requires --json"},
        {{"--rank", "0"}, "--rank requires --cluster"},
        {{"--world", "2"}, "--world requires --cluster"},
        {{"--rendezvous", "/nowhere"}, "--rendezvous requires --cluster"},
        {{"--patience", "3"}, "--patience requires --cluster"},
        {{"--read-file", "/dev/zero"}, "scripted devices"}}) {
    std::vector<std::string> words = {"probe", "--backend", "fake", "--only", "launch"};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(Program(words, {}, log).wait(), 2) << hint;
    EXPECT_NE(file_text(log + ".err").find(hint), std::string::npos) << file_text(log + ".err");
  }
}

TEST(Program, AutoFallsBackToTheProcessors) {
  const std::string log = scratch("auto.log");
  Program program({"probe", "--only", "cpu.launch", "--budget", "1"}, {"CUDA_VISIBLE_DEVICES="}, log);
  EXPECT_EQ(program.wait(), 0);
  EXPECT_NE(file_text(log).find("cpu.launch"), std::string::npos);
  EXPECT_TRUE(names_no_gpu(file_text(log)));
}

}  // namespace
}  // namespace podwright::probes::fake_test
