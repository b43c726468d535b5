#pragma once
/// Bounds of prediction intervals: errors are relative, so a bound is the prediction times a factor.
/// docs/method/accuracy.md#intervals.
#include <algorithm>
#include <cmath>

#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

constexpr auto bound_of(const auto& prediction, Of<double> auto factor) {
  return cited("docs/method/accuracy.md#intervals", prediction * factor);
}

/// Half width of a prediction whose kernels were measured on the machine itself: of the independent errors behind
/// `half_width`, that of kernels told by other machines is replaced by that of the measurement. Never wider.
auto half_width_with_measured_kernels(Of<double> auto half_width, Of<double> auto told, Of<double> auto measured) {
  const auto rest = max(0.0, half_width * half_width - told * told);
  return cited("docs/method/probes.md#intervals-of-measured-machines",
               min(half_width, sqrt(rest + measured * measured)));
}

}  // namespace podwright
