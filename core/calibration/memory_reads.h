#pragma once
/// What reading weights, keys and values takes on a measured machine. docs/method/probes.md#reads.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "calibration/device_peaks.h"
#include "calibration/transfer_fit.h"
#include "measure/profile.h"

namespace podwright {

struct WeightReads {
  std::string probe;  ///< "decode.weights", "hbm.read" ...
  TransferFit fit;
};

struct MemoryReads {
  std::optional<WeightReads> weights;
  std::map<std::string, TransferFit> kv;  ///< by dtype and tokens of a page: "bf16/16"
  std::optional<CacheFit> cache;
  std::vector<CalibrationGap> gaps;
};

/// Weights from decode.weights, else from the sweep of memory; a source whose fit is refused is a gap, and the next
/// counts.
MemoryReads memory_reads(const HardwareProfile& profile, const ProfileDevice& device, const DevicePeaks& peaks);

}  // namespace podwright
