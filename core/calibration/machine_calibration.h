#pragma once
/// What one device of a hardware profile makes of the planner's parameters. docs/method/probes.md#calibration.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/device_peaks.h"
#include "calibration/product_fit.h"
#include "calibration/sustained_products.h"
#include "calibration/transfer_fit.h"
#include "measure/profile.h"

namespace podwright {

/// A fit that was asked for and cannot be used, or a parameter that nothing was measured for.
struct CalibrationGap {
  std::string parameter;  ///< "gemm.bf16", "hbm.triad", "launch.graph" ...
  std::string reason;
};

struct MachineCalibration {
  std::string device;                                  ///< id within the profile
  std::map<std::string, ProductFit> products;          ///< by dtype, bursts; accepted ones only
  std::map<std::string, SustainedProducts> sustained;  ///< by dtype: measured, else published of this GPU
  std::map<std::string, TransferFit> memory;  ///< by probe: hbm.read, hbm.triad, decode.weights ...; accepted only
  std::map<std::string, CollectiveTable> collectives;  ///< by probe and ranks: "coll.allreduce/8"
  std::optional<Seconds> launch;                       ///< of one kernel in a stream
  std::optional<Seconds> graph_node;                   ///< of one node of a graph
  std::optional<Bytes> allocatable;                    ///< memory of one process
  std::vector<CalibrationGap> gaps;
};

/// `prefix` of the probe ids: "" of GPUs, "cpu." of the CPU backend, whose products are "cpu.gemm.*" and whose memory
/// probes are "cpu.stream.*". Only usable results count: nothing invalid, wrong or skipped. Nothing is fitted where the
/// peaks are those of another GPU than the device; the only gap says so.
MachineCalibration calibrate_machine(const HardwareProfile& profile, const ProfileDevice& device,
                                     const DevicePeaks& peaks);

}  // namespace podwright
