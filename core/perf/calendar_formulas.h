#pragma once
/// From a rate to days, GPU time, energy and money. docs/method/calendar.md.
#include <algorithm>
#include <cmath>

#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Steps wait for the slowest GPU.
constexpr auto straggling_time(Of<Seconds> auto time, Of<double> auto slowest_over_mean) {
  return cited("docs/method/calendar.md#stragglers", time * slowest_over_mean);
}

/// GPU time of a run, in GPU-seconds.
constexpr auto gpu_time(Of<double> auto gpu_count, Of<Seconds> auto run) { return gpu_count * run; }

/// Energy of a run; `power_per_gpu` is the mean at the meter with everything around a GPU.
constexpr auto run_energy(Of<Seconds> auto gpu_time, Of<Watts> auto power_per_gpu) { return gpu_time * power_per_gpu; }

/// Rent of the GPU time of one run.
constexpr auto run_rent(Of<Seconds> auto gpu_time, Of<UsdPerSecond> auto per_gpu) { return gpu_time * per_gpu; }

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

constexpr auto rate_of_tokens(Of<Flops> auto per_token, Of<PerSecond> auto tokens_per_s) {
  return per_token * tokens_per_s;
}

constexpr auto rate_of_utilisation(Of<double> auto utilisation, Of<FlopsPerSecond> auto peak) {
  return cited("arXiv 2204.02311 appendix B", utilisation * peak);
}

constexpr auto share_of_peak(Of<FlopsPerSecond> auto rate, Of<FlopsPerSecond> auto peak) {
  return cited("arXiv 2204.02311 appendix B", rate / peak);
}

}  // namespace podwright
