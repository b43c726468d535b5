#pragma once
/// A machine's memory, links and collectives from measured sizes. docs/method/probes.md#transfers.
#include <span>
#include <string>
#include <vector>

#include "base/units.h"

namespace podwright {

/// Bytes that were moved, and the time that it took.
struct TransferPoint {
  Bytes bytes;
  Seconds time;
};

/// start + bytes / bandwidth, fitted to the mean |ln| error.
struct TransferFit {
  Seconds start;
  BytesPerSecond bandwidth;         ///< of sizes without end
  double efficiency = 0;            ///< of the peak
  double leave_one_out_median = 0;  ///< |ln| error of points that the fit did not see
  double leave_one_out_90 = 0;
  std::vector<TransferPoint> points;  ///< that it was fitted to
  std::string refused;                ///< why it must not be used; empty: it may

  Seconds predict(Bytes bytes) const;
  double efficiency_at(Bytes bytes) const;  ///< of the peak, with this many bytes
};

/// Refused below 6 points, for a start outside 0 to 100 us, an efficiency outside 0.2 to 1.05, and where points that
/// the fit did not see are more than 15 % off at the median.
TransferFit fit_transfers(std::span<const TransferPoint> points, BytesPerSecond peak);

/// Measured times of one collective by message size.
struct CollectiveTable {
  std::vector<TransferPoint> knots;  ///< in order of their size
  double repeat_90 = 0;              ///< |ln| of repeats of one size, at rank ceil(0.9 (n + 1))

  /// Between knots along a straight line of logarithms; the first knot's time below it; in proportion to the size
  /// beyond the last. There must be a knot.
  Seconds predict(Bytes message) const;
  /// Of 90 % intervals: the error of inner knots that the others predict, at least that of repeats.
  double half_width() const;
};
/// Knots sorted; of points of the same size the first counts.
CollectiveTable collective_table(std::vector<TransferPoint> points);

/// |ln| errors of the inner knots, each predicted from the others.
std::vector<double> leave_one_out_errors(const CollectiveTable& table);

}  // namespace podwright
