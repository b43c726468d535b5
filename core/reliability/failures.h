#pragma once
/// Failures of many GPUs that work on one thing: each one's failure stops all. Failures are independent and come at a
/// constant rate, so rates add. docs/method/calendar.md#failures.
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// GPU time that passes for each failure, from what a fleet saw in a window.
constexpr Seconds gpu_time_per_failure(double gpus, Seconds window, double failures) {
  return gpus * window / failures;
}
inline constexpr Formula<gpu_time_per_failure> kGpuTimePerFailure{.id = "reliability.gpu_time_per_failure",
                                                                  .inputs = {"gpus", "window", "failures"},
                                                                  .equation = "gpus * window / failures",
                                                                  .source = "arXiv 2407.21783 section 3.3.4"};

/// Mean time between failures of a job on `gpus` GPUs.
constexpr Seconds mean_time_between_failures(Seconds gpu_time_per_failure, double gpus) {
  return gpu_time_per_failure / gpus;
}
inline constexpr Formula<mean_time_between_failures> kMeanTimeBetweenFailures{
    .id = "reliability.mean_time_between_failures",
    .inputs = {"gpu_time_per_failure", "gpus"},
    .equation = "gpu_time_per_failure / gpus",
    .source = "arXiv 2410.21680 section 3"};

/// Failures that a run meets on average.
constexpr double expected_failures(Seconds run, Seconds mean_time_between_failures) {
  return run / mean_time_between_failures;
}
inline constexpr Formula<expected_failures> kExpectedFailures{.id = "reliability.expected_failures",
                                                              .inputs = {"run", "mean_time_between_failures"},
                                                              .equation = "run / mean_time_between_failures",
                                                              .source = "constant failure rate"};

}  // namespace podwright
