#pragma once
/// What one device of a hardware profile makes of the planner's parameters. docs/method/probes.md#calibration.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/product_fit.h"
#include "calibration/transfer_fit.h"
#include "measure/profile.h"

namespace podwright {

/// Peaks of the device by dtype of the products, from the catalog or another stated origin.
struct DevicePeaks {
  std::map<std::string, FlopsPerSecond> flops;
  std::optional<BytesPerSecond> bandwidth;
};

/// A fit that was asked for and cannot be used, or a parameter that nothing was measured for.
struct CalibrationGap {
  std::string parameter;  ///< "gemm.bf16", "hbm.triad", "launch.graph" ...
  std::string reason;
};

struct MachineCalibration {
  std::string device;                          ///< id within the profile
  std::map<std::string, ProductFit> products;  ///< by dtype, bursts; accepted ones only
  std::map<std::string, double>
      sustained_factor;                       ///< by dtype: sustained over burst time of the largest shape both have
  std::map<std::string, TransferFit> memory;  ///< by probe: hbm.read, hbm.triad, decode.weights ...; accepted only
  std::map<std::string, CollectiveTable> collectives;  ///< by probe and ranks: "coll.allreduce/8"
  std::optional<Seconds> launch;                       ///< of one kernel in a stream
  std::optional<Seconds> graph_node;                   ///< of one node of a graph
  std::optional<Bytes> allocatable;                    ///< memory of one process
  std::vector<CalibrationGap> gaps;
};

/// `prefix` of the probe ids: "" of GPUs, "cpu." of the CPU backend, whose products are "cpu.gemm.*" and whose memory
/// probes are "cpu.stream.*". Only usable results count: nothing invalid, wrong or skipped.
MachineCalibration calibrate_machine(const HardwareProfile& profile, const ProfileDevice& device,
                                     const DevicePeaks& peaks);

/// For a device that no catalog knows, such as a CPU: the best rates that the profile itself measured, as roofs.
DevicePeaks measured_peaks(const HardwareProfile& profile, const ProfileDevice& device);

/// Of products of one dtype; absent where a peak is not known. Waves of tiles are considered on GPUs of compute
/// capability 10.x whose multiprocessors the profile tells.
std::optional<MachinePeaks> product_peaks(const ProfileDevice& device, const DevicePeaks& peaks,
                                          const std::string& dtype);

/// Size and time of a product result; absent where it is none.
std::optional<ProductPoint> product_point(const ProbeResult& result);
/// Counted bytes and time of a memory or link result; absent where it is none.
std::optional<TransferPoint> transfer_point(const ProbeResult& result);

}  // namespace podwright
