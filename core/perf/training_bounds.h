#pragma once
/// Bounds of the 90 % prediction intervals of a training estimate. Time, rates and what follows from them move
/// together: they share the two factors. docs/method/accuracy.md#intervals.
#include <optional>

#include "base/math.h"
#include "base/trace.h"
#include "perf/interval_formulas.h"
#include "perf/training_interval.h"
#include "perf/training_step.h"

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

template <class Tracer>
struct StepBounds {
  BoundFactors<Tracer> factors;
  Bounds<Tracer, Seconds> time;
  Bounds<Tracer, PerSecond> tokens_per_s;
  Bounds<Tracer, PerSecond> tokens_per_s_per_gpu;
  Bounds<Tracer, FlopsPerSecond> model_flops_per_gpu;
  Bounds<Tracer, double> mfu;
  Bounds<Tracer, double> hfu;
};

template <class Tracer>
StepBounds<Tracer> step_bounds(Tracer& trace, const TrainingStep<Tracer>& step, double half_width) {
  StepBounds<Tracer> bounds;
  const BoundFactors<Tracer> factors = bound_factors(trace, "perf.interval_low", "perf.interval_high", half_width);
  bounds.factors = factors;
  bounds.time = factors.template of<Seconds>(trace, "perf.step_time_bound", kBoundOfTime, step.total);
  bounds.tokens_per_s = factors.template of<PerSecond>(trace, "perf.tokens_bound", kBoundOfRate, step.tokens_per_s);
  bounds.tokens_per_s_per_gpu =
      factors.template of<PerSecond>(trace, "perf.tokens_per_gpu_bound", kBoundOfRate, step.tokens_per_s_per_gpu);
  bounds.model_flops_per_gpu = factors.template of<FlopsPerSecond>(trace, "perf.model_flops_bound", kBoundOfArithmetic,
                                                                   step.model_flops_per_gpu);
  bounds.mfu = factors.template of<double>(trace, "perf.mfu_bound", kBoundOfRatio, step.mfu);
  bounds.hfu = factors.template of<double>(trace, "perf.hfu_bound", kBoundOfRatio, step.hfu);
  return bounds;
}

}  // namespace podwright
