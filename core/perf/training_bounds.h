#pragma once
/// Bounds of the 90 % prediction intervals of a training estimate. Time, rates and what follows from them move
/// together: they share the two factors. docs/method/accuracy.md#intervals.
#include <optional>

#include "perf/bounds.h"
#include "perf/training_interval.h"
#include "perf/training_step.h"

namespace podwright {

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
  bounds.time = factors.of("perf.step_time_bound", step.total);
  bounds.tokens_per_s = factors.of("perf.tokens_bound", step.tokens_per_s);
  bounds.tokens_per_s_per_gpu = factors.of("perf.tokens_per_gpu_bound", step.tokens_per_s_per_gpu);
  bounds.model_flops_per_gpu = factors.of("perf.model_flops_bound", step.model_flops_per_gpu);
  bounds.mfu = factors.of("perf.mfu_bound", step.mfu);
  bounds.hfu = factors.of("perf.hfu_bound", step.hfu);
  return bounds;
}

}  // namespace podwright
