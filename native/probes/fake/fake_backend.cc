/// Devices whose behaviour is written in a script: every fault of a machine, on demand and without one.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "probes/backends.h"
#include "probes/fake/script.h"
#include "probes/nccl_group.h"

namespace podwright::probes {
namespace {

using fake::Script;

constexpr double kNoise = 0.004;
constexpr double kClockTick = 5e-7;  // of the imagined clock, as CUDA events say
constexpr double kCold = 30;         // degrees
constexpr double kWarm = 50;
constexpr double kColdStart = 0.08;  // that the first batches of a cold device take longer

// What the devices act like: an H100 SXM5 as published tables report it, with efficiencies in the middle of what the
// norms of catalog/probe_norms.csv call healthy.
constexpr double kMemoryBytes = 79.19 * (1ULL << 30U);
constexpr double kCacheBytes = 50.0 * (1U << 20U);
constexpr double kBytesPerSecond = 3.352e12;  ///< of memory, by bus and clock
constexpr double kClockHz = 1.98e9;
constexpr double kPcieGeneration = 5;

constexpr double kRest = 0.1;  // of one operation that does nothing

/// A product reads and writes each of its values once, two bytes each.
double product_bytes(double m, double n, double k) { return 2 * (m * k + k * n + m * n); }

double flops_of(const PwCase& one) {
  return 2 * static_cast<double>(one.m) * static_cast<double>(one.n) * static_cast<double>(one.k);
}

double arrays_of(const std::string& probe) {
  if (probe.ends_with(".triad")) return 3;
  return probe == "hbm.copy" || probe == "hbm.d2d_ce" || probe == "pcie.bidir" ? 2 : 1;
}

bool begins(const std::string& text, const char* part) { return text.rfind(part, 0) == 0; }

double peak(const std::string& dtype) {
  if (dtype == "fp8" || dtype == "int8") return 1978.9e12;
  if (dtype == "tf32") return 494.7e12;
  return dtype == "fp32" ? 66.9e12 : 989.4e12;
}

double operands(const PwCase& one) {
  return product_bytes(static_cast<double>(one.m), static_cast<double>(one.n), static_cast<double>(one.k));
}

double product(const PwCase& one) {
  const bool narrow = peak(one.dtype) > 1e15;
  return 3e-6 + std::max(flops_of(one) / ((narrow ? 0.68 : 0.8) * peak(one.dtype)),
                         (narrow ? 0.5 : 1.0) * operands(one) / (0.88 * kBytesPerSecond));
}

double collective(double bytes) { return 18e-6 + 1.75 * bytes / 460e9; }

/// Over the cache of each sequence, or over half of all pairs of one prompt's tokens.
double attention(const PwCase& one) {
  const auto context = static_cast<double>(one.context);
  const double width = static_cast<double>(one.m * one.k);
  if (one.batch == 0) return 6e-6 + 2 * context * context * width / (0.5 * peak(one.dtype));
  const double bytes_each = peak(one.dtype) > 1e15 ? 1 : 2;
  return 4e-6 + static_cast<double>(one.batch) * context * 2 * bytes_each * static_cast<double>(one.n * one.k) /
                    (0.8 * kBytesPerSecond);
}

/// Of one operation, without noise. `hidden`: share of the shorter of a product and an all-reduce that both at once
/// hide.
double seconds_of(const PwCase& one, double hidden) {
  const std::string probe = one.probe;
  const double bytes = arrays_of(probe) * static_cast<double>(std::max<std::int64_t>(0, one.bytes));
  if (probe == "idle") return kRest;
  if (begins(probe, "launch.")) return probe == "launch.stream" ? 2.2e-6 : 1.2e-6;
  if (begins(probe, "lat.") || probe == "host.sync" || probe == "pcie.lat") return 6e-7;
  if (begins(probe, "pcie.")) return 8e-6 + bytes / 55e9;
  if (begins(probe, "p2p.")) return 5e-6 + bytes / 390e9;
  if (begins(probe, "coll.")) return collective(bytes);
  if (begins(probe, "l2.") || (begins(probe, "hbm.") && bytes < 0.8 * kCacheBytes)) return 2e-6 + bytes / 5.5e12;
  if (begins(probe, "decode.weights")) return 2e-6 + bytes / (0.88 * kBytesPerSecond);
  if (begins(probe, "gemm.")) return product(one);
  if (begins(probe, "overlap")) {
    const double a = one.m > 0 ? product(one) : 0;
    const double b = one.bytes > 0 ? collective(bytes) : 0;
    return a + b - hidden * std::min(a, b);
  }
  if (begins(probe, "decode.attn") || probe == "prefill.attn") return attention(one);
  const double wide = begins(probe, "cpu.gemm.f32") ? 2 : 1;  // four bytes each
  const double memory = std::max(bytes, one.m > 0 ? wide * operands(one) : 0.0) / (0.91 * kBytesPerSecond);
  return 3e-6 + std::max(memory, one.m > 0 ? flops_of(one) / (0.7 * peak(one.dtype)) : 0.0);
}

struct Session {
  Script script;
  int device = 0;
  std::string probe = "";
  double operation_s = 0;
  std::uint64_t draws = 0;
  double looks = 0;  ///< at the telemetry
  std::vector<char> memory = {};
  std::unique_ptr<NcclGroup> group = nullptr;
  std::chrono::steady_clock::time_point opened = std::chrono::steady_clock::now();
};

constexpr double kPowerBusy = 300;
constexpr double kPowerIdle = 80;

Session& session_of(void* session) { return *static_cast<Session*>(session); }

Script environment_script() {
  const char* text = std::getenv("PODWRIGHT_FAKE");
  return Script(text == nullptr ? "" : text);
}

int count(int* devices, PwFault* fault) {
  const Script script = environment_script();
  *devices = 0;
  for (const auto& [step, reason] :
       {std::pair{"no_driver", "no_driver"}, {"too_old", "driver_too_old"}, {"no_device", "no_device"}})
    if (script.has(step, "")) {
      set_fault(*fault, reason, "the script says so");
      return PW_FAULT;
    }
  *devices = static_cast<int>(script.number("devices", "", 1));
  return PW_OK;
}

/// As a driver does, it counts this process too where that has opened the device, and gives the work of the last
/// second.
std::atomic<bool> opened_by_us{false};

void neighbours(int, PwFact take, void* sink) {
  const Script script = environment_script();
  take(sink, "other_processes", nullptr, script.number("others", "", 0) + (opened_by_us ? 1 : 0));
  take(sink, "idle_utilization", nullptr, opened_by_us ? 1.0 : script.has("busy", "") ? 0.3 : 0.0);
}

int open(int device, void** session, PwFault*) {
  opened_by_us = true;
  *session = new Session{.script = environment_script(), .device = device};
  return PW_OK;
}

void inventory(void* session, PwFact take, void* sink) {
  const Script& script = session_of(session).script;
  std::string driver = "1.0";
  script.has("driver", "", &driver);
  take(sink, "name", "NVIDIA H100 80GB HBM3", 0);
  take(sink, "compute_capability", "9.0", 0);
  if (script.has("bus", ""))
    take(sink, "pci_bus_id", ("0000:" + std::to_string(10 + session_of(session).device) + ":00.0").c_str(), 0);
  for (const auto& [key, value] : {std::pair("compute_capability_number", 9.0),
                                   {"memory_total_bytes", kMemoryBytes},
                                   {"l2_bytes", kCacheBytes},
                                   {"driver_bytes_per_s", kBytesPerSecond},
                                   {"sm_count", 132},
                                   {"remap_banks_max", 640},
                                   {"power_limit_default_w", 700},
                                   {"pcie_generation_max", kPcieGeneration},
                                   {"pcie_width_max", 16}})
    take(sink, key, nullptr, value);
  for (const auto& [key, step, usual] :
       {std::tuple("persistence_mode", "persistence", 1.0), std::tuple("ecc", "ecc", 1.0),
        std::tuple("fabric_state", "fabric", 3.0), std::tuple("remap_banks_none", "remap_none", 0.0),
        std::tuple("nvlinks", "nvlinks", 18.0)})
    take(sink, key, nullptr, script.number(step, "", usual));
  if (script.has("cold", "")) take(sink, "temperature_c", nullptr, kCold);
  if (script.has("cools", "")) take(sink, "temperature_c", nullptr, kWarm - 10);
  take(sink, "driver", ("scripted " + driver).c_str(), 0);
  take(sink, "cublaslt", "scripted", 0);
  if (std::string library; script.has("library", "", &library)) take(sink, "nccl", library.c_str(), 0);
}

int supported(void* session, const PwCase* one, PwFault* fault) {
  if (one->ranks == 0 && std::strncmp(one->probe, "coll.", 5) != 0) return PW_OK;
  if (one->ranks < 2) {
    set_fault(*fault, "one_device", "a collective needs a second device");
    return PW_SKIP;
  }
  std::string refused;
  if (session_of(session).script.has("no_variant", one->probe, &refused) && refused == one->variant) {
    set_fault(*fault, "not_supported", "the script has no " + refused);
    return PW_SKIP;
  }
  if (!session_of(session).script.has("library_missing", one->probe)) return PW_OK;
  set_fault(*fault, "library_missing", "the script hides the library");
  return PW_SKIP;
}

int prepare(void* session, const PwCase* one, PwPrepared* prepared, PwFault* fault) {
  Session& self = session_of(session);
  self.probe = one->probe;
  const double most = self.script.number("oom_above", self.probe, 1e300);
  if (self.script.has("oom", self.probe) || static_cast<double>(one->bytes) > most) {
    set_fault(*fault, "oom", "the script refuses the memory");
    return PW_SKIP;
  }
  double slow = self.script.number("slow", self.probe, 1);
  if (std::strcmp(one->variant, "zeros") == 0) slow /= self.script.number("zeros", self.probe, 1);
  std::string of_one;
  if (self.script.has("slow_device", self.probe, &of_one)) {
    const std::size_t colon = of_one.find(':');
    if (colon != std::string::npos && std::atoi(of_one.c_str()) == self.device)
      slow *= std::strtod(of_one.c_str() + colon + 1, nullptr);
  }
  const double seconds = seconds_of(*one, self.script.number("hidden", self.probe, 0.5));
  self.operation_s = slow * seconds * (self.script.has("above_roof", self.probe) ? 0.1 : 1.0);
  *prepared = {};
  std::strcpy(prepared->algorithm, "scripted");
  return PW_OK;
}

int batch(void* session, std::int64_t count, PwBatch* batch, PwFault* fault) {
  Session& self = session_of(session);
  if (self.script.has("hang", self.probe))
    while (true) pause();
  if (self.script.has("crash", self.probe)) std::abort();
  if (self.script.has("sticky", self.probe)) {
    set_fault(*fault, "device_fault", "an illegal address, as the script says");
    return PW_STICKY;
  }
  if (std::string code; self.script.has("nccl", self.probe, &code)) {
    set_fault(*fault, "nccl:" + code, "the library fails, as the script says");
    return PW_RENEW;
  }
  if (self.script.has("gate", self.probe)) {
    set_fault(*fault, "hang", "the gate did not open within 2 s, as the script says");
    return PW_FAULT;
  }
  const random::Stream draws(static_cast<std::uint64_t>(self.script.number("seed", "", 1)),
                             static_cast<std::uint64_t>(self.device));
  double noise = 1.0 + self.script.number("noise", self.probe, kNoise) * (2.0 * draws.uniform(self.draws++) - 1.0);
  if (self.script.has("cold", "") && self.draws < 4) noise *= 1 + kColdStart;
  double seconds = static_cast<double>(count) * self.operation_s * noise;
  seconds = kClockTick * std::max(1.0, std::round(seconds / kClockTick));
  if (self.script.has("quantised", self.probe)) seconds = 8e-3 * std::max(1.0, std::ceil(seconds / 8e-3));
  if (const double pace = self.script.number("pace", self.probe, 0); pace > 0)
    std::this_thread::sleep_for(std::chrono::duration<double>(pace));
  *batch = {};
  batch->seconds = seconds;
  batch->wall_seconds = seconds * 1.02;
  batch->clock_hz = self.script.has("no_clock", self.probe) ? 0 : self.script.number("clock", self.probe, kClockHz);
  batch->entry_wait_s = self.group != nullptr ? self.script.number("wait", self.probe, 1e-6) : 0;
  return PW_OK;
}

int verify(void* session, PwCheck* check, PwFault*) {
  Session& self = session_of(session);
  *check = {};
  check->status = PW_CHECK_PASS;
  check->tolerance = 1e-3;
  check->checked = 256;
  if (self.probe == "mem.capacity")
    check->checked = static_cast<std::uint64_t>(self.script.number("capacity", "", 0.985) * kMemoryBytes);
  if (self.script.has("wrong", self.probe)) {
    check->status = PW_CHECK_FAIL;
    check->worst = 1;
    std::strcpy(check->note, "wrong, as the script says");
  }
  if (self.script.has("nan", self.probe)) {
    check->status = PW_CHECK_FAIL;
    check->nan_count = 3;
  }
  return PW_OK;
}

void telemetry(void* session, PwTelemetry* telemetry) {
  Session& self = session_of(session);
  *telemetry = {};
  if (self.script.has("no_telemetry", self.probe)) return;
  if (!self.script.has("no_clock", self.probe)) telemetry->clock_hz = self.script.number("clock", self.probe, kClockHz);
  telemetry->temperature_c = self.script.has("cold", "") ? kCold : kWarm;
  // One degree from look to look, from the moment that a process opens the device.
  if (self.script.has("cools", "")) telemetry->temperature_c = std::max(kWarm - 10, kWarm - self.looks++);
  const double power = self.probe == "idle" ? kPowerIdle : kPowerBusy;
  telemetry->power_w = power;
  if (!self.script.has("no_energy", self.probe)) {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - self.opened;
    telemetry->energy_j = 1e4 + power * since.count();
  }
  telemetry->memory_temperature_c = 65;
  telemetry->pcie_generation = self.script.number("pcie_generation", "", kPcieGeneration);
  telemetry->pcie_width = self.script.number("pcie_width", "", 16);
  telemetry->reasons = static_cast<std::uint64_t>(self.script.number("throttle", self.probe, 0));
}

/// Counters stand at 5 until a probe of the script raises one.
void health(void* session, PwFact take, void* sink) {
  Session& self = session_of(session);
  std::string rise;
  const bool rises = !self.probe.empty() && self.script.has("rise", self.probe, &rise);
  const std::size_t colon = rise.find(':');
  for (const char* name : {"ecc_correctable", "ecc_uncorrectable", "nvlink_crc", "pcie_replay", "remapped_rows"}) {
    const bool this_one = rises && colon != std::string::npos && rise.substr(0, colon) == name;
    take(sink, name, nullptr, this_one ? 5 + std::strtod(rise.c_str() + colon + 1, nullptr) : 5);
  }
  std::string xid;
  if (!self.probe.empty() && self.script.has("xid", self.probe, &xid))
    take(sink, ("xid:" + xid).c_str(), "reported by the script", 0);
}

int release(void*, PwFault*) { return PW_OK; }

/// Through the library that the loader finds, with the memory of this process as that of the device.
NcclGroup* group(void* session, PwFault* fault) {
  Session& self = session_of(session);
  std::string sign;
  if (self.script.has("meet_when", "", &sign))
    while (access(sign.c_str(), F_OK) != 0) usleep(2000);
  if (self.script.has("kill_rank", "")) kill(getppid(), SIGKILL);
  if (self.script.has("no_join", ""))
    while (true) pause();
  if (self.script.has("join_fails", "")) {
    set_fault(*fault, "nccl:2", "the library joins no group, as the script says");
    return nullptr;
  }
  GroupDevice device;
  device.allocate = [&self](std::size_t bytes) -> void* {
    self.memory.resize(bytes);
    return self.memory.data();
  };
  device.copy = [](void* to, const void* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
    return true;
  };
  device.state = [] { return GroupDevice::State::idle; };
  if (self.group == nullptr) self.group = std::make_unique<NcclGroup>(std::move(device));
  return self.group.get();
}

void close(void* session) { delete static_cast<Session*>(session); }

}  // namespace

const PwBackend* fake_backend() {
  static const PwBackend table = {
      .name = "fake",
      .count = count,
      .neighbours = neighbours,
      .open = open,
      .inventory = inventory,
      .supported = supported,
      .prepare = prepare,
      .batch = batch,
      .verify = verify,
      .telemetry = telemetry,
      .health = health,
      .release = release,
      .close = close,
      .group = group,
  };
  return &table;
}

}  // namespace podwright::probes
