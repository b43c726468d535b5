#pragma once
/// Bounds of prediction intervals: errors are relative, so a bound is the prediction times a factor. One function for
/// each unit. docs/method/accuracy.md#intervals.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

constexpr double bound_of_ratio(double prediction, double factor) { return prediction * factor; }
inline constexpr Formula<bound_of_ratio> kBoundOfRatio{.id = "perf.bound_of_ratio",
                                                       .inputs = {"prediction", "factor"},
                                                       .equation = "prediction * factor",
                                                       .source = "docs/method/accuracy.md#intervals"};

constexpr Seconds bound_of_time(Seconds prediction, double factor) { return prediction * factor; }
inline constexpr Formula<bound_of_time> kBoundOfTime{.id = "perf.bound_of_time",
                                                     .inputs = {"prediction", "factor"},
                                                     .equation = "prediction * factor",
                                                     .source = "docs/method/accuracy.md#intervals"};

constexpr PerSecond bound_of_rate(PerSecond prediction, double factor) { return prediction * factor; }
inline constexpr Formula<bound_of_rate> kBoundOfRate{.id = "perf.bound_of_rate",
                                                     .inputs = {"prediction", "factor"},
                                                     .equation = "prediction * factor",
                                                     .source = "docs/method/accuracy.md#intervals"};

constexpr FlopsPerSecond bound_of_arithmetic(FlopsPerSecond prediction, double factor) { return prediction * factor; }
inline constexpr Formula<bound_of_arithmetic> kBoundOfArithmetic{.id = "perf.bound_of_arithmetic",
                                                                 .inputs = {"prediction", "factor"},
                                                                 .equation = "prediction * factor",
                                                                 .source = "docs/method/accuracy.md#intervals"};

constexpr Bytes bound_of_memory(Bytes prediction, double factor) { return prediction * factor; }
inline constexpr Formula<bound_of_memory> kBoundOfMemory{.id = "perf.bound_of_memory",
                                                         .inputs = {"prediction", "factor"},
                                                         .equation = "prediction * factor",
                                                         .source = "docs/method/accuracy.md#intervals"};

constexpr Joules bound_of_energy(Joules prediction, double factor) { return prediction * factor; }
inline constexpr Formula<bound_of_energy> kBoundOfEnergy{.id = "perf.bound_of_energy",
                                                         .inputs = {"prediction", "factor"},
                                                         .equation = "prediction * factor",
                                                         .source = "docs/method/accuracy.md#intervals"};

constexpr Usd bound_of_money(Usd prediction, double factor) { return prediction * factor; }
inline constexpr Formula<bound_of_money> kBoundOfMoney{.id = "perf.bound_of_money",
                                                       .inputs = {"prediction", "factor"},
                                                       .equation = "prediction * factor",
                                                       .source = "docs/method/accuracy.md#intervals"};

/// Half width of a prediction whose kernels were measured on the machine itself: of the independent errors behind
/// `half_width`, that of kernels told by other machines is replaced by that of the measurement. Never wider.
inline double half_width_with_measured_kernels(double half_width, double told, double measured) {
  const double rest = std::max(0.0, half_width * half_width - told * told);
  return std::min(half_width, std::sqrt(rest + measured * measured));
}
inline constexpr Formula<half_width_with_measured_kernels> kHalfWidthWithMeasuredKernels{
    .id = "perf.half_width_with_measured_kernels",
    .inputs = {"half_width", "told", "measured"},
    .equation = "min(half_width, sqrt(max(0, half_width^2 - told^2) + measured^2))",
    .source = "docs/method/probes.md#intervals-of-measured-machines"};

}  // namespace podwright
