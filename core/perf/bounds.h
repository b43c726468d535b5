#pragma once
/// Bounds of 90 % prediction intervals, of training and of serving alike. docs/method/accuracy.md#intervals.
#include <string_view>
#include <type_traits>

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/trace.h"

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

/// Half width of the logarithm of a prediction that follows a measured ratio: both errors are independent.
auto half_width_with_ratio(Of<double> auto half_width, Of<double> auto ratio) {
  return cited("sum of independent errors", sqrt(half_width * half_width + ratio * ratio));
}

inline constexpr std::string_view kIntervalPage = "docs/method/accuracy.md#intervals";

template <class Tracer, class T>
struct Bounds {
  Known<Tracer, T> low{};
  Known<Tracer, T> high{};
};

/// Factors from a prediction to its bounds.
template <class Tracer>
struct BoundFactors {
  Known<Tracer, double> below{};
  Known<Tracer, double> above{};

  template <class Known>
  auto of(std::string_view id, const Known& prediction) const {
    using T = std::remove_cvref_t<decltype(value_of(prediction))>;
    return Bounds<Tracer, T>{named(id, bound_of(prediction, below)), named(id, bound_of(prediction, above))};
  }
};

/// `what` names the two nodes that all bounds of one kind share.
template <class Tracer>
BoundFactors<Tracer> bound_factors(Tracer& trace, std::string_view low, std::string_view high, double half_width) {
  return {trace.method(low, math::exp(-half_width), kIntervalPage),
          trace.method(high, math::exp(half_width), kIntervalPage)};
}

}  // namespace podwright
