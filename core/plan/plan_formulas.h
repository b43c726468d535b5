#pragma once
/// What joins the wings: GPUs for a growing demand.
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

}  // namespace podwright
