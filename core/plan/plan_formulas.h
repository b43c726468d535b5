#pragma once
/// What joins the wings: how many GPUs a plan holds, how long a run takes, what a growing demand needs.
#include <cmath>

#include "base/formula.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// GPUs that the same plan needs when demand has grown for `periods` whole years.
inline double grown_gpu_count(double gpu_count, double growth_per_year, double periods) {
  return std::ceil(gpu_count * math::pow(1.0 + growth_per_year, periods));
}
inline constexpr Formula<grown_gpu_count> kGrownGpuCount{
    .id = "plan.grown_gpu_count",
    .inputs = {"gpu_count", "growth_per_year", "periods"},
    .equation = "ceil(gpu_count * (1 + growth_per_year) ^ periods)",
    .source = "definition"};

/// Tokens that a deployment puts out on average.
constexpr PerSecond mean_token_rate(PerSecond requests, double tokens_per_request) {
  return requests * tokens_per_request;
}
inline constexpr Formula<mean_token_rate> kMeanTokenRate{.id = "plan.mean_token_rate",
                                                         .inputs = {"requests", "tokens_per_request"},
                                                         .equation = "requests * tokens_per_request",
                                                         .source = "definition"};

/// Wall time of a training run without failures.
constexpr Seconds training_run_time(double tokens, PerSecond tokens_per_s) { return tokens / tokens_per_s; }
inline constexpr Formula<training_run_time> kTrainingRunTime{.id = "plan.run_time",
                                                             .inputs = {"tokens", "tokens_per_s"},
                                                             .equation = "tokens / tokens_per_s",
                                                             .source = "definition"};

/// GPU time of a run, in GPU-seconds.
constexpr Seconds gpu_time(double gpu_count, Seconds run) { return gpu_count * run; }
inline constexpr Formula<gpu_time> kGpuTime{
    .id = "plan.gpu_time", .inputs = {"gpu_count", "run"}, .equation = "gpu_count * run", .source = "definition"};

/// Rent of the GPU time of one run.
constexpr Usd run_rent(Seconds gpu_time, UsdPerSecond per_gpu) { return gpu_time * per_gpu; }
inline constexpr Formula<run_rent> kRunRent{
    .id = "plan.run_rent", .inputs = {"gpu_time", "per_gpu"}, .equation = "gpu_time * per_gpu", .source = "definition"};

}  // namespace podwright
