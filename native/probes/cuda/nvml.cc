#include "probes/cuda/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "probes/cuda/nvml_function.h"

namespace podwright::probes::cuda {
namespace {

// From the reference of NVML.
constexpr unsigned kClockSm = 1;
constexpr unsigned kClockMemory = 2;
constexpr unsigned kTemperatureGpu = 0;
constexpr unsigned kFieldMemoryTemperature = 82;
constexpr unsigned kValueUnsigned = 1;

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

}  // namespace

Nvml& Nvml::instance() {
  static Nvml one;
  return one;
}

Nvml::Nvml() {
  library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) return;
  const auto start = function<int (*)()>("nvmlInit_v2");
  if (start == nullptr || start() != kNvmlSuccess) library_ = nullptr;
}

Nvml::Device Nvml::find(const std::string& pci_bus_id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto get = function<int (*)(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
  Device device = nullptr;
  return get != nullptr && get(pci_bus_id.c_str(), &device) == kNvmlSuccess ? device : nullptr;
}

std::optional<double> Nvml::number(Device device, const char* name, double unit) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto get = function<int (*)(Device, unsigned*)>(name);
  unsigned value = 0;
  if (device == nullptr || get == nullptr || get(device, &value) != kNvmlSuccess) return std::nullopt;
  return value * unit;
}

std::optional<double> Nvml::clock(Device device, const char* name, unsigned type) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto get = function<int (*)(Device, unsigned, unsigned*)>(name);
  unsigned megahertz = 0;
  if (device == nullptr || get == nullptr || get(device, type, &megahertz) != kNvmlSuccess) return std::nullopt;
  return 1e6 * megahertz;
}

std::optional<double> Nvml::memory_temperature_c(Device device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto get = function<int (*)(Device, int, FieldValue*)>("nvmlDeviceGetFieldValues");
  FieldValue value{};
  value.field = kFieldMemoryTemperature;
  if (device == nullptr || get == nullptr || get(device, 1, &value) != kNvmlSuccess) return std::nullopt;
  // Devices without such a sensor answer with an error or with 0.
  if (value.status != kNvmlSuccess || value.type != kValueUnsigned || value.value.whole == 0) return std::nullopt;
  return value.value.whole;
}

