#pragma once
/// What joins the wings: GPUs for a growing demand, GPU time of a run and its rent.
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

/// GPU time of a run, in GPU-seconds.
constexpr Seconds gpu_time(double gpu_count, Seconds run) { return gpu_count * run; }
inline constexpr Formula<gpu_time> kGpuTime{
    .id = "plan.gpu_time", .inputs = {"gpu_count", "run"}, .equation = "gpu_count * run", .source = "definition"};

/// Rent of the GPU time of one run.
constexpr Usd run_rent(Seconds gpu_time, UsdPerSecond per_gpu) { return gpu_time * per_gpu; }
inline constexpr Formula<run_rent> kRunRent{
    .id = "plan.run_rent", .inputs = {"gpu_time", "per_gpu"}, .equation = "gpu_time * per_gpu", .source = "definition"};

}  // namespace podwright
