#pragma once
/// A step ends with its slowest GPU.
#include <cmath>

#include "base/formula.h"

namespace podwright {

/// Expected time of the slowest of many GPUs over the mean, when their times are independent and normal with standard
/// deviation `variation` (a share of the mean). `log_gpus` is the natural logarithm of their number, `log_log_gpus` the
/// logarithm of that. Within 7 % of the exact excess from 8 GPUs on; one GPU has none. 1.3766 is ln(4 pi) - 2 x Euler's
/// constant.
inline double slowest_over_mean(double variation, double log_gpus, double log_log_gpus) {
  const double width = std::sqrt(2.0 * log_gpus);
  return 1.0 + variation * (width - (log_log_gpus + 1.3765929171662249) / (2.0 * width));
}
inline constexpr Formula<slowest_over_mean> kSlowestOverMean{
    .id = "reliability.slowest_over_mean",
    .inputs = {"variation", "log_gpus", "log_log_gpus"},
    .equation =
        "1 + variation * (sqrt(2 * log_gpus) - (log_log_gpus + 1.3765929171662249) / (2 * sqrt(2 * "
        "log_gpus)))",
    .source = "Cramer 1946, Mathematical Methods of Statistics, section 28.6"};

}  // namespace podwright
