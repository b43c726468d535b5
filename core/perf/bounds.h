#pragma once
/// Bounds of 90 % prediction intervals, of training and of serving alike. docs/method/accuracy.md#intervals.
#include <string_view>
#include <type_traits>

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/trace.h"
#include "perf/interval_formulas.h"

namespace podwright {

inline constexpr std::string_view kIntervalPage = "docs/method/accuracy.md#intervals";

template <class Tracer, class T>
struct Bounds {
  typename Tracer::template Known<T> low{};
  typename Tracer::template Known<T> high{};
};

/// Factors from a prediction to its bounds.
template <class Tracer>
struct BoundFactors {
  typename Tracer::template Known<double> below{};
  typename Tracer::template Known<double> above{};

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
