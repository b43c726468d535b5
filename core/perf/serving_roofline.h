#pragma once
/// The steps of a deployment under the roofs of its GPU. docs/method/serving_time.md#roofline.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "perf/bounds.h"
#include "perf/lane_times.h"
#include "perf/serving_interval.h"
#include "perf/step_work.h"

namespace podwright {

/// One kind of step: a GPU's work, traffic and time in it, and how near it comes to the roof above it.
template <class Tracer>
struct RooflinePoint {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  std::string_view phase;  ///< decode: sequences only; prefill: with prompt tokens, what decodes rides along
  Known<double> tokens{};  ///< of the step, drafts aside
  Known<Seconds> time{};
  Known<Flops> work{};
  Known<Bytes> traffic{};
  Known<FlopsPerByte> intensity{};
  Known<FlopsPerSecond> attained{};
  std::optional<Bounds<Tracer, FlopsPerSecond>> bounds;  ///< of `attained`, 90 %; never above the roof
  Known<FlopsPerSecond> roof{};                          ///< what the data sheet allows at this intensity
  Known<double> share{};                                 ///< of the roof that is reached, 0..1
  bool compute_binds = false;                            ///< the roof is that of arithmetic, not of memory
};

/// Roofs are those of the data sheet for dense products, per GPU.
template <class Tracer>
struct ServingRoofline {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  std::string precision;  ///< of the products
  Known<FlopsPerSecond> peak{};
  Known<BytesPerSecond> bandwidth{};
  Known<FlopsPerByte> ridge{};
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
