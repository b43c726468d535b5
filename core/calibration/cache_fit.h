#pragma once
/// The cache of a device from reads of growing buffers. docs/method/probes.md#cache.
#include <span>
#include <string>
#include <vector>

#include "base/units.h"
#include "calibration/transfer_fit.h"

namespace podwright {

/// The effective size must lie between these shares of what the device reports.
inline constexpr double kLeastCacheShare = 0.5;
inline constexpr double kMostCacheShare = 1.2;

/// Reads of one buffer over and over: at the cache's bandwidth up to its effective size, beyond it at the memory's.
struct CacheFit {
  Seconds start;
  Bytes effective;                  ///< what the cache holds of a buffer that is read again
  BytesPerSecond bandwidth;         ///< of the cache
  BytesPerSecond memory;            ///< beyond it
  double leave_one_out_median = 0;  ///< |ln| error of points that the fit did not see
  double leave_one_out_90 = 0;
  std::vector<TransferPoint> points;  ///< that it was fitted to
  std::string refused;                ///< why it must not be used; empty: it may

  Seconds predict(Bytes bytes) const;
};

/// Refused below 6 points or without points on both sides of the edge, for a start outside 0 to 100 us, an effective
/// size outside 0.5 to 1.2 of the reported one, a cache that is no faster than the memory, and where points that the
/// fit did not see are more than 15 % off at the median.
CacheFit fit_cache(std::span<const TransferPoint> points, Bytes reported);

}  // namespace podwright
