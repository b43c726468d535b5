#include "measure/health_check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "measure/health.h"
#include "measure/health_rules.h"
#include "measure/health_rules_table.h"
#include "measure/profile_merge.h"
#include "measure/sample_profile.h"

namespace podwright::health_check_test {
namespace {

HardwareProfile machine(const std::string& key = "h100-sxm5-80gb", int devices = 2) {
  HardwareProfile profile;
  profile.run.duration_s = 60;
  for (int i = 0; i < devices; ++i) {
    ProfileDevice device;
    device.id = "d" + std::to_string(i);
    device.pci_bus_id = "00000000:" + std::to_string(10 + i) + ":00.0";
    device.kind = "gpu";
    device.key = key;
    device.compute_capability = "9.0";
    device.ecc = true;
    device.nvlinks = 18;
    device.sm_clock_max_hz = 1980e6;
    device.power_limit_w = device.power_limit_default_w = 700;
    device.pcie_generation = device.pcie_generation_max = 5;
    device.pcie_width = device.pcie_width_max = 16;
    profile.devices.push_back(device);
  }
  return profile;
}

GpuReading healthy_gpu() {
  GpuReading reading;
  reading.memory.uncorrectable = reading.memory.retired_pages = 0;
  reading.memory.remap_pending = reading.memory.remap_failed = false;
  reading.heat.now = 41;
  reading.heat.margin = 46;
  reading.reasons.hw_slowdown = reading.reasons.hw_thermal = false;
  reading.sm_clock_hz = 1980e6;
  reading.recovery = "None";
  reading.mig = false;
  reading.persistence = true;
  reading.remap_banks = RemapBanks{.max = 640};
  reading.fabric_state = 3;
  reading.fabric_status = reading.fabric_health = 0;
  return reading;
}

PortReading healthy_port(const std::string& card) {
  PortReading port;
  port.card = card;
  port.port = "1";
  port.board = "MT_0000000838";
  port.layer = "InfiniBand";
  port.state = "ACTIVE";
  port.physical_state = "LinkUp";
  port.rate = "400 Gb/sec (4X NDR)";
  port.errors_before = port.errors_after = {{"symbol_error", 0}, {"link_downed", 1}};
  return port;
}

HostReading healthy_host() {
  HostReading host;
  host.nvidia_driver = host.open_modules = host.dma_buf = host.processes_shown = host.fabric_manager = true;
  host.nvswitches = 4;
  host.ports = {healthy_port("mlx5_0"), healthy_port("mlx5_1")};
  host.xids = std::vector<LoggedXid>{};
  host.memory_bytes_per_s = 4e11;
  host.file = FileReading{.bytes = 4294967296, .bytes_per_s = 6e9};
  return host;
}

/// A machine that is as it should be, and what each test changes of it.
struct Made {
  HardwareProfile profile = machine();
  std::vector<GpuReading> gpus = {healthy_gpu(), healthy_gpu()};
  HostReading host = healthy_host();

