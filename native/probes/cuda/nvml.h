#pragma once
/// The NVIDIA management library, opened by name with declarations of this project: build machines have no header.
/// Each function is looked up alone; one that is missing disables one fact.
/// https://docs.nvidia.com/deploy/nvml-api/
#include <optional>
#include <string>

#include "probes/backend.h"
#include "probes/vendor_library.h"

namespace podwright::probes::cuda {

class Nvml : public VendorLibrary {
 public:
  /// The one of this process. Where the library is missing or does not start, nothing is given.
  static Nvml& instance();

  using Device = void*;
  /// By PCI address, because CUDA and NVML number devices differently. Null when unknown.
  Device find(const std::string& pci_bus_id);

  PwTelemetry telemetry(Device device);
  /// What the device and its driver are and how they are set, and what health checks judge besides that: each under its
  /// name. What the device does not give is left out.
  void facts(Device device, PwFact take, void* sink);
  bool in_slices(Device device);
  /// The most that it can be.
  std::optional<double> memory_clock_hz(Device device);
  /// Processes that compute on the device. Which of them is this one cannot be told in a container, where the driver
  /// may count by the host's numbers: asked before the first context, all are others.
  std::optional<double> processes(Device device);
  /// The busiest that the device is in a second of looks, 0..1. The driver gives the average of up to a second before,
  /// so that much passes first.
  std::optional<double> utilization(Device device);
  /// Memory that all processes together use.
  std::optional<double> memory_used_bytes(Device device);

  /// Counters of errors that the device has, each a number under its name.
  void counters(Device device, PwFact take, void* sink);
  /// From now on errors of the device that the driver reports are kept for events().
  void watch(Device device);
  /// Those since the last call, each a text under its name ("xid:79").
  void events(PwFact take, void* sink);

 private:
  Nvml();
  /// Calls a function of the library by its name; false also where there is none.
  template <class... Arguments>
  bool ask(const char* function, Arguments... arguments) const;
  /// Of a function that writes one value behind its other arguments, in `unit`.
  template <class Value = unsigned, class... Arguments>
  std::optional<double> number(const char* function, double unit, Device device, Arguments... arguments) const;
  /// Sum over the NVLinks that answer; nothing where none does.
  template <class Value, class... Arguments>
  std::optional<double> over_links(const char* function, Device device, Arguments... arguments) const;
  /// 1 or 0 of a mode that is on or off now, whatever it will be after a reset.
  std::optional<double> mode(const char* function, Device device) const;
  std::optional<double> memory_temperature_c(Device device) const;

  void* event_set_ = nullptr;
};

}  // namespace podwright::probes::cuda
