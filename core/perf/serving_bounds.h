#pragma once
/// Bounds of the 90 % prediction intervals of a serving estimate. docs/method/accuracy.md#intervals.
#include <algorithm>
#include <optional>

#include "perf/serving_interval.h"
#include "perf/serving_performance.h"
#include "perf/training_bounds.h"

namespace podwright {

template <class Tracer>
struct ServingBounds {
  std::optional<Bounds<Tracer, Seconds>> ttft;
  std::optional<Bounds<Tracer, Seconds>> tpot;
  std::optional<Bounds<Tracer, Seconds>> request;
  Bounds<Tracer, PerSecond> requests_per_s;
  Bounds<Tracer, PerSecond> output_tokens_per_s;
  Bounds<Tracer, PerSecond> total_tokens_per_s;
  Bounds<Tracer, PerSecond> output_tokens_per_s_per_gpu;
};

/// A request's time moves with its answer's, or with its prompt's where it has no answer.
template <class Tracer>
ServingBounds<Tracer> serving_bounds(Tracer& trace, const ServingPerformance<Tracer>& performance,
                                     const ServingWidths& widths, const ServingRun& run) {
  const bool fixed = run.load.kind == LoadKind::static_batch;
  const bool answers = run.output_tokens > 1;
  const double steps = fixed ? widths.throughput : widths.tpot;
  const double rates = !answers                                             ? widths.prompt
                       : fixed || run.load.kind == LoadKind::max_throughput ? widths.throughput
                                                                            : widths.tpot;
  const auto of_first = bound_factors(trace, "perf.ttft_low", "perf.ttft_high", fixed ? widths.prompt : widths.ttft);
  const auto of_steps = bound_factors(trace, "perf.tpot_low", "perf.tpot_high", steps);
  const auto of_rates = bound_factors(trace, "perf.throughput_low", "perf.throughput_high", rates);
  const auto of_request = bound_factors(trace, "perf.request_low", "perf.request_high",
                                        answers ? std::max(steps, 0.5 * widths.ttft) : widths.prompt);
  ServingBounds<Tracer> bounds;
  if (performance.ttft)
    bounds.ttft = of_first.template of<Seconds>(trace, "perf.ttft_bound", kBoundOfTime, *performance.ttft);
  if (performance.tpot)
    bounds.tpot = of_steps.template of<Seconds>(trace, "perf.tpot_bound", kBoundOfTime, *performance.tpot);
  if (performance.request)
    bounds.request = of_request.template of<Seconds>(trace, "perf.request_bound", kBoundOfTime, *performance.request);
  const auto rate = [&](std::string_view id, const auto& prediction) {
    return of_rates.template of<PerSecond>(trace, id, kBoundOfRate, prediction);
  };
  bounds.requests_per_s = rate("perf.requests_bound", performance.requests_per_s);
  bounds.output_tokens_per_s = rate("perf.output_tokens_bound", performance.output_tokens_per_s);
  bounds.total_tokens_per_s = rate("perf.total_tokens_bound", performance.total_tokens_per_s);
  bounds.output_tokens_per_s_per_gpu =
      rate("perf.output_tokens_per_gpu_bound", performance.output_tokens_per_s_per_gpu);
  return bounds;
}

}  // namespace podwright
