/// Health checks of hosts that are made up as a tree of files.
#include "probes/host.h"

#include "calibration/judge_profile.h"
#include "native/runs.h"

namespace podwright::probes::host_test {
namespace {

/// A host's sysfs, procfs and logs below a folder of the test's own.
class Tree {
 public:
  explicit Tree(const std::string& name) : root_(scratch("host_" + name)) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  void file(const std::string& path, const std::string& text) const {
    const std::filesystem::path at = root_ + "/" + path;
    std::filesystem::create_directories(at.parent_path());
    std::ofstream(at) << text << '\n';
  }
  void port(const std::string& card, const std::string& state, const std::string& physical) const {
    const std::string at = "sys/class/infiniband/" + card;
    file(at + "/board_id", "MT_0000000838");
    file(at + "/ports/1/link_layer", "InfiniBand");
    file(at + "/ports/1/state", state);
    file(at + "/ports/1/phys_state", physical);
    file(at + "/ports/1/rate", "400 Gb/sec (4X NDR)");
    file(at + "/ports/1/counters/symbol_error", "3");
    file(at + "/ports/1/counters/link_downed", "0");
  }
  /// An eight-GPU board with its services, on the host itself.
  void board() const {
    file("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06");
    file("proc/sys/kernel/osrelease", "6.8.0-45-generic");
    file("proc/2/comm", "kthreadd");
    file("proc/1234/comm", "nv-fabricmanage");
    file("sys/bus/pci/devices/0000:07:00.0/vendor", "0x10de");
    file("sys/bus/pci/devices/0000:07:00.0/class", "0x068000");
    file("sys/bus/pci/devices/0000:1b:00.0/vendor", "0x10de");
    file("sys/bus/pci/devices/0000:1b:00.0/class", "0x030200");
    file("proc/uptime", "7200.00 1000.00");
    file("dev/kmsg", "6,1,1,-;nvidia: loading out-of-tree module");
    port("mlx5_0", "4: ACTIVE", "5: LinkUp");
    port("mlx5_1", "4: ACTIVE", "5: LinkUp");
  }
  const std::string& root() const { return root_; }

