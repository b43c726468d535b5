#pragma once
/// What joins the wings: GPUs for demand that varies and grows.
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

/// GPUs that serving keeps busy on average, in step with the rate of requests.
constexpr double mean_serving_gpus(double peak_gpus, PerSecond mean_rate, PerSecond peak_rate) {
  return peak_gpus * (mean_rate / peak_rate);
}
inline constexpr Formula<mean_serving_gpus> kMeanServingGpus{.id = "plan.mean_serving_gpus",
                                                             .inputs = {"peak_gpus", "mean_rate", "peak_rate"},
                                                             .equation = "peak_gpus * (mean_rate / peak_rate)",
                                                             .source = "docs/method/decision.md#demand"};

/// Runs that must go on at once where they do not fit into a year one after the other.
inline double simultaneous_runs(Seconds run_time, double runs_per_year) {
  return std::ceil(run_time * runs_per_year / years(1));
}
inline constexpr Formula<simultaneous_runs> kSimultaneousRuns{.id = "plan.simultaneous_runs",
                                                              .inputs = {"run_time", "runs_per_year"},
                                                              .equation = "ceil(run_time * runs_per_year / 31536000)",
                                                              .source = "docs/method/decision.md#demand"};

constexpr double gpus_of_runs(double gpus_of_run, double runs) { return gpus_of_run * runs; }
inline constexpr Formula<gpus_of_runs> kGpusOfRuns{.id = "plan.gpus_of_runs",
                                                   .inputs = {"gpus_of_run", "runs"},
                                                   .equation = "gpus_of_run * runs",
                                                   .source = "definition"};

/// Runs that each of them does in a year.
constexpr double runs_of_each(double runs_per_year, double runs) { return runs_per_year / runs; }
inline constexpr Formula<runs_of_each> kRunsOfEach{.id = "plan.runs_of_each",
                                                   .inputs = {"runs_per_year", "runs"},
                                                   .equation = "runs_per_year / runs",
                                                   .source = "definition"};

}  // namespace podwright
