#pragma once
/// From a rate to days, GPU time, energy and money. docs/method/calendar.md.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Steps wait for the slowest GPU.
constexpr Seconds straggling_time(Seconds time, double slowest_over_mean) { return time * slowest_over_mean; }
inline constexpr Formula<straggling_time> kStragglingTime{.id = "perf.straggling_time",
                                                          .inputs = {"time", "slowest_over_mean"},
                                                          .equation = "time * slowest_over_mean",
                                                          .source = "docs/method/calendar.md#stragglers"};

/// GPU time of a run, in GPU-seconds.
constexpr Seconds gpu_time(double gpu_count, Seconds run) { return gpu_count * run; }
inline constexpr Formula<gpu_time> kGpuTime{
    .id = "perf.gpu_time", .inputs = {"gpu_count", "run"}, .equation = "gpu_count * run", .source = "definition"};

/// Energy of a run; `power_per_gpu` is the mean at the meter with everything around a GPU.
constexpr Joules run_energy(Seconds gpu_time, Watts power_per_gpu) { return gpu_time * power_per_gpu; }
inline constexpr Formula<run_energy> kRunEnergy{.id = "perf.run_energy",
                                                .inputs = {"gpu_time", "power_per_gpu"},
                                                .equation = "gpu_time * power_per_gpu",
                                                .source = "definition"};

/// Rent of the GPU time of one run.
constexpr Usd run_rent(Seconds gpu_time, UsdPerSecond per_gpu) { return gpu_time * per_gpu; }
inline constexpr Formula<run_rent> kRunRent{
    .id = "perf.run_rent", .inputs = {"gpu_time", "per_gpu"}, .equation = "gpu_time * per_gpu", .source = "definition"};

/// Time of some work on GPUs that reach a share of their peak.
constexpr Seconds time_at_utilisation(Flops work, double gpus, FlopsPerSecond peak_per_gpu, double utilisation) {
  return work / (gpus * utilisation * peak_per_gpu);
}
inline constexpr Formula<time_at_utilisation> kTimeAtUtilisation{
    .id = "perf.time_at_utilisation",
    .inputs = {"work", "gpus", "peak_per_gpu", "utilisation"},
    .equation = "work / (gpus * utilisation * peak_per_gpu)",
    .source = "arXiv 2104.04473 section 5.1"};

/// GPUs that do some work in a time at a share of their peak.
inline double gpus_for_time(Flops work, Seconds time, FlopsPerSecond peak_per_gpu, double utilisation) {
  return std::ceil(work / (time * utilisation * peak_per_gpu));
}
inline constexpr Formula<gpus_for_time> kGpusForTime{.id = "perf.gpus_for_time",
                                                     .inputs = {"work", "time", "peak_per_gpu", "utilisation"},
                                                     .equation = "ceil(work / (time * utilisation * peak_per_gpu))",
                                                     .source = "arXiv 2104.04473 section 5.1"};

constexpr FlopsPerSecond rate_of_tokens(Flops per_token, PerSecond tokens_per_s) { return per_token * tokens_per_s; }
inline constexpr Formula<rate_of_tokens> kRateOfTokens{.id = "perf.rate_of_tokens",
                                                       .inputs = {"per_token", "tokens_per_s"},
                                                       .equation = "per_token * tokens_per_s",
                                                       .source = "definition"};

constexpr FlopsPerSecond rate_of_utilisation(double utilisation, FlopsPerSecond peak) { return utilisation * peak; }
inline constexpr Formula<rate_of_utilisation> kRateOfUtilisation{.id = "perf.rate_of_utilisation",
                                                                 .inputs = {"utilisation", "peak"},
                                                                 .equation = "utilisation * peak",
                                                                 .source = "arXiv 2204.02311 appendix B"};

constexpr double share_of_peak(FlopsPerSecond rate, FlopsPerSecond peak) { return rate / peak; }
inline constexpr Formula<share_of_peak> kShareOfPeak{.id = "perf.share_of_peak",
                                                     .inputs = {"rate", "peak"},
                                                     .equation = "rate / peak",
                                                     .source = "arXiv 2204.02311 appendix B"};

}  // namespace podwright
