#pragma once
/// A step ends with its slowest GPU.
#include "base/arithmetic.h"

namespace podwright {

/// Expected time of the slowest of many GPUs over the mean, when their times are independent and normal with standard
/// deviation `variation` (a share of the mean). `log_gpus` is the natural logarithm of their number, `log_log_gpus` the
/// logarithm of that. Within 7 % of the exact excess from 8 GPUs on; one GPU has none. 1.3766 is ln(4 pi) - 2 x Euler's
/// constant.
auto slowest_over_mean(Of<double> auto variation, Of<double> auto log_gpus, Of<double> auto log_log_gpus) {
  const auto width = sqrt(2.0 * log_gpus);
  return cited("Cramer 1946, Mathematical Methods of Statistics, section 28.6",
               1.0 + variation * (width - (log_log_gpus + 1.3765929171662249) / (2.0 * width)));
}

}  // namespace podwright
