#pragma once
/// Bounds of 90 % prediction intervals, of training and of serving alike. docs/method/accuracy.md#intervals.
#include <string_view>

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

  template <class T, auto Function>
  Bounds<Tracer, T> of(Tracer& trace, std::string_view id, const Formula<Function>& formula,
                       const typename Tracer::template Known<T>& prediction) const {
    return {trace.step(id, formula, prediction, below), trace.step(id, formula, prediction, above)};
  }
};

/// `what` names the two nodes that all bounds of one kind share.
template <class Tracer>
BoundFactors<Tracer> bound_factors(Tracer& trace, std::string_view low, std::string_view high, double half_width) {
  return {trace.method(low, math::exp(-half_width), kIntervalPage),
          trace.method(high, math::exp(half_width), kIntervalPage)};
}

}  // namespace podwright
