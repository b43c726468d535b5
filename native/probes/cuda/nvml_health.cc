/// Errors of a device: counters, and what the driver reports while the process runs.
#include <string>

#include "probes/cuda/nvml.h"
#include "probes/cuda/nvml_function.h"

namespace podwright::probes::cuda {
namespace {

// From the reference of NVML.
constexpr unsigned kCorrected = 0;
constexpr unsigned kUncorrected = 1;
constexpr unsigned kSinceDriverStart = 0;
constexpr unsigned long long kXid = 0x8;
constexpr unsigned kEventPatienceMs = 20;  // an Xid may come a moment after the call that it broke
constexpr int kMostEvents = 64;

/// Counters that each link has.
constexpr struct {
  const char* name;
  unsigned counter;
} kLinkCounters[] = {{"nvlink_replay", 0}, {"nvlink_recovery", 1}, {"nvlink_crc", 2}};

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

void Nvml::states(Device device, PwFact take, void* sink) {
  if (device == nullptr) return;
  if (const auto on = number(device, "nvmlDeviceGetPersistenceMode", 1)) take(sink, "persistence_mode", nullptr, *on);
  if (const auto on = ecc_on(device)) take(sink, "ecc_mode", nullptr, *on);
  const std::lock_guard<std::mutex> lock(mutex_);
  unsigned banks[5] = {};  // nvmlRowRemapperHistogramValues_t
  const auto remap = function<int (*)(Device, unsigned*)>("nvmlDeviceGetRowRemapperHistogram");
  if (remap != nullptr && remap(device, banks) == kNvmlSuccess) {
    const unsigned* bank = banks;
    for (const char* name :
         {"remap_banks_max", "remap_banks_high", "remap_banks_partial", "remap_banks_low", "remap_banks_none"})
      take(sink, name, nullptr, *bank++);
  }
  FabricInfo fabric{};
  fabric.version = kFabricInfoVersion;
  const auto get = function<int (*)(Device, FabricInfo*)>("nvmlDeviceGetGpuFabricInfoV");  // driver 550 or newer
  if (get == nullptr || get(device, &fabric) != kNvmlSuccess) return;
  take(sink, "fabric_state", nullptr, fabric.state);
  take(sink, "fabric_status", nullptr, fabric.status);
  take(sink, "fabric_health", nullptr, fabric.health);
}

void Nvml::counters(Device device, PwFact take, void* sink) {
  if (device == nullptr) return;
  if (const auto replays = number(device, "nvmlDeviceGetPcieReplayCounter", 1))
    take(sink, "pcie_replay", nullptr, *replays);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto ecc = function<int (*)(Device, unsigned, unsigned, unsigned long long*)>("nvmlDeviceGetTotalEccErrors");
  for (const auto& [name, type] :
       {std::pair{"ecc_correctable", kCorrected}, std::pair{"ecc_uncorrectable", kUncorrected}}) {
    unsigned long long count = 0;
    if (ecc != nullptr && ecc(device, type, kSinceDriverStart, &count) == kNvmlSuccess)
      take(sink, name, nullptr, static_cast<double>(count));
  }
  const auto rows = function<int (*)(Device, unsigned*, unsigned*, unsigned*, unsigned*)>("nvmlDeviceGetRemappedRows");
  unsigned corrected = 0;
  unsigned uncorrected = 0;
  unsigned pending = 0;
  unsigned failed = 0;
  if (rows != nullptr && rows(device, &corrected, &uncorrected, &pending, &failed) == kNvmlSuccess) {
    take(sink, "remapped_rows", nullptr, corrected + uncorrected);
    take(sink, "remap_pending", nullptr, pending);
    take(sink, "remap_failed", nullptr, failed);
  }
  const auto link =
      function<int (*)(Device, unsigned, unsigned, unsigned long long*)>("nvmlDeviceGetNvLinkErrorCounter");
  for (const auto& one : kLinkCounters) {
    double sum = 0;
    bool any = false;
    for (unsigned i = 0; link != nullptr && i < kMostNvlinks; ++i) {
      unsigned long long count = 0;
      if (link(device, i, one.counter, &count) != kNvmlSuccess) continue;
      any = true;
      sum += static_cast<double>(count);
    }
    if (any) take(sink, one.name, nullptr, sum);
  }
}

void Nvml::watch(Device device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto make = function<int (*)(void**)>("nvmlEventSetCreate");
  const auto add = function<int (*)(Device, unsigned long long, void*)>("nvmlDeviceRegisterEvents");
  if (device == nullptr || make == nullptr || add == nullptr) return;
  if (event_set_ == nullptr && make(&event_set_) != kNvmlSuccess) event_set_ = nullptr;
  // Some systems have no events; the counters are there all the same.
  if (event_set_ != nullptr) add(device, kXid, event_set_);
}

void Nvml::events(PwFact take, void* sink) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto wait = function<int (*)(void*, EventData*, unsigned)>("nvmlEventSetWait_v2");
  if (event_set_ == nullptr || wait == nullptr) return;
  for (int i = 0; i < kMostEvents; ++i) {
    EventData event{};
    if (wait(event_set_, &event, kEventPatienceMs) != kNvmlSuccess) return;  // also when nothing came
    if (event.type != kXid) continue;
    take(sink, ("xid:" + std::to_string(event.data)).c_str(), "reported by the driver during the run", 0);
  }
}

}  // namespace podwright::probes::cuda
