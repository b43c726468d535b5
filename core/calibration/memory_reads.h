#pragma once
/// What reading weights, keys and values takes on a measured machine. docs/method/probes.md#reads.
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/cache_fit.h"
#include "calibration/calibration_gap.h"
#include "calibration/device_peaks.h"
#include "calibration/product_form.h"
#include "calibration/transfer_fit.h"
#include "measure/profile.h"

namespace podwright {

/// From the nearest to the question to the farthest.
enum class ReadSource { model_shapes, decode_weights, memory_sweep };
inline constexpr std::array<std::string_view, 3> kReadSourceWords = {"model_shapes", "decode_weights", "memory_sweep"};

/// Products of at most a given number of rows take as long as reading their weights does.
inline constexpr double kMostStreamingRows = 16;

struct WeightReads {
  ReadSource source = ReadSource::memory_sweep;
  std::string probe;  ///< "gemm.bf16", "decode.weights", "hbm.read" ...
  TransferFit fit;
};

struct MemoryReads {
  std::optional<WeightReads> weights;
  std::map<std::string, TransferFit> kv;  ///< by dtype and tokens of a page: "bf16/16"
  std::optional<CacheFit> cache;
  std::vector<CalibrationGap> gaps;

  /// Cache where a step reads the same bytes again and they fit, memory otherwise; absent where neither was measured.
  std::optional<Seconds> weight_time(Bytes bytes, bool read_again) const;
};

/// Weights from products of the model's own shapes with few rows (`model`: n, k count), else from decode.weights, else
/// from the sweep of memory; a source whose fit is refused is a gap, and the next counts.
MemoryReads memory_reads(const HardwareProfile& profile, const ProfileDevice& device, const DevicePeaks& peaks,
                         std::span<const ProductShape> model = {});

}  // namespace podwright
