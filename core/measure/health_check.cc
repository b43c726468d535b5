#include "measure/health_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "base/append.h"
#include "base/number_text.h"
#include "base/stable_sort.h"
#include "measure/foreign_parts.h"
#include "measure/gpu_state.h"
#include "measure/health.h"
#include "measure/health_rules.h"
#include "measure/health_rules_table.h"

namespace podwright {
namespace {

/// The order in which checks are given.
constexpr std::string_view kOrder[] = {
    "ecc_errors",       "remap_pending", "row_remap_reserve", "retired_pages", "recovery_action", "temperature",
    "clock_reasons",    "clocks",        "power_limit",       "pcie_link",     "nvlinks",         "ecc_mode",
    "persistence_mode", "mig_mode",      "fabric_manager",    "imex",          "infiniband_port", "infiniband_errors",
    "gpudirect_rdma",   "kernel_log",    "host_memory",       "file_read",     "dcgm_diag"};

static_assert(std::size(kOrder) == kHealthRules.size(), "each rule has a place in the order");

/// Of these Azure's check of the kernel's log fails a node (azure_gpu_xid.nhc); 95 is an uncontained memory error.
constexpr int kHardwareXids[] = {48, 56, 57, 58, 62, 63, 64, 65, 68, 69, 73, 74, 79, 80, 81, 92, 95, 119, 120};

constexpr const char* kSilent = "the driver does not say; a newer one may";

template <std::size_t N>
bool is_one_of(int value, const int (&list)[N]) {
  return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

HealthCheck check(std::string_view name, std::string_view device, HealthState state, std::string seen) {
  return made_check(name, device, state, std::move(seen));
}

std::string count_of(double count, const std::string& what) {
  return shortest_number(count) + " " + what + (count == 1 ? "" : "s");
}

// ---- one GPU --------------------------------------------------------------------------------------------------------

const Gpu* gpu_of(const Catalog* catalog, const ProfileDevice& device) {
  if (catalog == nullptr || device.key.empty()) return nullptr;
  const auto found = find_gpu(*catalog, device.key);
  return found ? *found : nullptr;
}

bool is_bridge(const Gpu& gpu) { return gpu.link_name.find("bridge") != std::string::npos; }

HealthCheck check_nvlinks(const ProfileDevice& device, const Gpu* gpu, bool alone) {
  const auto is = [&](HealthState state, std::string seen) { return check("nvlinks", device.id, state, seen); };
  if (!device.mig_slice.empty()) return is(HealthState::not_present, "a slice of a GPU uses no NVLink");
  if (gpu == nullptr) return is(HealthState::unknown, "the catalog does not have this GPU");
  const auto expected = nvlinks_of(*gpu);
  if (expected == 0.0) return is(HealthState::not_present, "this GPU has no NVLink");
  if (!device.nvlinks)
    return is_bridge(*gpu) ? is(HealthState::not_present, "no bridge") : is(HealthState::unknown, kSilent);
  if (!expected) return is(HealthState::unknown, "the catalog does not say how many this GPU has");
  HealthCheck one = is(HealthState::ok, shortest_number(*device.nvlinks) + " up");
  one.expected = shortest_number(*expected) + " up";
  if (*device.nvlinks >= *expected) return one;
  one = made_check("nvlinks", device.id, is_bridge(*gpu) ? HealthState::warning : HealthState::failed,
                   say("health/links-missing", "links"_v = *device.nvlinks, "links_all"_v = *expected));
  one.expected = shortest_number(*expected) + " up";
  if (*device.nvlinks > 0) return one;
  if (is_bridge(*gpu)) return is(HealthState::not_present, "no bridge");
  // A virtual machine with one GPU of a board gets it without its links.
  if (alone) one.state = HealthState::warning;
  return one;
}

HealthCheck check_ecc(const ProfileDevice& device, const GpuReading& reading, const Gpu* gpu) {
  const auto is = [&](HealthState state, const auto& says) { return made_check("ecc_mode", device.id, state, says); };
  const bool stacked = gpu != nullptr && gpu->memory_type.rfind("HBM", 0) == 0;
  if (device.ecc && reading.ecc_next && *device.ecc != *reading.ecc_next)
    return is(HealthState::warning, say("health/mode-waits"));
  if (device.ecc)
    return *device.ecc ? is(HealthState::ok, say("health/mode-on"))
                       : is(stacked ? HealthState::failed : HealthState::warning, say("health/ecc-off"));
  return stacked || gpu == nullptr ? is(HealthState::unknown, kSilent)
                                   : is(HealthState::not_present, "the driver names no mode for this board");
}

HealthCheck check_persistence(const ProfileDevice& device, const GpuReading& reading) {
  const auto is = [&](HealthState state, const auto& says) {
    return made_check("persistence_mode", device.id, state, says);
  };
  if (!reading.persistence) return is(HealthState::unknown, kSilent);
  return *reading.persistence ? is(HealthState::ok, say("health/mode-on"))
                              : is(HealthState::warning, say("health/persistence-off"));
}

HealthCheck check_remap(const HardwareProfile& profile, const ProfileDevice& device, const GpuReading& reading) {
  const auto is = [&](HealthState state, const auto& says) {
    return made_check("row_remap_reserve", device.id, state, says);
  };
  for (const HealthCounter& counter : profile.health_counters)
    if (counter.device == device.id && counter.name == "remap_failed" && counter.after > 0)
      return is(HealthState::failed, say("health/remap-failed"));
  if (reading.memory.remap_failed == true) return is(HealthState::failed, say("health/remap-failed"));
  if (!reading.remap_banks && reading.memory.remap_failed)
    return is(HealthState::ok, say("health/rows-remapped", "rows"_v = reading.memory.remapped_rows.value_or(0)));
  if (!reading.remap_banks) {
    const auto capability = number_of_text(device.compute_capability);
    return capability && *capability < 8 ? is(HealthState::not_present, "GPUs before Ampere retire pages instead")
                                         : is(HealthState::unknown, kSilent);
  }
  const RemapBanks& banks = *reading.remap_banks;
  const std::string seen = count_of(banks.max, "bank") + " with all spare rows, " + shortest_number(banks.high) +
                           " with many, " + shortest_number(banks.partial) + " with some, " +
                           shortest_number(banks.low) + " with few, " + shortest_number(banks.none) + " with none";
  if (banks.none + banks.low > 0)
    return is(HealthState::warning, say("health/remap-banks", "banks"_v = banks.none + banks.low));
  return is(HealthState::ok, seen);
}

// ---- services -------------------------------------------------------------------------------------------------------

/// Bits of NVML_GPU_FABRIC_HEALTH_MASK: two for each, 1 is true.
bool is_set(double mask, unsigned shift) { return ((static_cast<unsigned>(mask) >> shift) & 3U) == 1; }
constexpr unsigned kDegradedBandwidth = 0;
constexpr unsigned kRouteUnhealthy = 4;

/// What the GPUs' registration says; absent where the driver knows of none.
std::optional<HealthCheck> check_registration(const std::vector<const ProfileDevice*>& devices,
                                              const std::vector<const GpuReading*>& gpus) {
  int registered = 0;
  const auto is = [&](HealthState state, const std::string& seen) {
    return check("fabric_manager", "host", state, seen);
  };
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const double state = gpus[i]->fabric_state.value_or(0);
    const std::string& id = devices[i]->id;
    if (state == 1) return is(HealthState::failed, "the registration of " + id + " has not started");
    if (state == 2) return is(HealthState::failed, "the registration of " + id + " is still in progress");
    if (state != 3) continue;
    if (const double error = gpus[i]->fabric_status.value_or(0); error != 0)
      return is(HealthState::failed,
                "the registration of " + id + " ended with NVML's error " + shortest_number(error));
    const double health = gpus[i]->fabric_health.value_or(0);
    if (is_set(health, kRouteUnhealthy)) return is(HealthState::failed, "a route of " + id + " is unhealthy");
    if (is_set(health, kDegradedBandwidth)) return is(HealthState::warning, "the bandwidth of " + id + " is degraded");
    ++registered;
  }
  if (registered == 0) return std::nullopt;
  return is(HealthState::ok, count_of(registered, "GPU") + " registered");
}

HealthCheck check_fabric(const HostReading& host, const std::optional<HealthCheck>& registration, bool alone) {
  const auto is = [&](HealthState state, const std::string& seen) {
    return check("fabric_manager", "host", state, seen);
  };
  const bool missing = host.nvswitches > 0 && host.processes_shown && !host.fabric_manager;
  if (registration && registration->state == HealthState::ok && missing)
    return is(HealthState::warning, registration->seen + ", but nv-fabricmanager does not run any more");
  // A machine that was given one GPU needs no fabric; the programs that run on it prove that.
  if (registration && registration->state == HealthState::failed && host.nvswitches == 0 && alone)
    return is(HealthState::warning, registration->seen);
  if (registration) return *registration;
  if (host.nvswitches == 0) return is(HealthState::not_present, "no NVSwitch");
  if (host.fabric_manager) return is(HealthState::ok, "nv-fabricmanager runs");
  return missing ? is(HealthState::failed, "nv-fabricmanager does not run")
                 : is(HealthState::unknown, "a container does not show the host's services; run on the host itself");
}

HealthCheck check_imex(const HostReading& host, bool spans_hosts) {
  const auto is = [&](HealthState state, const char* seen) { return check("imex", "host", state, seen); };
  if (host.imex) {
    return host.imex_channel ? is(HealthState::ok, "nvidia-imex runs, with a channel")
                             : is(HealthState::warning, "nvidia-imex runs, but there is no channel");
  }
  if (!spans_hosts && !host.imex_channel) return is(HealthState::not_present, "no NVLink between hosts");
  if (host.processes_shown) return is(HealthState::warning, "nvidia-imex does not run");
  return is(HealthState::unknown,
            host.imex_channel ? "a channel is there; a container does not show the service, run on the host itself"
                              : "a container does not show the service; run on the host itself");
}

// ---- network --------------------------------------------------------------------------------------------------------

double rate_of(const PortReading& port) { return std::strtod(port.rate.c_str(), nullptr); }

bool is_active(const PortReading& port) { return port.state == "ACTIVE" && port.physical_state == "LinkUp"; }

HealthCheck check_port(const PortReading& port, const std::vector<PortReading>& ports) {
  HealthCheck one = check("infiniband_port", port.card + "/" + port.port, HealthState::ok,
                          port.state + ", " + port.physical_state + (port.rate.empty() ? "" : ", " + port.rate));
  if (port.state.empty()) {
    one.state = HealthState::unknown;
    one.seen = "its state cannot be read";
    return one;
  }
  double most = 0;
  bool twin_active = false;  // another card of this model
  bool card_active = false;
  for (const PortReading& other : ports) {
    if (!is_active(other)) continue;
    card_active = card_active || other.card == port.card;
    if (other.board != port.board || other.layer != port.layer) continue;
    most = std::max(most, rate_of(other));
    twin_active = twin_active || other.card != port.card;
  }
  if (is_active(port)) {
    if (rate_of(port) < most) one.state = HealthState::warning;
    if (most > 0) one.expected += ": " + shortest_number(most) + " Gb/sec";
    return one;
  }
  // A second port, or a card without a cable, is usual; a card that stays behind its twins, or a link that is up and
  // carries nothing, is not.
  const bool started = port.state == "INIT" || port.state == "ARMED" || port.physical_state == "LinkErrorRecovery";
  one.state = started || (twin_active && !card_active) ? HealthState::failed : HealthState::warning;
  return one;
}

HealthCheck check_errors(const PortReading& port, const ProfileRun& run) {
  HealthCheck one = check("infiniband_errors", port.card + "/" + port.port, HealthState::ok, "");
  if (port.errors_before.empty() || port.errors_after.empty()) {
    one.state = HealthState::unknown;
    one.seen = "the counters cannot be read";
    return one;
  }
  std::string before;
  for (const auto& [name, after] : port.errors_after) {
    const auto found = port.errors_before.find(name);
    const double old = found == port.errors_before.end() ? after : found->second;
    if (old > 0) before += (before.empty() ? "" : ", ") + name + " " + shortest_number(old);
    if (after <= old) continue;
    const bool grave = name == "link_downed" || name == "link_error_recovery";
    one.state = grave || one.state == HealthState::failed ? HealthState::failed : HealthState::warning;
    one.seen += (one.seen.empty() ? "" : ", ") + name + " +" + shortest_number(after - old);
    if (run.duration_s.value_or(0) > 0)
      one.seen += " (" + human_number((after - old) / *run.duration_s, 3) + " a second)";
  }
  one.seen = (one.seen.empty() ? "none rose" : one.seen) + (before.empty() ? "" : "; before the run " + before);
  return one;
}

HealthCheck check_rdma(const HostReading& host) {
  const auto is = [&](HealthState state, const char* seen) { return check("gpudirect_rdma", "host", state, seen); };
  if (host.ports.empty()) return is(HealthState::not_present, "no RDMA card");
  if (host.peer_memory) return is(HealthState::ok, "peer memory module");
  if (host.dma_buf && host.open_modules) return is(HealthState::ok, "DMA-BUF");
  return is(HealthState::warning, host.open_modules
                                      ? "no peer memory module, and the kernel is older than 5.12"
                                      : "no peer memory module, and the driver's modules are not the open ones");
}

// ---- host -----------------------------------------------------------------------------------------------------------

/// Seconds after the start of the system of a message that begins at `text`: "6,1,22000000,-;NVRM: Xid" of /dev/kmsg,
/// "kernel: [   22.000000] NVRM: Xid" of a file.
std::optional<double> logged_at(std::string_view line, std::size_t text) {
  const std::string_view before = line.substr(0, text);
  if (before.ends_with(';')) {
    const std::size_t first = before.find(',', before.find(',') + 1) + 1;
    const auto microseconds = number_of_text(before.substr(first, before.find(',', first) - first));
    return microseconds ? std::optional(1e-6 * *microseconds) : std::nullopt;
  }
  if (!before.ends_with("] ")) return std::nullopt;
  const std::size_t open = before.rfind('[') + 1;
  return number_of_text(trimmed(before.substr(open, before.size() - 2 - open)));
}

/// Domain, bus and device: NVML writes "00000000:3B:00.0", CUDA "0000:3B:00.0", the kernel "0000:3b:00".
std::array<unsigned long, 3> bus_address(const std::string& text) {
  std::array<unsigned long, 3> address{};
  const char* at = text.c_str();
  for (unsigned long& part : address) {
    char* end = nullptr;
    part = std::strtoul(at, &end, 16);
    at = *end == ':' ? end + 1 : end;
  }
  return address;
}

std::string when_text(const LoggedXid& xid, const std::optional<double>& uptime_s) {
  if (!xid.after_boot_s) return "at a time that the log does not give";
  const double seconds = uptime_s ? *uptime_s - *xid.after_boot_s : *xid.after_boot_s;
  const std::string time = seconds < 120    ? human_number(seconds, 2) + " s"
                           : seconds < 7200 ? human_number(seconds / 60, 2) + " min"
                                            : human_number(seconds / 3600, 2) + " h";
  return time + (uptime_s ? " before the run" : " after the start of the system");
}

/// Of each GPU of the run that has Xids, and of the host: of GPUs that the run did not measure nothing fails it, nor
/// does what may be of an earlier start of the system.
void check_log(const HostReading& host, const std::vector<const ProfileDevice*>& devices,
               std::vector<HealthCheck>& checks) {
  if (!host.xids) {
    checks.push_back(
        check("kernel_log", "host", HealthState::unknown, host.log_missing + "; root, or CAP_SYSLOG, may read it"));
    return;
  }
  std::map<std::pair<std::string, int>, std::vector<LoggedXid>> of_gpu;
  for (const LoggedXid& xid : *host.xids)
    if (!host.uptime_s || xid.after_boot_s.value_or(0) <= *host.uptime_s) of_gpu[{xid.gpu, xid.xid}].push_back(xid);
  std::map<std::string, HealthCheck> rows;
  for (const auto& [key, xids] : of_gpu) {
    // No structured binding: clang 14 lets no lambda hold one.
    const std::string& gpu = key.first;
    const int number = key.second;
    const auto device = std::find_if(devices.begin(), devices.end(), [&](const ProfileDevice* one) {
      return !one->pci_bus_id.empty() && bus_address(one->pci_bus_id) == bus_address(gpu);
    });
    const bool measured = device != devices.end();
    const std::string id = measured ? (*device)->id : "host";
    HealthCheck& row = rows.try_emplace(id, check("kernel_log", id, HealthState::ok, "")).first->second;
    row.seen += (row.seen.empty() ? "Xid " : ", Xid ") + std::to_string(number) +
                (measured ? " " : " of the GPU at " + gpu + ", which this run did not measure, ") +
                (xids.size() > 1 ? std::to_string(xids.size()) + " times, the last " : "") +
                when_text(xids.back(), host.uptime_s);
    const bool fails = measured && xids.back().after_boot_s && is_one_of(number, kHardwareXids);
    if (!is_of_programs(number)) row.state = std::max(row.state, fails ? HealthState::failed : HealthState::warning);
  }
  if (rows.count("host") == 0)
    checks.push_back(check("kernel_log", "host", HealthState::ok, rows.empty() ? "no Xid" : "no Xid of other GPUs"));
  for (auto& [id, row] : rows) checks.push_back(std::move(row));
}

std::string gb_per_s_text(double rate) { return human_number(rate / 1e9) + " GB/s"; }

HealthCheck check_memory(const HardwareProfile& profile, const std::optional<double>& measured) {
  double rate = measured.value_or(0);
  double copy = 0;
  for (const ProbeResult& result : profile.results) {
    if (!result.usable() || !result.bytes_per_s()) continue;
    if (result.probe == "cpu.stream.triad") rate = std::max(rate, *result.bytes_per_s());
    if (result.probe == "pcie.h2d" || result.probe == "pcie.d2h") copy = std::max(copy, *result.bytes_per_s());
  }
  HealthCheck one =
      check("host_memory", "host", HealthState::ok, gb_per_s_text(rate) + " in a triad of all processors");
  if (copy > 0) one.expected = "at least the " + gb_per_s_text(copy) + " of a copy to or from a GPU";
  if (rate < copy) one.state = HealthState::warning;
  if (rate > 0 && copy > 0) return one;
  one.state = HealthState::unknown;
  if (rate > 0) one.seen += "; no copy to or from a GPU to compare it with";
  if (rate > 0) return one;
  one.seen = "not measured; podwright probe --standard and --backend cpu do";
  return one;
}

HealthCheck check_file(const std::optional<FileReading>& file) {
  const auto is = [&](HealthState state, const std::string& seen) { return check("file_read", "host", state, seen); };
  if (!file) return is(HealthState::unknown, "no file was named; --read-file PATH reads one");
  if (!file->unreadable.empty()) return is(HealthState::unknown, "the file cannot be opened: " + file->unreadable);
  std::string seen = human_number(file->bytes / (1024.0 * 1024.0 * 1024.0)) + " GiB";
  if (file->bytes_per_s) seen += " at " + gb_per_s_text(*file->bytes_per_s);
  if (file->relative_spread) seen += " +- " + percent_text(*file->relative_spread, 2);
  if (!file->direct) seen += ", through the cache of the system";
  if (!file->broken.empty()) return is(HealthState::failed, "reading ended after " + seen + ": " + file->broken);
  return file->bytes_per_s ? is(HealthState::ok, seen) : is(HealthState::unknown, "the file is empty");
}

/// Checks that ask for a GPU's driver, of a host whose run measured no GPU.
HealthCheck without_gpu(const char* name, const HostReading& host) {
  return host.nvidia_driver ? check(name, "host", HealthState::unknown, "this run opened no GPU; --backend cuda does")
                            : check(name, "host", HealthState::not_present, "no NVIDIA driver");
}

void check_host(const HardwareProfile& profile, const HostReading& host, std::vector<HealthCheck>& checks) {
  if (host.ports.empty())
    for (const char* name : {"infiniband_port", "infiniband_errors"})
      checks.push_back(check(name, "host", HealthState::not_present, "no RDMA card"));
  for (const PortReading& port : host.ports) {
    checks.push_back(check_port(port, host.ports));
    checks.push_back(check_errors(port, profile.run));
  }
  checks.push_back(check_memory(profile, host.memory_bytes_per_s));
  checks.push_back(check_file(host.file));
}

std::ptrdiff_t place_of(const HealthCheck& check) {
  return std::find(std::begin(kOrder), std::end(kOrder), check.name) - std::begin(kOrder);
}

}  // namespace

std::optional<double> nvlinks_of(const Gpu& gpu) {
  constexpr std::string_view kName = "NVLink ";
  if (!gpu.link_bandwidth_one_way || gpu.link_name.rfind(kName, 0) != 0)
    return gpu.link_name.empty() ? std::nullopt : std::optional<double>(0);
  // One way, by generation: NVIDIA's papers on P100, V100, A100, H100 and Blackwell. Those of GA10x (A40, RTX A6000)
  // are narrower than those of the A100: paper on GA102.
  constexpr double kOneLink[] = {20e9, 25e9, 25e9, 25e9, 50e9};
  constexpr double kNarrowLink = 14.0625e9;
  const int generation = gpu.link_name[kName.size()] - '0';
  if (generation < 1 || generation > static_cast<int>(std::size(kOneLink))) return std::nullopt;
  for (const double rate : {kOneLink[generation - 1], kNarrowLink}) {
    const double links = raw(*gpu.link_bandwidth_one_way) / rate;
    const double whole = std::floor(links + 0.5);
    if (whole >= 1 && std::fabs(links - whole) < 1e-6) return whole;
  }
  return std::nullopt;
}

std::vector<LoggedXid> xids_in(std::string_view log) {
  // "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, ..."
  constexpr std::string_view kBegin = "NVRM: Xid (";
  constexpr std::string_view kStart = "Linux version ";
  std::vector<LoggedXid> found;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::string_view line = log.substr(begin, log.find('\n', begin) - begin);
    begin += line.size() + 1;
    if (const std::size_t start = line.find(kStart); start != std::string_view::npos && logged_at(line, start))
      found.clear();
    const std::size_t at = line.find(kBegin);
    const std::size_t number = line.find("): ", at);
    if (at == std::string_view::npos || number == std::string_view::npos) continue;
    LoggedXid one;
    std::string_view address = line.substr(at + kBegin.size(), number - at - kBegin.size());
    if (address.starts_with("PCI:")) address.remove_prefix(4);
    one.gpu = address.substr(0, address.find(' '));
    one.xid = std::atoi(std::string(line.substr(number + 3, 6)).c_str());
    one.after_boot_s = logged_at(line, at);
    if (one.xid > 0) found.push_back(std::move(one));
  }
  return found;
}

