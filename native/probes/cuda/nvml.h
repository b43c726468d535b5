#pragma once
/// The NVIDIA management library, opened by name with declarations of this project: build machines have no header.
/// Each function is looked up alone; one that is missing disables one fact.
/// https://docs.nvidia.com/deploy/nvml-api/
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "probes/backend.h"

namespace podwright::probes::cuda {

class Nvml {
 public:
  /// The one of this process. Not there where the library is missing or does not start.
  static Nvml& instance();
  bool there() const { return library_ != nullptr; }

  using Device = void*;
  /// By PCI address, because CUDA and NVML number devices differently. Null when unknown.
  Device find(const std::string& pci_bus_id);

  PwTelemetry telemetry(Device device);
  std::string driver_version();
  std::string vbios(Device device);
  /// none, passthrough, vgpu; empty when not told.
  std::string virtualization(Device device);
  std::optional<double> power_limit_w(Device device);
  std::optional<double> power_limit_default_w(Device device);
  std::optional<double> max_sm_clock_hz(Device device);
  std::optional<double> max_memory_clock_hz(Device device);
  std::optional<double> pcie(Device device, const char* function);
  /// Since the driver was loaded.
  std::optional<double> energy_j(Device device);
  std::optional<double> memory_temperature_c(Device device);
  std::optional<double> ecc_on(Device device);
  std::optional<double> mig_on(Device device);
  std::optional<double> nvlinks(Device device);
  /// Processes that compute on the device. Which of them is this one cannot be told in a container, where the driver
  /// may count by the host's numbers: asked before the first context, all are others.
  std::optional<double> processes(Device device);
  /// The busiest that the device is in a second of looks, 0..1. The driver tells the average of up to a second before,
  /// so that much passes first.
  std::optional<double> utilization(Device device);
  /// Memory that all processes together use.
  std::optional<double> memory_used_bytes(Device device);

  /// What health checks judge beside that, each a number under its name: modes, the reserve of rows, the registration
  /// with the fabric. What the device does not tell is left out.
  void states(Device device, PwFact take, void* sink);
  /// Counters of errors that the device has, each a number under its name.
  void counters(Device device, PwFact take, void* sink);
  /// From now on errors of the device that the driver reports are kept for events().
  void watch(Device device);
  /// Those since the last call, each a text under its name ("xid:79").
  void events(PwFact take, void* sink);

 private:
  Nvml();
  template <class Function>
  Function function(const char* name);
  std::optional<double> number(Device device, const char* name, double unit);
  std::optional<double> clock(Device device, const char* name, unsigned type);

  void* library_ = nullptr;
  void* event_set_ = nullptr;
  std::mutex mutex_;
};

}  // namespace podwright::probes::cuda
