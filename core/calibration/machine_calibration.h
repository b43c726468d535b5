#pragma once
/// What one device of a hardware profile makes of the planner's parameters. docs/method/probes.md#calibration.
#include <map>
#include <string>
#include <vector>

#include "calibration/attention_fit.h"
#include "calibration/collective_times.h"
#include "calibration/device_peaks.h"
#include "calibration/memory_reads.h"
#include "calibration/product_fit.h"
#include "calibration/transfer_fit.h"
#include "measure/profile.h"

namespace podwright {

/// A median with its 95 % interval; the range of the middle samples where it has none.
struct MeasuredTime {
  Seconds median;
  Seconds low;
  Seconds high;
};

struct MachineCalibration {
  std::string device;                                  ///< id within the profile
  std::map<std::string, ProductFit> products;          ///< by dtype, bursts; accepted ones only
  std::map<std::string, SustainedProducts> sustained;  ///< by dtype: measured, else published of this GPU
  std::map<std::string, TransferFit> memory;  ///< by probe: hbm.read, hbm.triad, decode.weights ...; accepted only
  MemoryReads reads;                          ///< of weights, keys and values, and of the cache; its gaps are in `gaps`
  std::map<std::string, AttentionFit> attention;  ///< of prompts by dtype; accepted only
  CollectiveTables collectives;  ///< by probe and ranks: "coll.allreduce/8"; over nodes "coll.allreduce/16/2"
  std::map<std::string, MeasuredTime>
      launches;  ///< by probe: a kernel in a stream, a node of a graph, a wait of the host
  std::vector<CalibrationGap> gaps;
};

/// `prefix` of the probe ids: "" of GPUs, "cpu." of the CPU backend, whose products are "cpu.gemm.*" and whose memory
/// probes are "cpu.stream.*". Only usable results count: nothing invalid, wrong or skipped. Nothing is fitted where the
/// peaks are those of another GPU than the device; the only gap says so.
MachineCalibration calibrate_machine(const HardwareProfile& profile, const ProfileDevice& device,
                                     const DevicePeaks& peaks);

}  // namespace podwright
