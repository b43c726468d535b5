#pragma once
/// Bounds of the 90 % prediction intervals of a serving estimate. docs/method/accuracy.md#intervals.
#include <algorithm>
#include <optional>

#include "perf/bounds.h"
#include "perf/serving_interval.h"
#include "perf/serving_performance.h"

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
  double most_half_width = 0;  ///< of the logarithm of what the deployment completes at most
};

/// Half a width of a request's time: its first token and its answer err together, each weighs by its share of the time.
/// A request that is its prompt errs as rates of prompts do.
template <class Tracer>
double half_width_of_request(const ServingPerformance<Tracer>& performance, const ServingRun& run, double of_first,
                             double of_steps, double of_prompts) {
  if (run.output_tokens <= 1) return of_prompts;
  if (!performance.ttft || !performance.request) return of_steps;
  const double share = std::min(1.0, value_of(*performance.ttft) / value_of(*performance.request));
  return share * of_first + (1 - share) * of_steps;
}

/// Factors of the rates. Requests that come at a rate are served at it, unless the deployment completes fewer: then the
/// bounds are those of what it completes, and never above what comes.
template <class Tracer>
BoundFactors<Tracer> rate_factors(Tracer& trace, const ServingPerformance<Tracer>& performance,
                                  const ServingWidths& widths, const ServingRun& run) {
  constexpr const char* kLow = "perf.throughput_low";
  constexpr const char* kHigh = "perf.throughput_high";
  if (run.load.kind != LoadKind::request_rate || !performance.stable_requests_per_s)
    return bound_factors(trace, kLow, kHigh, width_of(ServingFigure::rate, run, widths));
  const double of_most = width_of(ServingFigure::most, run, widths);
  const double served = value_of(performance.requests_per_s).base_units();
  const double stable = value_of(*performance.stable_requests_per_s).base_units();
  const auto factor = [&](double half_width) {
    return std::min(run.load.value, stable * math::exp(half_width)) / served;
  };
  return {trace.method(kLow, std::min(1.0, factor(-of_most)), kIntervalPage),
          trace.method(kHigh, performance.stable ? 1.0 : std::max(1.0, factor(of_most)), kIntervalPage)};
}

template <class Tracer>
ServingBounds<Tracer> serving_bounds(Tracer& trace, const ServingPerformance<Tracer>& performance,
                                     const ServingWidths& widths, const ServingRun& run) {
  const double first = width_of(ServingFigure::ttft, run, widths);
  const double steps = width_of(ServingFigure::tpot, run, widths);
  const auto of_first = bound_factors(trace, "perf.ttft_low", "perf.ttft_high", first);
  const auto of_steps = bound_factors(trace, "perf.tpot_low", "perf.tpot_high", steps);
  const auto of_rates = rate_factors(trace, performance, widths, run);
  const auto of_request = bound_factors(trace, "perf.request_low", "perf.request_high",
                                        half_width_of_request(performance, run, first, steps, widths.prompt));
  ServingBounds<Tracer> bounds;
  bounds.most_half_width = width_of(ServingFigure::most, run, widths);
  if (performance.ttft) bounds.ttft = of_first.of("perf.ttft_bound", *performance.ttft);
  if (performance.tpot) bounds.tpot = of_steps.of("perf.tpot_bound", *performance.tpot);
  if (performance.request) bounds.request = of_request.of("perf.request_bound", *performance.request);
  const auto rate = [&](std::string_view id, const auto& prediction) { return of_rates.of(id, prediction); };
  bounds.requests_per_s = rate("perf.requests_bound", performance.requests_per_s);
  bounds.output_tokens_per_s = rate("perf.output_tokens_bound", performance.output_tokens_per_s);
  bounds.total_tokens_per_s = rate("perf.total_tokens_bound", performance.total_tokens_per_s);
  bounds.output_tokens_per_s_per_gpu =
      rate("perf.output_tokens_per_gpu_bound", performance.output_tokens_per_s_per_gpu);
  return bounds;
}

}  // namespace podwright
