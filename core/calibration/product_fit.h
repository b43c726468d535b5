#pragma once
/// A machine's dense matrix products from a few measured ones. docs/method/probes.md#products.
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "calibration/fit_errors.h"

namespace podwright {

/// A product of m x k and k x n matrices; `bytes` of both factors and the result together.
struct ProductShape {
  double m = 0;
  double n = 0;
  double k = 0;
  Bytes bytes;
};

/// Peaks of the device, of which efficiencies are shares.
struct MachinePeaks {
  FlopsPerSecond flops;
  BytesPerSecond bandwidth;
  /// Of a GPU whose products may lose time in half-filled waves of tiles (compute capability 10.x); 0: no such term.
  double multiprocessors = 0;
};

struct ProductPoint {
  ProductShape shape;
  Seconds time;
};

/// A variant of the equation is taken only where it lowers the median error of unseen points by more than this share.
inline constexpr double kLeastGainOfVariants = 0.1;

/// start + max(work / rate, bytes / bandwidth), or a variant of it: the equation with the fewest parameters that
/// serves.
struct ProductFit : FitQuality {
  Seconds start;
  double compute_efficiency = 0;     ///< of the peak
  double bandwidth_efficiency = 0;   ///< of the bandwidth
  std::optional<double> norm;        ///< exponent >= 1 of a smooth maximum; absent: the larger of the two counts
  std::optional<double> wave_share;  ///< 0..1 of the loss in the last wave of tiles; absent: no such term
  MachinePeaks peaks;
  std::vector<ProductPoint> points;
  std::vector<double> residuals;          ///< ln(measured / fitted) of each point
  double plain_leave_one_out_median = 0;  ///< the median error without any variant

  /// By the equation alone.
  Seconds time(const ProductShape& shape) const;
  /// From the parameters and the residuals of the six nearest points, which fade outside the measured range.
  Seconds predict(const ProductShape& shape) const;
};

/// Minimises the mean |ln(fitted / measured)|. The fit is there also where it is refused, for people to look at;
/// without points it is empty. A smooth maximum is tried, and waves of tiles where the peaks tell multiprocessors.
ProductFit fit_products(std::span<const ProductPoint> points, const MachinePeaks& peaks);

}  // namespace podwright
