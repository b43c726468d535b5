#pragma once
/// Failures of many GPUs that work on one thing: each one's failure stops all. Failures are independent and come at a
/// constant rate, so rates add. docs/method/calendar.md#failures.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Mean time between failures of a job on `gpus` GPUs.
constexpr auto mean_time_between_failures(Of<Seconds> auto gpu_time_per_failure, Of<double> auto gpus) {
  return cited("arXiv 2410.21680 section 3", gpu_time_per_failure / gpus);
}

/// Failures that a run meets on average.
constexpr auto expected_failures(Of<Seconds> auto run, Of<Seconds> auto mean_time_between_failures) {
  return cited("constant failure rate", run / mean_time_between_failures);
}

}  // namespace podwright