std::vector<HealthCheck> health_checks(const HardwareProfile& profile, std::span<const GpuReading> gpus,
                                       const HostReading* host, const Catalog* catalog) {
  std::vector<HealthCheck> checks;
  std::vector<const ProfileDevice*> devices;
  std::vector<const GpuReading*> readings;
  bool spans_hosts = false;
  for (std::size_t i = 0; i < profile.devices.size() && i < gpus.size(); ++i) {
    const ProfileDevice& device = profile.devices[i];
    if (device.kind != "gpu" || !gpus[i].was_read) continue;
    const Gpu* gpu = gpu_of(catalog, device);
    checks.push_back(check_nvlinks(device, gpu, profile.devices.size() == 1));
    checks.push_back(check_ecc(device, gpus[i], gpu));
    checks.push_back(check_persistence(device, gpus[i]));
    checks.push_back(check_remap(profile, device, gpus[i]));
    append(checks, gpu_state_checks(profile, device, gpus[i]));
    devices.push_back(&device);
    readings.push_back(&gpus[i]);
    constexpr double kMostOfOneHost = 16;
    spans_hosts = spans_hosts || (gpu != nullptr && gpu->link_domain_gpus.value_or(0) > kMostOfOneHost);
  }
  const auto registration = check_registration(devices, readings);
  if (host == nullptr) {
    if (registration) checks.push_back(*registration);
  } else {
    check_host(profile, *host, checks);
    if (devices.empty()) {
      for (const char* name : {"fabric_manager", "imex", "gpudirect_rdma", "kernel_log"})
        checks.push_back(without_gpu(name, *host));
    } else {
      checks.push_back(check_fabric(*host, registration, devices.size() == 1));
      checks.push_back(check_imex(*host, spans_hosts));
      checks.push_back(check_rdma(*host));
      check_log(*host, devices, checks);
    }
  }
  sort_stably(checks, [](const HealthCheck& a, const HealthCheck& b) { return place_of(a) < place_of(b); });
  const bool imported = profile.run.mode == RunMode::imported;
  for (HealthCheck& one : checks) {
    if (one.state == HealthState::warning || one.state == HealthState::failed)
      one.advice = advice_message(one.name)->text();
    if (imported && one.seen == kSilent) one = made_check(one.name, one.device, one.state, say("health/not-in-log"));
  }
  return checks;
}

}  // namespace podwright
