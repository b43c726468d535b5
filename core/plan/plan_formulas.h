#pragma once
/// What joins the wings: GPUs for demand that varies and grows.
#include <cmath>

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// GPUs that the same plan needs when demand has grown for `periods` whole years.
auto grown_gpu_count(Of<double> auto gpu_count, Of<double> auto growth_per_year, Of<double> auto periods) {
  return ceil(gpu_count * math::pow(1.0 + growth_per_year, periods));
}

/// GPUs that serving keeps busy on average, in step with the rate of requests.
constexpr auto mean_serving_gpus(Of<double> auto peak_gpus, Of<PerSecond> auto mean_rate,
                                 Of<PerSecond> auto peak_rate) {
  return cited("docs/method/decision.md#demand", peak_gpus * (mean_rate / peak_rate));
}

/// Runs that must go on at once where they do not fit into a year one after the other.
auto simultaneous_runs(Of<Seconds> auto run_time, Of<double> auto runs_per_year) {
  return cited("docs/method/decision.md#demand", ceil(run_time * runs_per_year / years(1)));
}

}  // namespace podwright
