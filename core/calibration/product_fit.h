#pragma once
/// A machine's dense matrix products from a few measured ones. docs/method/probes.md#products.
#include <span>
#include <string>
#include <vector>

#include "base/units.h"
#include "calibration/fit_errors.h"
#include "calibration/product_form.h"

namespace podwright {

struct ProductPoint {
  ProductShape shape;
  Seconds time;
};

/// A variant of the equation is taken only where it lowers the median error of unseen points by more than this share.
inline constexpr double kLeastGainOfVariants = 0.1;

/// The equation with the fewest parameters that serves: `norm` and `wave_share` are there where their variant was
/// taken.
struct ProductFit : ProductForm {
  MachinePeaks peaks;
  std::vector<ProductPoint> points;
  std::vector<double> residuals;          ///< ln(measured / fitted) of each point
  double leave_one_out_median = 0;        ///< |ln| error of points that the fit did not see
  double leave_one_out_90 = 0;            ///< the same at rank ceil(0.9 (n + 1)): the half-width of 90 % intervals
  double plain_leave_one_out_median = 0;  ///< the median error without any variant
  std::string refused;                    ///< why it must not be used; empty: it may

  /// From the parameters and the residuals of the six nearest points, which fade outside the measured range.
  Seconds predict(const ProductShape& shape) const;
};

/// Minimises the mean |ln(fitted / measured)|. The fit is there also where it is refused, for people to look at;
/// without points it is empty. A smooth maximum is tried, and waves of tiles where the peaks tell multiprocessors.
ProductFit fit_products(std::span<const ProductPoint> points, const MachinePeaks& peaks);

}  // namespace podwright