  std::vector<HealthCheck> all() const { return health_checks(profile, gpus, &host, &embedded_catalog_facts()); }
  HealthCheck of(const std::string& name, const std::string& device = "") const {
    for (const HealthCheck& check : all())
      if (check.name == name && (device.empty() || check.device == device)) return check;
    ADD_FAILURE() << "no " << name;
    return {};
  }
  HealthState state(const std::string& name, const std::string& device = "") const { return of(name, device).state; }
};

TEST(HealthCheck, HealthyMachineIsWell) {
  const Made made;
  for (const HealthCheck& check : made.all()) {
    EXPECT_EQ(check.state, check.name == "imex"          ? HealthState::not_present
                           : check.name == "host_memory" ? HealthState::unknown
                                                         : HealthState::ok)
        << check.name << " " << check.device << ": " << check.seen;
    EXPECT_FALSE(check.seen.empty()) << check.name;
    EXPECT_FALSE(check.expected.empty()) << check.name;
  }
  EXPECT_EQ(made.all().size(), 2U * 14 + 2U * 2 + 6);
}

TEST(HealthCheck, EveryRuleIsMadeAndSaysWhatToDo) {
  std::vector<HealthCheck> checks = Made().all();
  // Imported ones are made by their readers.
  checks.push_back(made_check("dcgm_diag", "d0", HealthState::ok, "memory: pass"));
  for (const HealthRule& rule : kHealthRules) {
    EXPECT_TRUE(std::any_of(checks.begin(), checks.end(), [&](const HealthCheck& one) { return one.name == rule.id; }))
        << rule.id;
    EXPECT_FALSE(rule.norm.empty() || rule.source.empty() || rule.command.empty()) << rule.id;
    EXPECT_TRUE(advice_message(rule.id)) << rule.id;
    EXPECT_NE(rule_title(rule.id).code, "as-written") << rule.id;
  }
}

TEST(HealthCheck, BareHostLacksPartsAndIsNotOk) {
  HardwareProfile profile;
  HostReading host;
  host.log_missing = "/dev/kmsg: No such file or directory";
  for (const HealthCheck& check : health_checks(profile, {}, &host, nullptr)) {
    const bool measured = check.name == "host_memory" || check.name == "file_read";
    EXPECT_EQ(check.state, measured ? HealthState::unknown : HealthState::not_present) << check.name;
    EXPECT_FALSE(check.seen.empty()) << check.name;
  }
  profile.health_checks = health_checks(profile, {}, &host, nullptr);
  EXPECT_EQ(profile.health_checks.size(), 8U);
  EXPECT_TRUE(health_findings(profile).empty());
}

TEST(HealthCheck, RunWithoutGpuDoesNotSpeakForTheirDriver) {
  HostReading host = healthy_host();
  host.xids = std::vector<LoggedXid>{{"0000:1b:00", 79, 10.0}};
  for (const HealthCheck& check : health_checks({}, {}, &host, nullptr))
    if (check.name == "kernel_log" || check.name == "fabric_manager") {
      EXPECT_EQ(check.state, HealthState::unknown);
    }
}

TEST(HealthCheck, ReadingsThatAreMissingAreUnknown) {
  Made made;
  made.gpus = {{}, {}};
  for (ProfileDevice& device : made.profile.devices) {
    device.nvlinks = device.pcie_generation_max = device.pcie_width_max = std::nullopt;
    device.ecc.reset();
  }
  for (const char* name : {"nvlinks", "ecc_mode", "persistence_mode", "row_remap_reserve", "pcie_link"})
    EXPECT_EQ(made.state(name), HealthState::unknown) << name;
}

TEST(HealthCheck, LinksOfTheGpuFollowFromTheCatalog) {
  const auto links = [](const char* id) { return nvlinks_of(**find_gpu(embedded_catalog_facts(), id)); };
  EXPECT_EQ(links("v100-sxm2-32gb"), 6);
  EXPECT_EQ(links("a100-sxm4-80gb"), 12);
  EXPECT_EQ(links("h100-sxm5-80gb"), 18);
  EXPECT_EQ(links("h100-nvl-94gb"), 12);
  EXPECT_EQ(links("h200-sxm5-141gb"), 18);
  EXPECT_EQ(links("b200-sxm"), 18);
  EXPECT_EQ(links("gb200"), 18);
  EXPECT_EQ(links("a40"), 4);
  EXPECT_EQ(links("l40s"), 0);
  EXPECT_EQ(links("rubin"), std::nullopt);
}

TEST(HealthCheck, LinkThatIsDownFailsAModule) {
  Made made;
  made.profile.devices[1].nvlinks = 17;
  EXPECT_EQ(made.state("nvlinks", "d0"), HealthState::ok);
  const HealthCheck check = made.of("nvlinks", "d1");
  EXPECT_EQ(check.state, HealthState::failed);
  EXPECT_EQ(check.seen, "17 of 18 NVLinks are up");
  EXPECT_EQ(check.expected, "18 up");
  made.profile.devices[1].nvlinks = 0;
  EXPECT_EQ(made.state("nvlinks", "d1"), HealthState::failed);
}

TEST(HealthCheck, OneGpuAloneMayHaveNoLink) {
  Made made;
  made.profile = machine("h100-sxm5-80gb", 1);
  made.profile.devices[0].nvlinks = 0;
  EXPECT_EQ(made.state("nvlinks"), HealthState::warning);
}

TEST(HealthCheck, CardsMayLackTheirBridge) {
  Made made;
  made.profile = machine("h100-nvl-94gb");
  made.profile.devices[0].nvlinks = 0;
  made.profile.devices[1].nvlinks = 4;
  EXPECT_EQ(made.state("nvlinks", "d0"), HealthState::not_present);
  EXPECT_EQ(made.state("nvlinks", "d1"), HealthState::warning);
  made.profile = machine("l40s");
  EXPECT_EQ(made.state("nvlinks"), HealthState::not_present);
}

TEST(HealthCheck, EccOffFailsStackedMemoryAndWarnsElsewhere) {
  Made made;
  made.profile.devices[0].ecc = false;
  EXPECT_FALSE(made.of("ecc_mode", "d0").advice.empty());
  EXPECT_EQ(made.state("ecc_mode", "d0"), HealthState::failed);
  made.profile = machine("l40s");
  made.profile.devices[0].ecc = false;
  EXPECT_EQ(made.state("ecc_mode", "d0"), HealthState::warning);
  made.profile = machine("rtx-4060");
  made.profile.devices[0].ecc.reset();
  EXPECT_EQ(made.state("ecc_mode", "d0"), HealthState::not_present);
}

TEST(HealthCheck, PersistenceOffWarns) {
  Made made;
  made.gpus[0].persistence = false;
  EXPECT_EQ(made.state("persistence_mode", "d0"), HealthState::warning);
}

TEST(HealthCheck, ReserveOfRowsWarnsAndFailsAfterAFailedRemapping) {
  Made made;
  made.gpus[0].remap_banks = RemapBanks{.max = 600, .partial = 40};
  EXPECT_EQ(made.state("row_remap_reserve", "d0"), HealthState::ok);
  made.gpus[0].remap_banks->low = 1;
  EXPECT_EQ(made.state("row_remap_reserve", "d0"), HealthState::warning);
  made.gpus[0].remap_banks = RemapBanks{.max = 639, .none = 1};
  EXPECT_EQ(made.state("row_remap_reserve", "d0"), HealthState::warning);
  made.profile.health_counters = {{"d0", "remap_failed", 1, 1}};
  EXPECT_EQ(made.state("row_remap_reserve", "d0"), HealthState::failed);
  EXPECT_EQ(made.state("row_remap_reserve", "d1"), HealthState::ok);
  made.profile.devices[1].compute_capability = "7.0";
  made.gpus[1].remap_banks.reset();
  made.gpus[1].memory.remap_failed.reset();
  EXPECT_EQ(made.state("row_remap_reserve", "d1"), HealthState::not_present);
}

TEST(HealthCheck, HostLinkIsListedAndLeftToTheVerdict) {
  Made made;
  made.profile.devices[0].pcie_width = 8;
  const HealthCheck check = made.of("pcie_link", "d0");
  EXPECT_EQ(check.state, HealthState::warning);
  EXPECT_EQ(check.seen, "a PCIe link of 8 lanes (16 are possible)");
  made.profile.health_checks = made.all();
  EXPECT_TRUE(health_findings(made.profile).empty());
  made.profile.devices[0].pcie_generation.reset();
  EXPECT_EQ(made.state("pcie_link", "d0"), HealthState::unknown);
}

TEST(HealthCheck, RegistrationWithTheFabric) {
  Made made;
  made.gpus[1].fabric_state = 2;
  EXPECT_EQ(made.state("fabric_manager"), HealthState::failed);
  made.gpus[1].fabric_state = 1;
  EXPECT_EQ(made.state("fabric_manager"), HealthState::failed);
  made.gpus[1].fabric_state = 3;
  made.gpus[1].fabric_status = 999;
  EXPECT_EQ(made.state("fabric_manager"), HealthState::failed);
  made.gpus[1].fabric_status = 0;
  made.gpus[1].fabric_health = 0x2A2A;  // all bits say false
  EXPECT_EQ(made.state("fabric_manager"), HealthState::ok);
  made.gpus[1].fabric_health = 0x1;
  EXPECT_EQ(made.state("fabric_manager"), HealthState::warning);
  made.gpus[1].fabric_health = 0x10;
  EXPECT_EQ(made.state("fabric_manager"), HealthState::failed);
}

TEST(HealthCheck, FabricManagerThatEndedWarnsAlsoWhereAllAreRegistered) {
  Made made;
  made.host.fabric_manager = false;
  EXPECT_EQ(made.state("fabric_manager"), HealthState::warning);
}

TEST(HealthCheck, FabricOfGpusThatDoNotRegister) {
  Made made;
  for (GpuReading& gpu : made.gpus) gpu.fabric_state = 0;
  EXPECT_EQ(made.state("fabric_manager"), HealthState::ok);
  made.host.fabric_manager = false;
  EXPECT_EQ(made.state("fabric_manager"), HealthState::failed);
  made.host.processes_shown = false;
  EXPECT_EQ(made.state("fabric_manager"), HealthState::unknown);
  made.host.nvswitches = 0;
  EXPECT_EQ(made.state("fabric_manager"), HealthState::not_present);
}

TEST(HealthCheck, ImexBelongsToNvlinkBetweenHosts) {
  Made made;
  EXPECT_EQ(made.state("imex"), HealthState::not_present);
  made.profile = machine("gb200");
  EXPECT_EQ(made.state("imex"), HealthState::warning);
  made.host.imex = true;
  EXPECT_EQ(made.state("imex"), HealthState::warning);
  made.host.imex_channel = true;
  EXPECT_EQ(made.state("imex"), HealthState::ok);
  made.host.imex = made.host.processes_shown = false;
  EXPECT_EQ(made.state("imex"), HealthState::unknown);
}

TEST(HealthCheck, PortsBehindTheirTwinsFail) {
  Made made;
  made.host.ports[1].state = "DOWN";
  made.host.ports[1].physical_state = "Polling";
  EXPECT_EQ(made.state("infiniband_port", "mlx5_0/1"), HealthState::ok);
  EXPECT_EQ(made.state("infiniband_port", "mlx5_1/1"), HealthState::failed);
  // Of another model nobody knows whether it should be up.
  made.host.ports[1].board = "MT_0000000359";
  EXPECT_EQ(made.state("infiniband_port", "mlx5_1/1"), HealthState::warning);
}

TEST(HealthCheck, SecondPortOfACardMayHaveNoCable) {
  Made made;
  made.host.ports.push_back(healthy_port("mlx5_1"));
  made.host.ports[2].port = "2";
  made.host.ports[2].state = "DOWN";
  made.host.ports[2].physical_state = "Disabled";
  EXPECT_EQ(made.state("infiniband_port", "mlx5_1/2"), HealthState::warning);
  EXPECT_EQ(made.state("infiniband_port", "mlx5_1/1"), HealthState::ok);
}

TEST(HealthCheck, PortsThatStartedAndPortsThatAreSlow) {
  Made made;
  made.host.ports[0].state = "INIT";
  EXPECT_EQ(made.state("infiniband_port", "mlx5_0/1"), HealthState::failed);
  made.host.ports[0].state = "ACTIVE";
  made.host.ports[0].rate = "200 Gb/sec (2X NDR)";
  EXPECT_EQ(made.state("infiniband_port", "mlx5_0/1"), HealthState::warning);
  EXPECT_EQ(made.state("infiniband_port", "mlx5_1/1"), HealthState::ok);
  made.host.ports[0].state.clear();
  EXPECT_EQ(made.state("infiniband_port", "mlx5_0/1"), HealthState::unknown);
}

TEST(HealthCheck, ErrorsOfAPortCountFromTheRunOn) {
  Made made;
  HealthCheck check = made.of("infiniband_errors", "mlx5_0/1");
  EXPECT_EQ(check.state, HealthState::ok);
  EXPECT_EQ(check.seen, "none rose; before the run link_downed 1");
  made.host.ports[0].errors_after["symbol_error"] = 120;
  check = made.of("infiniband_errors", "mlx5_0/1");
  EXPECT_EQ(check.state, HealthState::warning);
  EXPECT_EQ(check.seen, "symbol_error +120 (2 a second); before the run link_downed 1");
  made.host.ports[0].errors_after["link_downed"] = 2;
  EXPECT_EQ(made.state("infiniband_errors", "mlx5_0/1"), HealthState::failed);
  made.host.ports[0].errors_after.clear();
  EXPECT_EQ(made.state("infiniband_errors", "mlx5_0/1"), HealthState::unknown);
}

TEST(HealthCheck, PathBetweenCardAndGpu) {
  Made made;
  EXPECT_EQ(made.of("gpudirect_rdma").seen, "DMA-BUF");
  made.host.open_modules = false;
  EXPECT_EQ(made.state("gpudirect_rdma"), HealthState::warning);
  made.host.peer_memory = true;
  EXPECT_EQ(made.state("gpudirect_rdma"), HealthState::ok);
  made.host.peer_memory = false;
  made.host.open_modules = true;
  made.host.dma_buf = false;
  EXPECT_EQ(made.state("gpudirect_rdma"), HealthState::warning);
  made.host.ports.clear();
  EXPECT_EQ(made.state("gpudirect_rdma"), HealthState::not_present);
}

TEST(HealthCheck, XidsBelongToTheGpuOfTheirAddress) {
  Made made;
  made.host.uptime_s = 7300;
  made.host.xids =
      std::vector<LoggedXid>{{"0000:11:00", 31, 10.0}, {"0000:11:00", 31, 100.0}, {"0000:11:00", 13, 7298.0}};
  EXPECT_EQ(made.of("kernel_log", "d1").state, HealthState::ok);
  EXPECT_EQ(made.of("kernel_log", "d1").seen, "Xid 13 2 s before the run, Xid 31 2 times, the last 2 h before the run");
  EXPECT_EQ(made.of("kernel_log", "host").seen, "no Xid of other GPUs");
  made.host.xids = std::vector<LoggedXid>{{"0000:11:00", 31, 10.0}, {"0000:11:00", 94, 100.0}};
  EXPECT_EQ(made.state("kernel_log", "d1"), HealthState::warning);
  made.host.xids->push_back({"0000:11:00", 79, 100.0});
  EXPECT_EQ(made.state("kernel_log", "d1"), HealthState::failed);
  EXPECT_FALSE(made.of("kernel_log", "d1").advice.empty());
  for (const HealthCheck& check : made.all()) EXPECT_FALSE(check.name == "kernel_log" && check.device == "d0");
}

TEST(HealthCheck, XidsOfOtherGpusAndOfUnknownTimesFailNothing) {
  Made made;
  made.host.xids = std::vector<LoggedXid>{{"0000:5e:00", 79, 60.0}};
  EXPECT_EQ(made.state("kernel_log", "host"), HealthState::warning);
  EXPECT_EQ(made.of("kernel_log", "host").seen,
            "Xid 79 of the GPU at 0000:5e:00, which this run did not measure, 60 s after the start of the system");
  made.host.xids = std::vector<LoggedXid>{{"0000:10:00", 79, std::nullopt}};
  EXPECT_EQ(made.state("kernel_log", "d0"), HealthState::warning);
  // Of an earlier start of the system.
  made.host.uptime_s = 30;
  made.host.xids = std::vector<LoggedXid>{{"0000:10:00", 79, 60.0}};
  EXPECT_EQ(made.of("kernel_log", "host").seen, "no Xid");
  made.host.xids.reset();
  made.host.log_missing = "/dev/kmsg: Operation not permitted";
  EXPECT_EQ(made.state("kernel_log"), HealthState::unknown);
  EXPECT_EQ(made.of("kernel_log").seen, "/dev/kmsg: Operation not permitted; root, or CAP_SYSLOG, may read it");
}

TEST(HealthCheck, XidsAreFoundInEveryFormOfALog) {
  const auto text_of = [](std::string_view log) {
    std::string text;
    for (const LoggedXid& one : xids_in(log))
      text += one.gpu + " " + std::to_string(one.xid) +
              (one.after_boot_s ? " " + std::to_string(*one.after_boot_s) : "") + "\n";
    return text;
  };
  EXPECT_EQ(text_of("6,1,22500000,-;NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\n"
                    "Nov 20 10:00:00 node kernel: [  340.250000] NVRM: Xid (PCI:0000:01:00 GPU-I:05): 94, pid=7194\n"
                    "Nov 20 10:00:00 node kernel: NVRM: Xid (0000:01:00): 48, DBE\n"
                    "NVRM: Xid (cut\nNVRM: loading NVIDIA UNIX Open Kernel Module\n"),
            "0000:3b:00 79 22.500000\n0000:01:00 94 340.250000\n0000:01:00 48\n");
  EXPECT_EQ(text_of(""), "");
}

TEST(HealthCheck, XidsOfEarlierStartsOfTheSystemAreForgotten) {
  const auto xids = xids_in(
      "Nov 19 09:00:00 node kernel: [  340.25] NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus\n"
      "Nov 20 10:00:00 node kernel: [    0.00] Linux version 6.8.0-45-generic (buildd@host)\n"
      "Nov 20 10:09:00 node kernel: [  540.00] NVRM: Xid (PCI:0000:3b:00): 31, pid=7\n"
      "Nov 20 10:10:00 node agent: runs on Linux version 6.8\n");
  ASSERT_EQ(xids.size(), 1U);
  EXPECT_EQ(xids[0].xid, 31);
}

TEST(HealthCheck, MemoryOfTheHostMustFeedACopy) {
  Made made;
  ProbeResult copy = sample_product();
  copy.probe = "pcie.h2d";
  copy.size = {};
  copy.counted = {.bytes = 5.5e10 * copy.time_s->median, .flops = 0};
  made.profile.results = {copy};
  EXPECT_EQ(made.state("host_memory"), HealthState::ok);
  EXPECT_EQ(made.of("host_memory").expected, "at least the 55 GB/s of a copy to or from a GPU");
  made.host.memory_bytes_per_s = 5e10;
  EXPECT_EQ(made.state("host_memory"), HealthState::warning);
  made.host.memory_bytes_per_s.reset();
  EXPECT_EQ(made.state("host_memory"), HealthState::unknown);
  copy.probe = "cpu.stream.triad";
  made.profile.results = {copy};
  EXPECT_EQ(made.state("host_memory"), HealthState::unknown);
  EXPECT_EQ(made.of("host_memory").seen,
            "55 GB/s in a triad of all processors; no copy to or from a GPU to compare it with");
}

TEST(HealthCheck, FileThatWasRead) {
  Made made;
  made.host.file->relative_spread = 0.012;
  made.host.file->direct = false;
  EXPECT_EQ(made.of("file_read").seen, "4 GiB at 6 GB/s +- 1.2 %, through the cache of the system");
  made.host.file->broken = "Input/output error";
  EXPECT_EQ(made.state("file_read"), HealthState::failed);
  made.host.file = FileReading{.unreadable = "Permission denied"};
  EXPECT_EQ(made.state("file_read"), HealthState::unknown);
  made.host.file = FileReading{};
  EXPECT_EQ(made.state("file_read"), HealthState::unknown);
  made.host.file.reset();
  EXPECT_EQ(made.state("file_read"), HealthState::unknown);
}

TEST(HealthCheck, OnlyWarningsAndFailuresAreFindings) {
  HardwareProfile profile = sample_profile();
  profile.health_counters.clear();
  profile.health_checks = {{"nvlinks", "d0", HealthState::failed, "17 up", "18 up", "Reseat the module"},
                           {"persistence_mode", "d0", HealthState::warning, "off", "on", ""},
                           {"ecc_mode", "d0", HealthState::ok, "on", "on", ""},
                           {"imex", "host", HealthState::not_present, "no NVLink between hosts", "", ""},
                           {"kernel_log", "host", HealthState::unknown, "/dev/kmsg: Operation not permitted", "", ""}};
  const auto findings = health_findings(profile);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].gravity, HealthGravity::failed);
  EXPECT_EQ(findings[0].message, "nvlinks: 17 up; expected: 18 up. Reseat the module");
  EXPECT_EQ(exit_of(findings[0].gravity), ProbeExit::fault);
  EXPECT_EQ(findings[1].gravity, HealthGravity::warning);
}

