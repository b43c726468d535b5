/// Whole runs on imagined H100s: healthy ones, none of which may be accused, and ones with a fault, none of which may
/// pass.
#include <algorithm>

#include "base/words.h"
#include "calibration/judge_profile.h"
#include "catalog/catalog.h"
#include "measure/health.h"
#include "native/runs.h"

namespace podwright::probes::machines_test {
namespace {

// Kernels that are checked at each address take several times as long to start.
#ifdef PODWRIGHT_SANITIZED
constexpr int kSeeds = 1;
#else
constexpr int kSeeds = 10;
#endif

struct Machine {
  RunOutcome outcome;
  ProfileJudgement judgement;
};

Machine measured(const std::string& script) {
  const Variable variable("PODWRIGHT_FAKE", "" + script);
  RunOptions options =
      fake_options({"launch.graph", "hbm.", "pcie.", "p2p.", "gemm.bf16", "gemm.fp8", "decode.weights", "mem."});
  options.budget.mode = RunMode::standard;
  options.catalog = &embedded_catalog_facts();
  // A script that hangs is given a part of a second, which is many times what the other probes need.
  if (script.find("hang") != std::string::npos) options.watchdog_factor = options.watchdog_grace_s = 0.02;
  Machine machine{run_probes(options), {}};
  // As if it had been measured: scripted devices pass for no machine.
  HardwareProfile as_measured = machine.outcome.profile;
  as_measured.run.backend = "cuda";
  as_measured.environment.driver = as_measured.environment.cublaslt = "13.0";
  machine.judgement = judge_profile(*options.catalog, as_measured);
  return machine;
}

/// All that a user is told to be wrong: refusals, results that are not to be believed, skips, health, verdicts.
std::string told(const Machine& machine) {
  const HardwareProfile& profile = machine.outcome.profile;
  std::string text = machine.outcome.message + "\n";
  for (const ProbeResult& result : profile.results) {
    if (result.skip && result.skip->reason != SkipReason::one_device)
      text += result.probe + " skipped: " + std::string(word_of(result.skip->reason, kSkipReasonWords)) + "\n";
    if (invalid(result.flags)) text += result.probe + " invalid: " + result.flags.front().detail + "\n";
  }
  for (const HealthFinding& finding : health_findings(profile)) text += finding.message + "\n";
  for (const HealthEvent& event : profile.health_events) text += event.name + "\n";
  for (const ProfileVerdict& one : machine.judgement.verdicts) {
    if (one.verdict.kind == VerdictKind::ok || one.verdict.kind == VerdictKind::skipped) continue;
    text +=
        one.device + " " + std::string(word_of(one.verdict.kind, kVerdictWords)) + ": " + one.verdict.sentence + "\n";
    for (const SeenCause& cause : one.explanation.causes) text += "  " + cause.cause + ": " + cause.evidence + "\n";
  }
  return text == "\n" ? "" : text;
}

TEST(Machines, HealthyOnesAreAccusedOfNothing) {
  int machines = 0;
  for (const char* noise : {"1e-4", "2e-4", "3e-4", "5e-4", "1e-3", "3e-3", "5e-3", "1e-2", "2e-2", "3e-2"})
    for (const char* start : {"", ";cold"})
      for (int seed = 1; seed <= kSeeds; ++seed, ++machines) {
        const std::string script = "noise=" + std::string(noise) + start + ";seed=" + std::to_string(seed);
        const Machine machine = measured(script);
        EXPECT_EQ(told(machine), "") << script;
        EXPECT_EQ(machine.outcome.exit, ProbeExit::ok) << script;
        EXPECT_EQ(machine.outcome.profile.devices.front().key, "h100-sxm5-80gb");
        EXPECT_GE(machine.judgement.verdicts.size(), 8U);
      }
  EXPECT_EQ(machines, 20 * kSeeds);
}

TEST(Machines, AllProbesOfAStandardRunAreClean) {
  const Variable variable("PODWRIGHT_FAKE", "noise=2e-4");
  RunOptions options = fake_options({});
  options.budget.mode = RunMode::standard;
  options.catalog = &embedded_catalog_facts();
  const RunOutcome outcome = run_probes(options);
  EXPECT_EQ(outcome.exit, ProbeExit::ok);
  EXPECT_GT(outcome.profile.results.size(), 400U);
  for (const ProbeResult& result : outcome.profile.results) {
    EXPECT_FALSE(invalid(result.flags)) << result.probe << " " << result.flags.front().detail;
    EXPECT_FALSE(has_flag(result.flags, FlagKind::not_monotone)) << result.probe;
    EXPECT_TRUE(result.skip ? result.skip->reason == SkipReason::one_device : result.usable()) << result.probe;
  }
}

struct Fault {
  const char* script;
  const char* named;  ///< stands in what is told
};
constexpr Fault kFaults[] = {
    {"slow=2@hbm*", "bad: hbm.copy"},
    {"slow=1.5@gemm*", "bad: gemm.bf16"},
    {"slow=1.6@gemm*;clock=1.2e9@gemm*;throttle=8@gemm*", "hw_slowdown"},
    {"slow=1.4@gemm*;clock=1.4e9@gemm*;throttle=64@gemm*", "hw_thermal"},
    {"slow=1.5@gemm*;clock=1.3e9@gemm*;throttle=128@gemm*", "power_brake"},
    {"pcie_width=8;slow=2@pcie*", "allow PCIe 5 x16"},
    {"pcie_generation=3;slow=4@pcie*", "allow PCIe 5 x16"},
    {"slow=2@pcie.h2d", "bad: pcie.h2d"},
    {"devices=2;slow=2@p2p*", "bad: p2p.matrix"},
    {"devices=2;slow_device=1:1.3@gemm*", "d1 bad: gemm.bf16"},
    {"slow=4@launch.graph", "bad: launch.graph"},
    {"slow=1.6@decode.weights", "bad: decode.weights"},
    {"capacity=0.8", "bad: mem.capacity"},
    {"wrong@gemm.bf16", "failed: gemm.bf16"},
    {"nan@hbm.copy", "failed: hbm.copy"},
    {"wrong@mem.integrity", "memory_mismatch"},
    {"rise=ecc_uncorrectable:2", "2 uncorrectable memory errors"},
    {"rise=remapped_rows:1", "1 remapped rows"},
    {"xid=79", "Xid 79"},
    {"nvlinks=17", "nvlinks: 17 of 18 NVLinks are up; expected: 18 up"},
    {"ecc=0", "ecc_mode: ECC is off"},
    {"persistence=0", "persistence_mode: persistence mode is off"},
    {"remap_none=1", "1 memory bank has few or no spare rows"},
    {"fabric=2", "registration of d0 is still in progress"},
    {"busy", "30 % utilisation"},
    {"others=2", "2 processes"},
    {"hang@hbm.triad", "hbm.triad skipped: hang"},
    {"crash@gemm.bf16", "gemm.bf16 skipped: device_fault"},
    {"sticky@decode.weights", "device_fault"},
};

TEST(Machines, WithAFaultAreToldIt) {
  for (const Fault& fault : kFaults)
    for (int seed = 1; seed <= kSeeds; ++seed) {
      const std::string script = std::string(fault.script) + ";seed=" + std::to_string(seed);
      const std::string text = told(measured(script));
      EXPECT_NE(text.find(fault.named), std::string::npos) << script << "\n" << text;
      EXPECT_EQ(text.find("Not a fault"), std::string::npos) << script << "\n" << text;
    }
}

}  // namespace
}  // namespace podwright::probes::machines_test