 private:
  std::string root_;
};

RunOutcome run_on(const Tree& tree, const std::string& script, const std::string& read_file = "") {
  const Variable variable("PODWRIGHT_FAKE", script);
  RunOptions options = fake_options({"hbm.triad", "pcie."});
  options.catalog = &embedded_catalog_facts();
  options.system_root = tree.root();
  options.read_file = read_file;
  return run_probes(options);
}

HealthCheck check_of(const RunOutcome& outcome, const std::string& name, const std::string& device = "host") {
  for (const HealthCheck& check : outcome.profile.health_checks)
    if (check.name == name && check.device == device) return check;
  ADD_FAILURE() << "no " << name << " of " << device;
  return {};
}

TEST(HostState, BareHostHasNothing) {
  const Tree tree("bare");
  const HostReading host = host_state(tree.root());
  EXPECT_FALSE(host.nvidia_driver || host.open_modules || host.peer_memory || host.dma_buf || host.processes_shown ||
               host.fabric_manager || host.imex || host.imex_channel);
  EXPECT_EQ(host.nvswitches, 0);
  EXPECT_TRUE(host.ports.empty());
  EXPECT_FALSE(host.xids);
  EXPECT_NE(host.log_missing.find("/dev/kmsg: No such file"), std::string::npos) << host.log_missing;
}

TEST(HostState, BoardIsReadWhole) {
  const Tree tree("board");
  tree.board();
  HostReading host = host_state(tree.root());
  EXPECT_TRUE(host.nvidia_driver && host.open_modules && host.dma_buf && host.processes_shown && host.fabric_manager);
  EXPECT_FALSE(host.peer_memory || host.imex || host.imex_channel);
  EXPECT_EQ(host.nvswitches, 1);
  ASSERT_EQ(host.ports.size(), 2U);
  EXPECT_EQ(host.ports[1].card, "mlx5_1");
  EXPECT_EQ(host.ports[1].state, "ACTIVE");
  EXPECT_EQ(host.ports[1].physical_state, "LinkUp");
  EXPECT_EQ(host.ports[1].rate, "400 Gb/sec (4X NDR)");
  EXPECT_EQ(host.ports[1].board, "MT_0000000838");
  EXPECT_EQ(host.ports[1].errors_before.size(), 2U);
  EXPECT_EQ(host.ports[1].errors_before["symbol_error"], 3);
  ASSERT_TRUE(host.xids);
  EXPECT_TRUE(host.xids->empty());
  EXPECT_EQ(host.uptime_s, 7200);
  tree.file("sys/class/infiniband/mlx5_1/ports/1/counters/symbol_error", "7");
  read_errors_after(tree.root(), host);
  EXPECT_EQ(host.ports[1].errors_before["symbol_error"], 3);
  EXPECT_EQ(host.ports[1].errors_after["symbol_error"], 7);
}

TEST(HostState, OtherModulesServicesAndLogs) {
  const Tree tree("others");
  tree.file("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01");
  tree.file("proc/sys/kernel/osrelease", "5.4.0-190-generic");
  tree.file("sys/module/nvidia_peermem/version", "535.183.01");
  tree.file("proc/77/comm", "nvidia-imex");
  tree.file("dev/nvidia-caps-imex-channels/channel0", "");
  tree.file("dev/kmsg/none", "a folder cannot be read");
  tree.file("var/log/kern.log",
            "Nov 20 10:00:00 node kernel: NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus");
  const HostReading host = host_state(tree.root());
  EXPECT_TRUE(host.nvidia_driver && host.peer_memory && host.imex && host.imex_channel);
  EXPECT_FALSE(host.open_modules || host.dma_buf || host.processes_shown);
  ASSERT_EQ(host.xids->size(), 1U);
  EXPECT_EQ(host.xids->front().xid, 79);
  EXPECT_FALSE(host.uptime_s);
}

TEST(HostState, HealthyRunIsOkAndKeepsItsChecks) {
  const Tree tree("healthy");
  tree.board();
  const RunOutcome outcome = run_on(tree, "devices=2");
  EXPECT_EQ(outcome.exit, ProbeExit::ok);
  for (const HealthCheck& check : outcome.profile.health_checks)
    EXPECT_TRUE(check.state == HealthState::ok || check.name == "imex" || check.name == "host_memory" ||
                check.name == "file_read")
        << check.name << " " << check.device << ": " << check.seen;
  EXPECT_EQ(check_of(outcome, "fabric_manager").seen, "2 GPUs registered");
  const auto read = read_profile(profile_text(outcome.profile));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->profile.health_checks.size(), outcome.profile.health_checks.size());
}

TEST(HostState, DeadPortEndsTheRunWithFourAndIsAVerdict) {
  const Tree tree("port");
  tree.board();
  tree.port("mlx5_1", "1: DOWN", "2: Polling");
  const RunOutcome outcome = run_on(tree, "devices=2");
  EXPECT_EQ(check_of(outcome, "infiniband_port", "mlx5_1/1").state, HealthState::failed);
  EXPECT_EQ(outcome.exit, ProbeExit::fault);
  const ProfileJudgement judgement = judge_profile(embedded_catalog_facts(), outcome.profile);
  EXPECT_EQ(judgement.exit, ProbeExit::fault);
  bool named = false;
  for (const ProfileVerdict& one : judgement.verdicts)
    named = named || (one.device == "mlx5_1/1" && one.verdict.kind == VerdictKind::failed);
  EXPECT_TRUE(named);
}

TEST(HostState, XidBeforeTheRunIsToldApartFromItsOwn) {
  const Tree tree("xid");
  tree.board();
  tree.file("dev/kmsg", "4,9,3600000000,-;NVRM: Xid (PCI:0000:11:00): 48, pid=1, DBE");
  const RunOutcome outcome = run_on(tree, "devices=2;bus");
  EXPECT_EQ(check_of(outcome, "kernel_log", "d1").seen, "Xid 48 60 min before the run");
  EXPECT_EQ(outcome.exit, ProbeExit::fault);
  EXPECT_EQ(run_on(tree, "bus").exit, ProbeExit::ok) << "it is of a GPU that this run does not measure";
  EXPECT_TRUE(outcome.profile.health_events.empty());
}

TEST(HostState, PartsThatAreAbsentAreNotOk) {
  const Tree tree("absent");
  const RunOutcome outcome = run_on(tree, "");
  for (const char* name : {"infiniband_port", "infiniband_errors", "gpudirect_rdma", "imex"})
    EXPECT_EQ(check_of(outcome, name).state, HealthState::not_present) << name;
  EXPECT_EQ(check_of(outcome, "kernel_log").state, HealthState::unknown);
  EXPECT_EQ(outcome.exit, ProbeExit::ok);
}

TEST(HostState, ScriptedDevicesSayNothingOfThisHost) {
  const RunOutcome outcome = run_fake("", {"hbm.triad"});
  EXPECT_FALSE(outcome.profile.health_checks.empty());
  for (const HealthCheck& check : outcome.profile.health_checks)
    EXPECT_TRUE(check.device == "d0" || check.name == "fabric_manager") << check.name;
}

TEST(HostState, NamedFileIsRead) {
  const Tree tree("file");
  tree.file("data", std::string(1 << 20, 'x'));
  const std::string path = tree.root() + "/data";
  const FileReading reading = read_file_rate(path);
  EXPECT_EQ(reading.bytes, (1 << 20) + 1);
  EXPECT_GT(reading.bytes_per_s.value_or(0), 0);
  EXPECT_FALSE(reading.relative_spread);
  EXPECT_EQ(read_file_rate(tree.root() + "/none").unreadable, "No such file or directory");
  EXPECT_EQ(read_file_rate(tree.root()).unreadable, "it is neither a file nor a block device");
  const RunOutcome outcome = run_on(tree, "", path);
  EXPECT_EQ(check_of(outcome, "file_read").state, HealthState::ok);
  EXPECT_EQ(profile_text(outcome.profile).find(path), std::string::npos);
}

TEST(HostState, MemoryOfTheHostIsMeasuredBesideGpus) {
  const Tree tree("memory");
  const Variable variable("PODWRIGHT_FAKE", "");
  RunOptions options = fake_options({"pcie.h2d", "cpu.stream.triad"});
  options.budget.mode = RunMode::standard;
  options.system_root = tree.root();
  const HealthCheck check = check_of(run_probes(options), "host_memory");
  EXPECT_TRUE(check.state == HealthState::ok || check.state == HealthState::warning) << check.seen;
}

TEST(HostState, SummaryCountsTheGoodAndNamesTheRest) {
  const std::string log = scratch("host_state.log");
  Program program({"probe", "--backend", "fake", "--only", "hbm.triad"}, {"PODWRIGHT_FAKE=persistence=0"}, log);
  EXPECT_EQ(program.wait(), 0);
  const std::string text = file_text(log);
  EXPECT_NE(text.find("health        4 of 6 checks are ok"), std::string::npos) << text;
  EXPECT_NE(text.find("note       d0: persistence_mode: persistence mode is off"), std::string::npos) << text;
  EXPECT_NE(text.find("not checked   d0: pcie_link could not be checked: no copy was measured."), std::string::npos)
      << text;
}

}  // namespace
}  // namespace podwright::probes::host_test
