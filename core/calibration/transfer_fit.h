#pragma once
/// A machine's memory, links and cache from measured sizes. docs/method/probes.md#transfers,
/// docs/method/probes.md#cache.
#include <span>
#include <vector>

#include "base/units.h"
#include "calibration/fit_errors.h"

namespace podwright {

/// Bytes that were moved, and the time that it took.
struct TransferPoint {
  Bytes bytes;
  Seconds time;
};

/// start + bytes / bandwidth, fitted to the mean |ln| error.
struct TransferFit : FitQuality {
  Seconds start;
  BytesPerSecond bandwidth;           ///< of sizes without end
  double efficiency = 0;              ///< of the peak
  std::vector<TransferPoint> points;  ///< that it was fitted to

  Seconds predict(Bytes bytes) const;
};

/// Refused below 6 points, for a start outside 0 to 100 us, an efficiency outside 0.2 to 1.05, and where points that
/// the fit did not see are more than 15 % off at the median.
TransferFit fit_transfers(std::span<const TransferPoint> points, BytesPerSecond peak);

/// Reads of one buffer over and over: at the cache's bandwidth up to its effective size, beyond it at the memory's.
struct CacheFit : FitQuality {
  Seconds start;
  Bytes effective;                    ///< what the cache holds of a buffer that is read again
  BytesPerSecond bandwidth;           ///< of the cache
  BytesPerSecond memory;              ///< beyond it
  std::vector<TransferPoint> points;  ///< that it was fitted to

  Seconds predict(Bytes bytes) const;
};

/// Refused below 6 points or without points on both sides of the edge, for a start outside 0 to 100 us, an effective
/// size outside 0.5 to 1.2 of the reported one, a cache that is no faster than the memory, and where points that the
/// fit did not see are more than 15 % off at the median.
CacheFit fit_cache(std::span<const TransferPoint> points, Bytes reported);

}  // namespace podwright
