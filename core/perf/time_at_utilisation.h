#pragma once
/// From a rate to days, GPU time, energy and money. docs/method/calendar.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// GPU time of a run, in GPU-seconds.
constexpr auto gpu_time(Of<double> auto gpu_count, Of<Seconds> auto run) { return gpu_count * run; }

/// Time of some work on GPUs that reach a share of their peak.
constexpr auto time_at_utilisation(Of<Flops> auto work, Of<double> auto gpus, Of<FlopsPerSecond> auto peak_per_gpu,
                                   Of<double> auto utilisation) {
  return cited("arXiv 2104.04473 section 5.1", work / (gpus * utilisation * peak_per_gpu));
}

/// GPUs that do some work in a time at a share of their peak.
auto gpus_for_time(Of<Flops> auto work, Of<Seconds> auto time, Of<FlopsPerSecond> auto peak_per_gpu,
                   Of<double> auto utilisation) {
  return cited("arXiv 2104.04473 section 5.1", ceil(work / (time * utilisation * peak_per_gpu)));
}

constexpr auto rate_of_utilisation(Of<double> auto utilisation, Of<FlopsPerSecond> auto peak) {
  return cited("arXiv 2204.02311 appendix B", utilisation * peak);
}

}  // namespace podwright
