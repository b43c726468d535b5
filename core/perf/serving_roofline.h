#pragma once
/// Work and memory traffic of the steps of a deployment, and the roofs of its GPU above them.
/// docs/method/serving_time.md#roofline.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "perf/bounds.h"
#include "perf/engine_step.h"
#include "perf/serving_interval.h"
#include "perf/serving_lane.h"
#include "perf/speculative.h"

namespace podwright {

template <class Tracer>
struct StepWork {
  Known<Tracer, Flops> work{};     ///< of products and attention
  Known<Tracer, Bytes> traffic{};  ///< weights, keys and values, states, rows in and out of products
};

/// Of the engine's own step.
template <class Tracer>
StepWork<Tracer> step_work(Tracer& trace, const EngineCosts<Tracer>& costs, const StepLoad<Tracer>& load) {
  const StepRows<Tracer> rows = rows_of_step(trace, costs, load);
  Total<Tracer, Flops> work;
  Total<Tracer, Bytes> traffic;
  for (const StepProducts<Tracer>& product : costs.products) {
    work.add(named("perf.products_work", products_work(product.count, rows.own_tokens, product.row_work)));
    traffic.add(named("perf.products_traffic",
                      products_traffic(product.count, 1.0, product.weights, rows.own_tokens, product.row_traffic)));
  }
  const StepExperts<Tracer>& experts = costs.experts;
  if (value_of(experts.count) > 0) {
    const ExpertLoad<Tracer> routed = experts_of_step(experts, rows.tokens);
    work.add(named("perf.experts_work", products_work(experts.count, routed.rows, experts.row_work)));
    traffic.add(named("perf.experts_traffic", products_traffic(experts.count, routed.touched, experts.weights,
                                                               routed.rows, experts.row_traffic)));
  }
  work.add(named("perf.head_work", costs.head_work_per_row * rows.own_rows));
  work.add(named("perf.decode_attention_work_of_step", costs.decode_attention_work * rows.own_sequences));
  work.add(named("perf.prefill_attention_work_of_step", costs.prefill_attention_work * rows.own_prompts));
  traffic.add(costs.head_bytes);
  traffic.add(named("perf.cache_traffic_of_step", costs.cache_traffic * rows.own_sequences));
  return {.work = work.sum(trace, "perf.work_of_step"), .traffic = traffic.sum(trace, "perf.traffic_of_step")};
}

/// With the draft's steps before it where there is a draft, as lane_step() takes their times.
template <class Tracer>
StepWork<Tracer> lane_work(Tracer& trace, const EngineCosts<Tracer>& costs, const StepLoad<Tracer>& load) {
  if (!costs.drafting) return step_work(trace, costs, load);
  const Drafting<Tracer>& drafting = *costs.drafting;
  StepWork<Tracer> step = step_work(trace, costs, verified_load(trace, drafting, load));
  StepWork<Tracer> first = step_work(trace, drafting.costs, load);
  Total<Tracer, Flops> work;
  Total<Tracer, Bytes> traffic;
  work.add(step.work);
  work.add(first.work);
  traffic.add(step.traffic);
  traffic.add(first.traffic);
  if (value_of(load.decoding) > 0) {
    const StepWork<Tracer> later = step_work(trace, drafting.costs, {load.decoding, 0.0, 0.0});
    const auto times = named("perf.later_drafts", later_drafts(drafting.drafts));
    work.add(named("perf.later_drafts_work", later.work * times));
    traffic.add(named("perf.later_drafts_traffic", later.traffic * times));
  }
  return {.work = work.sum(trace, "perf.work_with_draft"), .traffic = traffic.sum(trace, "perf.traffic_with_draft")};
}

/// One kind of step: a GPU's work, traffic and time in it, and how near it comes to the roof above it.
template <class Tracer>
struct RooflinePoint {
  std::string_view phase;          ///< decode: sequences only; prefill: with prompt tokens, what decodes rides along
  Known<Tracer, double> tokens{};  ///< of the step, drafts aside
  Known<Tracer, Seconds> time{};
  Known<Tracer, Flops> work{};
  Known<Tracer, Bytes> traffic{};
  Known<Tracer, FlopsPerByte> intensity{};
  Known<Tracer, FlopsPerSecond> attained{};
  std::optional<Bounds<Tracer, FlopsPerSecond>> bounds;  ///< of `attained`, 90 %; never above the roof
  Known<Tracer, FlopsPerSecond> roof{};                  ///< what the data sheet allows at this intensity
  Known<Tracer, double> share{};                         ///< of the roof that is reached, 0..1
  bool compute_binds = false;                            ///< the roof is that of arithmetic, not of memory
};

/// Roofs are those of the data sheet for dense products, per GPU.
template <class Tracer>
struct ServingRoofline {
  std::string precision;  ///< of the products
  Known<Tracer, FlopsPerSecond> peak{};
  Known<Tracer, BytesPerSecond> bandwidth{};
  Known<Tracer, FlopsPerByte> ridge{};
  std::vector<RooflinePoint<Tracer>> points;
};

/// `half_width` is that of the logarithm of the step's time; absent where none is known.
template <class Tracer>
RooflinePoint<Tracer> roofline_point(Tracer& trace, std::string_view phase, const EngineCosts<Tracer>& costs,
                                     const StepLoad<Tracer>& load, const StepTimes<Tracer>& step,
                                     const ServingRoofline<Tracer>& roofs, const std::optional<double>& half_width) {
  const StepWork<Tracer> done = lane_work(trace, costs, load);
  RooflinePoint<Tracer> point;
  point.phase = phase;
  point.tokens = sum_of(trace, "perf.tokens_of_step", load.decoding, load.prompt_tokens);
  point.time = step.total;
  point.work = done.work;
  point.traffic = done.traffic;
  point.intensity = named("perf.step_intensity", arithmetic_intensity(done.work, done.traffic));
  point.attained = named("perf.attained_rate", attained_rate(done.work, step.total));
  point.roof = named("perf.roof_of_step", attainable_rate(point.intensity, roofs.bandwidth, roofs.peak));
  point.share = named("perf.roof_share", roof_share(point.attained, point.roof));
  point.compute_binds = value_of(point.intensity) >= value_of(roofs.ridge);
  if (half_width) {
    const auto factors = bound_factors(trace, "perf.attained_low", "perf.attained_high", *half_width);
    const auto bounds = factors.of("perf.attained_bound", point.attained);
    point.bounds = {bounds.low, named("perf.attained_within_roof", min(bounds.high, point.roof))};
  }
  return point;
}

/// Absent where the data sheet lacks a roof. `widths` are those of the estimate's intervals.
template <class Tracer>
std::optional<ServingRoofline<Tracer>> serving_roofline(Tracer& trace, const Gpu& gpu, const ServingRun& run,
                                                        const EngineCosts<Tracer>& costs, const LaneTimes<Tracer>& lane,
                                                        const std::optional<ServingWidths>& widths) {
  const auto peak = gpu.peak_dense_flops.find(costs.gemm_precision);
  if (peak == gpu.peak_dense_flops.end() || !gpu.memory_bandwidth) return std::nullopt;
  ServingRoofline<Tracer> roofline;
  roofline.precision = costs.gemm_precision;
  roofline.peak = trace.fact(gpu, "peak_dense_tflops." + costs.gemm_precision, peak->second);
  roofline.bandwidth = trace.fact(gpu, "memory_bandwidth_gb_per_s", *gpu.memory_bandwidth);
  roofline.ridge = named("perf.ridge_point", ridge_point(roofline.peak, roofline.bandwidth));
  const auto width = [&](double half_width) { return widths ? std::optional<double>(half_width) : std::nullopt; };
  const ServingWidths known = widths.value_or(ServingWidths{});
  if (run.output_tokens > 1)
    roofline.points.push_back(roofline_point(trace, "decode", costs, lane.decode_load, lane.decode_step, roofline,
                                             width(width_of(ServingFigure::tpot, run, known))));
  if (value_of(lane.mixed_load.prompt_tokens) > 0)
    roofline.points.push_back(
        roofline_point(trace, "prefill", costs, lane.mixed_load, lane.mixed_step, roofline, width(known.prompt)));
  return roofline;
}

}  // namespace podwright