TEST(HealthCheck, ProfileKeepsThem) {
  HardwareProfile profile = sample_profile();
  profile.health_checks = Made().all();
  const auto read = read_profile(profile_text(profile));
  ASSERT_TRUE(read) << read.error().front().path << ": " << read.error().front().message;
  ASSERT_EQ(read->profile.health_checks.size(), profile.health_checks.size());
  for (std::size_t i = 0; i < profile.health_checks.size(); ++i) {
    const HealthCheck& kept = read->profile.health_checks[i];
    const HealthCheck& made = profile.health_checks[i];
    EXPECT_EQ(kept.name, made.name);
    EXPECT_EQ(kept.device, made.device);
    EXPECT_EQ(kept.state, made.state);
    EXPECT_EQ(kept.seen, made.seen);
    EXPECT_EQ(kept.expected, made.expected);
  }
  const std::vector<ReadProfile> nodes = {*read};
  const auto merged = merged_profiles(nodes);
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->health_checks.front().device, "n0.d0");
}

TEST(HealthCheck, ProfileOfBeforeHasNone) {
  const auto read = read_profile(profile_text(sample_profile()));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->profile.health_checks.empty());
  EXPECT_FALSE(read_profile(changed_profile(R"({"health_checks":[{"name":"nvlinks","device":"d0","state":"fine"}]})")));
}

}  // namespace
}  // namespace podwright::health_check_test
