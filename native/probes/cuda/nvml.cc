#include "probes/cuda/nvml.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace podwright::probes::cuda {
namespace {

// From the reference of NVML. All functions return 0 on success, and 3 where a device has no such thing.
constexpr int kNvmlSuccess = 0;
constexpr unsigned kMostNvlinks = 18;
constexpr unsigned kClockSm = 1;
constexpr unsigned kClockMemory = 2;
constexpr unsigned kTemperatureGpu = 0;
constexpr unsigned kFieldMemoryTemperature = 82;
constexpr unsigned kValueUnsigned = 1;
constexpr unsigned kSinceDriverStart = 0;
constexpr unsigned long long kXid = 0x8;
constexpr unsigned kEventPatienceMs = 20;  // an Xid may come a moment after the call that it broke
constexpr int kMostEvents = 64;

/// Facts that one function tells as one number.
constexpr struct {
  const char* name;
  const char* function;
  double unit;
} kPlainFacts[] = {{"power_limit_w", "nvmlDeviceGetEnforcedPowerLimit", 1e-3},
                   {"power_limit_default_w", "nvmlDeviceGetPowerManagementDefaultLimit", 1e-3},
                   {"pcie_generation_max", "nvmlDeviceGetMaxPcieLinkGeneration", 1},
                   {"pcie_width_max", "nvmlDeviceGetMaxPcieLinkWidth", 1},
                   {"persistence_mode", "nvmlDeviceGetPersistenceMode", 1}};

/// Kinds of an error counter: of memory errors, and of each link.
struct CounterKind {
  const char* name;
  unsigned kind;
};
constexpr CounterKind kMemoryCounters[] = {{"ecc_correctable", 0}, {"ecc_uncorrectable", 1}};
constexpr CounterKind kLinkCounters[] = {{"nvlink_replay", 0}, {"nvlink_recovery", 1}, {"nvlink_crc", 2}};

/// nvmlFieldValue_t.
struct FieldValue {
  unsigned field;
  unsigned scope;
  long long timestamp;
  long long latency_us;
  unsigned type;
  int status;
  union {
    double real;
    unsigned whole;
    unsigned long long wide;
  } value;
};

struct Utilization {
  unsigned gpu;
  unsigned memory;
};

struct MemoryInfo {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct ProcessInfo {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

/// nvmlGpuFabricInfo_v2_t.
struct FabricInfo {
  unsigned version;
  unsigned char cluster[16];
  int status;
  unsigned clique;
  unsigned char state;
  unsigned health;
};
constexpr unsigned kFabricInfoVersion = sizeof(FabricInfo) | (2U << 24U);

struct EventData {
  void* device;
  unsigned long long type;
  unsigned long long data;  ///< the number of an Xid
  unsigned gpu_instance;
  unsigned compute_instance;
};

}  // namespace

Nvml& Nvml::instance() {
  static Nvml one;
  return one;
}

Nvml::Nvml() : VendorLibrary("libnvidia-ml", {"libnvidia-ml.so.1"}) {
  if (there() && !ask("nvmlInit_v2")) missing = "libnvidia-ml does not start";
}

template <class... Arguments>
bool Nvml::ask(const char* function, Arguments... arguments) const {
  if (!there()) return false;
  int (*const call)(Arguments...) = optional(function);
  return call != nullptr && call(arguments...) == kNvmlSuccess;
}

template <class Value, class... Arguments>
std::optional<double> Nvml::number(const char* function, double unit, Device device, Arguments... arguments) const {
  Value value = 0;
  if (device == nullptr || !ask(function, device, arguments..., &value)) return std::nullopt;
  return unit * static_cast<double>(value);
}

template <class Value, class... Arguments>
std::optional<double> Nvml::over_links(const char* function, Device device, Arguments... arguments) const {
  std::optional<double> sum;
  for (unsigned link = 0; link < kMostNvlinks; ++link)
    if (const auto one = number<Value>(function, 1, device, link, arguments...)) sum = sum.value_or(0) + *one;
  return sum;
}

std::optional<double> Nvml::mode(const char* function, Device device) const {
  unsigned now = 0;
  unsigned later = 0;
  if (device == nullptr || !ask(function, device, &now, &later)) return std::nullopt;
  return now;
}

Nvml::Device Nvml::find(const std::string& pci_bus_id) {
  Device device = nullptr;
  return ask("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device) ? device : nullptr;
}

std::optional<double> Nvml::memory_temperature_c(Device device) const {
  FieldValue value{};
  value.field = kFieldMemoryTemperature;
  if (device == nullptr || !ask("nvmlDeviceGetFieldValues", device, 1, &value)) return std::nullopt;
  // Devices without such a sensor answer with an error or with 0.
  if (value.status != kNvmlSuccess || value.type != kValueUnsigned || value.value.whole == 0) return std::nullopt;
  return value.value.whole;
}

PwTelemetry Nvml::telemetry(Device device) {
  PwTelemetry now;
  // Since the driver was loaded.
  now.energy_j = number<unsigned long long>("nvmlDeviceGetTotalEnergyConsumption", 1e-3, device);
  now.memory_temperature_c = memory_temperature_c(device);
  now.clock_hz = number("nvmlDeviceGetClockInfo", 1e6, device, kClockSm);
  now.power_w = number("nvmlDeviceGetPowerUsage", 1e-3, device);
  now.temperature_c = number("nvmlDeviceGetTemperature", 1, device, kTemperatureGpu);
  const auto generation = number("nvmlDeviceGetCurrPcieLinkGeneration", 1, device);
  const auto width = number("nvmlDeviceGetCurrPcieLinkWidth", 1, device);
  if (generation && width) {
    now.pcie_generation = generation;
    now.pcie_width = width;
  }
  unsigned long long reasons = 0;
  if (device != nullptr && (ask("nvmlDeviceGetCurrentClocksEventReasons", device, &reasons) ||
                            ask("nvmlDeviceGetCurrentClocksThrottleReasons", device, &reasons)))
    now.reasons = reasons;
  return now;
}

void Nvml::facts(Device device, PwFact take, void* sink) {
  char text[96] = {};
  constexpr unsigned kRoom = sizeof text;
  if (ask("nvmlSystemGetDriverVersion", text, kRoom)) take(sink, "driver", text, 0);
  if (device == nullptr) return;
  const auto tell = [&](const char* name, const std::optional<double>& value) {
    if (value) take(sink, name, nullptr, *value);
  };
  if (ask("nvmlDeviceGetVbiosVersion", device, text, kRoom)) take(sink, "vbios", text, 0);
  if (const auto way = number("nvmlDeviceGetVirtualizationMode", 1, device))
    take(sink, "virtualization", *way == 0 ? "none" : *way == 1 ? "passthrough" : "vgpu", 0);
  for (const auto& fact : kPlainFacts) tell(fact.name, number(fact.function, fact.unit, device));
  tell("sm_clock_max_hz", number("nvmlDeviceGetMaxClockInfo", 1e6, device, kClockSm));
  tell("memory_clock_hz", memory_clock_hz(device));
  tell("nvlinks", over_links<unsigned>("nvmlDeviceGetNvLinkState", device));
  tell("ecc", mode("nvmlDeviceGetEccMode", device));
  unsigned banks[5] = {};  // nvmlRowRemapperHistogramValues_t
  if (ask("nvmlDeviceGetRowRemapperHistogram", device, &banks[0])) {
    const unsigned* bank = banks;
    for (const char* name :
         {"remap_banks_max", "remap_banks_high", "remap_banks_partial", "remap_banks_low", "remap_banks_none"})
      tell(name, *bank++);
  }
  FabricInfo fabric{};
  fabric.version = kFabricInfoVersion;
  if (!ask("nvmlDeviceGetGpuFabricInfoV", device, &fabric)) return;  // driver 550 or newer
  tell("fabric_state", fabric.state);
  tell("fabric_status", fabric.status);
  tell("fabric_health", fabric.health);
}

bool Nvml::in_slices(Device device) { return mode("nvmlDeviceGetMigMode", device).value_or(0) > 0; }

std::optional<double> Nvml::memory_clock_hz(Device device) {
  return number("nvmlDeviceGetMaxClockInfo", 1e6, device, kClockMemory);
}

std::optional<double> Nvml::memory_used_bytes(Device device) {
  MemoryInfo memory{};
  if (device == nullptr || !ask("nvmlDeviceGetMemoryInfo", device, &memory)) return std::nullopt;
  return static_cast<double>(memory.used);
}

std::optional<double> Nvml::processes(Device device) {
  std::vector<ProcessInfo> found(256);
  unsigned count = static_cast<unsigned>(found.size());
  if (device == nullptr || !ask("nvmlDeviceGetComputeRunningProcesses_v3", device, &count, found.data()))
    return std::nullopt;
  return count;
}

std::optional<double> Nvml::utilization(Device device) {
  const auto pause = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
  constexpr const char* kRates = "nvmlDeviceGetUtilizationRates";
  Utilization used{};
  if (device == nullptr || !ask(kRates, device, &used)) return std::nullopt;
  pause(1000);
  unsigned most = 0;
  for (int look = 0; look < 10; ++look, pause(100))
    if (ask(kRates, device, &used)) most = std::max(most, used.gpu);
  return most / 100.0;
}

void Nvml::counters(Device device, PwFact take, void* sink) {
  if (device == nullptr) return;
  const auto tell = [&](const char* name, const std::optional<double>& value) {
    if (value) take(sink, name, nullptr, *value);
  };
  using Count = unsigned long long;
  tell("pcie_replay", number("nvmlDeviceGetPcieReplayCounter", 1, device));
  for (const CounterKind& one : kMemoryCounters)
    tell(one.name, number<Count>("nvmlDeviceGetTotalEccErrors", 1, device, one.kind, kSinceDriverStart));
  unsigned corrected = 0;
  unsigned uncorrected = 0;
  unsigned pending = 0;
  unsigned failed = 0;
  if (ask("nvmlDeviceGetRemappedRows", device, &corrected, &uncorrected, &pending, &failed)) {
    tell("remapped_rows", corrected + uncorrected);
    tell("remap_pending", pending);
    tell("remap_failed", failed);
  }
  for (const CounterKind& one : kLinkCounters)
    tell(one.name, over_links<Count>("nvmlDeviceGetNvLinkErrorCounter", device, one.kind));
}

void Nvml::watch(Device device) {
  if (device == nullptr) return;
  if (event_set_ == nullptr && !ask("nvmlEventSetCreate", &event_set_)) event_set_ = nullptr;
  // Some systems have no events; the counters are there all the same.
  if (event_set_ != nullptr) ask("nvmlDeviceRegisterEvents", device, kXid, event_set_);
}

void Nvml::events(PwFact take, void* sink) {
  for (int i = 0; event_set_ != nullptr && i < kMostEvents; ++i) {
    EventData event{};
    if (!ask("nvmlEventSetWait_v2", event_set_, &event, kEventPatienceMs)) return;  // also when nothing came
    if (event.type != kXid) continue;
    take(sink, ("xid:" + std::to_string(event.data)).c_str(), "reported by the driver during the run", 0);
  }
}

}  // namespace podwright::probes::cuda
