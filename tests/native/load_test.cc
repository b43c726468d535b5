/// Rest, and everything at once: how long it lasts, what is kept of power, heat and counters.
#include "native/runs.h"
#include "probes/catalogue.h"

namespace podwright::probes::load_test {
namespace {

RunOutcome run_in(RunMode mode, const std::string& script, std::vector<std::string> only) {
  const Variable variable("PODWRIGHT_FAKE", script);
  RunOptions options = fake_options(std::move(only));
  options.budget.mode = mode;
  return run_probes(options);
}

Machine one_gpu() {
  Machine machine;
  machine.backend = "cuda";
  machine.memory_bytes = 80e9;
  machine.cache_bytes = 50e6;
  machine.capability = 90;
  machine.members = {0};
  return machine;
}

double seconds_of(const std::vector<ProbeCase>& cases, const std::string& probe) {
  for (const ProbeCase& one : cases)
    if (one.probe == probe) return one.budget_s;
  return 0;
}

TEST(Load, LastsItsTimeWhileTheOthersMakeRoom) {
  const std::vector<ProbeCase> standard = plan_cases(one_gpu(), {RunMode::standard, 0}, 1);
  EXPECT_EQ(seconds_of(standard, "soak"), 60);
  EXPECT_EQ(seconds_of(standard, "idle"), 20);
  EXPECT_EQ(standard.front().probe, "idle");
  EXPECT_EQ(standard.back().heat, Heat::load);
  const std::vector<ProbeCase> soak = plan_cases(one_gpu(), {RunMode::soak, 0}, 1);
  EXPECT_EQ(seconds_of(soak, "soak"), 600);
  EXPECT_EQ(seconds_of(soak, "soak.all"), 0);
  // A short run gives it half of its time.
  const std::vector<ProbeCase> brief = plan_cases(one_gpu(), {RunMode::standard, 20}, 1);
  EXPECT_LE(seconds_of(brief, "soak") + seconds_of(brief, "idle"), 10);
  for (const ProbeCase& one : plan_cases(one_gpu(), {RunMode::quick, 0}, 1)) EXPECT_NE(one.heat, Heat::load);
}

/// With what stands beside the cases: processes that start, operands that are made, devices that cool.
double whole_run(const Machine& machine, RunMode mode, double seconds = 0) {
  const std::vector<ProbeCase> cases = plan_cases(machine, {mode, seconds}, 1);
  return probes::seconds_of(cases) + seconds_beside(cases, machine.backend, mode);
}

TEST(Load, RunsFitTheirTime) {
  for (const int capability : {75, 80, 90, 100}) {
    Machine machine = one_gpu();
    machine.capability = capability;
    EXPECT_LE(whole_run(machine, RunMode::quick), 60) << capability;
    EXPECT_LE(whole_run(machine, RunMode::standard), 570) << capability;
    EXPECT_GE(whole_run(machine, RunMode::standard), 400) << capability;
    EXPECT_LE(whole_run(machine, RunMode::soak), 1650) << capability;
    // native/package/gpu_evidence.py ends its standard run then.
    EXPECT_LE(whole_run(machine, RunMode::standard, 450), 510 - 15) << capability;
  }
}

TEST(Load, OfSeveralDevicesIsLongestTogether) {
  Machine machine = one_gpu();
  machine.devices = 4;
  machine.members = {0, 1, 2, 3};
  const std::vector<ProbeCase> cases = plan_cases(machine, {RunMode::soak, 0}, 1);
  EXPECT_EQ(seconds_of(cases, "soak"), 60);
  EXPECT_EQ(seconds_of(cases, "soak.all"), 600);
  machine.device = 1;
  machine.members.clear();
  EXPECT_EQ(seconds_of(plan_cases(machine, {RunMode::soak, 0}, 1), "soak.all"), 0);
}

TEST(Load, TellsPowerHeatAndEnergyOfItsSecondHalf) {
  // Batches of 0.1 s: the second half of 25 lasts longer than one window of a second.
  const Variable variable("PODWRIGHT_FAKE", "pace=0.1@soak;throttle=36@soak");
  RunOptions options = fake_options({"soak"});
  options.budget = {RunMode::standard, 5};
  const RunOutcome outcome = run_probes(options);
  EXPECT_EQ(outcome.exit, ProbeExit::ok);
  ASSERT_EQ(outcome.profile.results.size(), 2U);
  for (const ProbeResult& result : outcome.profile.results) {
    ASSERT_TRUE(result.load) << result.probe;
    EXPECT_EQ(result.mode, ProbeMode::sustained);
    EXPECT_EQ(result.load->energy_j.has_value(), result.probe == "soak");
    EXPECT_NEAR(*result.load->power_w, 300, 1);
    EXPECT_EQ(result.load->temperature_c_max, 50.0);
    EXPECT_EQ(result.load->memory_temperature_c_max, 65.0);
    EXPECT_NEAR(*result.load->j_per_byte, *result.load->power_w / *result.bytes_per_s(), 1e-15);
    EXPECT_EQ(result.load->j_per_flop.has_value(), result.probe == "soak");
    EXPECT_EQ(result.load->power_capped_after_s.has_value(), result.probe == "soak");
    EXPECT_EQ(result.load->throttled_after_s.has_value(), result.probe == "soak");
  }
  const auto read = read_profile(profile_text(outcome.profile));
  ASSERT_TRUE(read) << read.error().front().path;
}

TEST(Load, WithoutACounterOfEnergyPowerIsThatOfReadings) {
  const RunOutcome outcome = run_in(RunMode::standard, "no_energy", {"soak.stream"});
  ASSERT_TRUE(outcome.profile.results.front().load);
  EXPECT_FALSE(outcome.profile.results.front().load->energy_j);
  EXPECT_EQ(outcome.profile.results.front().load->power_w, 300.0);
}

TEST(Load, WithoutTelemetryTellsNoFigures) {
  const RunOutcome outcome = run_in(RunMode::standard, "no_telemetry", {"soak.stream", "idle"});
  ASSERT_EQ(outcome.profile.results.size(), 1U);
  EXPECT_FALSE(outcome.profile.results.front().load);
  EXPECT_TRUE(outcome.profile.results.front().time_s);
  EXPECT_FALSE(outcome.profile.devices.front().idle_power_w);
}

TEST(Load, KeepsTheCountersThatRoseMeanwhile) {
  const RunOutcome outcome = run_in(RunMode::standard, "rise=pcie_replay:4@soak*", {"launch", "soak"});
  int loads = 0;
  for (const ProbeResult& result : outcome.profile.results) {
    if (!result.load) continue;
    ++loads;
    ASSERT_EQ(result.load->counters.size(), 1U);
    EXPECT_EQ(result.load->counters.front().name, "pcie_replay");
    EXPECT_EQ(result.load->counters.front().count, 4);
  }
  EXPECT_EQ(loads, 2);
}

TEST(Load, RunsOnAllDevicesAtOnce) {
  const RunOutcome outcome = run_in(RunMode::standard, "devices=3", {"soak.all"});
  ASSERT_EQ(outcome.profile.results.size(), 1U);
  EXPECT_EQ(outcome.profile.results.front().devices, (std::vector<std::string>{"d0", "d1", "d2"}));
  EXPECT_TRUE(outcome.profile.results.front().load);
}

TEST(Rest, IsKeptAtTheDevice) {
  const RunOutcome outcome = run_in(RunMode::standard, "", {"idle"});
  EXPECT_TRUE(outcome.profile.results.empty());
  EXPECT_EQ(outcome.profile.devices.front().idle_power_w, 80.0);
  EXPECT_TRUE(outcome.profile.run.complete);
}

}  // namespace
}  // namespace podwright::probes::load_test