PwTelemetry Nvml::telemetry(Device device) {
  PwTelemetry now{};
  if (const auto value = energy_j(device)) {
    now.have |= PW_HAVE_ENERGY;
    now.energy_j = *value;
  }
  if (const auto value = memory_temperature_c(device)) {
    now.have |= PW_HAVE_MEMORY_TEMPERATURE;
    now.memory_temperature_c = *value;
  }
  if (const auto value = clock(device, "nvmlDeviceGetClockInfo", kClockSm)) {
    now.have |= PW_HAVE_CLOCK;
    now.clock_hz = *value;
  }
  if (const auto value = number(device, "nvmlDeviceGetPowerUsage", 1e-3)) {
    now.have |= PW_HAVE_POWER;
    now.power_w = *value;
  }
  const auto generation = pcie(device, "nvmlDeviceGetCurrPcieLinkGeneration");
  const auto width = pcie(device, "nvmlDeviceGetCurrPcieLinkWidth");
  if (generation && width) {
    now.have |= PW_HAVE_HOST_LINK;
    now.pcie_generation = *generation;
    now.pcie_width = *width;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (device == nullptr) return now;
  const auto temperature = function<int (*)(Device, unsigned, unsigned*)>("nvmlDeviceGetTemperature");
  unsigned degrees = 0;
  if (temperature != nullptr && temperature(device, kTemperatureGpu, &degrees) == kNvmlSuccess) {
    now.have |= PW_HAVE_TEMPERATURE;
    now.temperature_c = degrees;
  }
  auto reasons = function<int (*)(Device, unsigned long long*)>("nvmlDeviceGetCurrentClocksEventReasons");
  if (reasons == nullptr)
    reasons = function<int (*)(Device, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons");
  unsigned long long bits = 0;
  if (reasons != nullptr && reasons(device, &bits) == kNvmlSuccess) {
    now.have |= PW_HAVE_REASONS;
    now.reasons = bits;
  }
  return now;
}

std::string Nvml::driver_version() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto get = function<int (*)(char*, unsigned)>("nvmlSystemGetDriverVersion");
  char text[96] = {};
  return get != nullptr && get(text, sizeof text) == kNvmlSuccess ? text : "";
}

std::string Nvml::vbios(Device device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto get = function<int (*)(Device, char*, unsigned)>("nvmlDeviceGetVbiosVersion");
  char text[64] = {};
  return device != nullptr && get != nullptr && get(device, text, sizeof text) == kNvmlSuccess ? text : "";
}

std::string Nvml::virtualization(Device device) {
  const auto mode = number(device, "nvmlDeviceGetVirtualizationMode", 1);
  if (!mode) return "";
  if (*mode == 0) return "none";
  return *mode == 1 ? "passthrough" : "vgpu";
}

std::optional<double> Nvml::power_limit_w(Device device) {
  return number(device, "nvmlDeviceGetEnforcedPowerLimit", 1e-3);
}
std::optional<double> Nvml::power_limit_default_w(Device device) {
  return number(device, "nvmlDeviceGetPowerManagementDefaultLimit", 1e-3);
}
std::optional<double> Nvml::max_sm_clock_hz(Device device) {
  return clock(device, "nvmlDeviceGetMaxClockInfo", kClockSm);
}
std::optional<double> Nvml::max_memory_clock_hz(Device device) {
  return clock(device, "nvmlDeviceGetMaxClockInfo", kClockMemory);
}
std::optional<double> Nvml::pcie(Device device, const char* name) { return number(device, name, 1); }

std::optional<double> Nvml::energy_j(Device device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto get = function<int (*)(Device, unsigned long long*)>("nvmlDeviceGetTotalEnergyConsumption");
  unsigned long long millijoules = 0;
  if (device == nullptr || get == nullptr || get(device, &millijoules) != kNvmlSuccess) return std::nullopt;
  return 1e-3 * static_cast<double>(millijoules);
}

std::optional<double> Nvml::ecc_on(Device device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto get = function<int (*)(Device, unsigned*, unsigned*)>("nvmlDeviceGetEccMode");
  unsigned now = 0;
  unsigned later = 0;
  if (device == nullptr || get == nullptr || get(device, &now, &later) != kNvmlSuccess) return std::nullopt;
  return now;
}

std::optional<double> Nvml::mig_on(Device device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto get = function<int (*)(Device, unsigned*, unsigned*)>("nvmlDeviceGetMigMode");
  unsigned now = 0;
  unsigned later = 0;
  if (device == nullptr || get == nullptr || get(device, &now, &later) != kNvmlSuccess) return std::nullopt;
  return now;
}

std::optional<double> Nvml::nvlinks(Device device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto get = function<int (*)(Device, unsigned, unsigned*)>("nvmlDeviceGetNvLinkState");
  if (device == nullptr || get == nullptr) return std::nullopt;
  double up = 0;
  bool any = false;
  for (unsigned link = 0; link < kMostNvlinks; ++link) {
    unsigned active = 0;
    if (get(device, link, &active) != kNvmlSuccess) continue;
    any = true;
    up += active != 0 ? 1 : 0;
  }
  return any ? std::optional<double>(up) : std::nullopt;
}

std::optional<double> Nvml::memory_used_bytes(Device device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto get = function<int (*)(Device, MemoryInfo*)>("nvmlDeviceGetMemoryInfo");
  MemoryInfo memory{};
  if (device == nullptr || get == nullptr || get(device, &memory) != kNvmlSuccess) return std::nullopt;
  return static_cast<double>(memory.used);
}

std::optional<double> Nvml::processes(Device device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto get = function<int (*)(Device, unsigned*, ProcessInfo*)>("nvmlDeviceGetComputeRunningProcesses_v3");
  std::vector<ProcessInfo> found(256);
  unsigned count = static_cast<unsigned>(found.size());
  if (device == nullptr || get == nullptr || get(device, &count, found.data()) != kNvmlSuccess) return std::nullopt;
  return count;
}

std::optional<double> Nvml::utilization(Device device) {
  const auto pause = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
  const auto get = function<int (*)(Device, Utilization*)>("nvmlDeviceGetUtilizationRates");
  Utilization used{};
  if (device == nullptr || get == nullptr || get(device, &used) != kNvmlSuccess) return std::nullopt;
  pause(1000);
  unsigned most = 0;
  for (int look = 0; look < 10; ++look, pause(100))
    if (get(device, &used) == kNvmlSuccess) most = std::max(most, used.gpu);
  return most / 100.0;
}

}  // namespace podwright::probes::cuda
