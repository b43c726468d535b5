#pragma once
/// `roofline` of a serving estimate: roofs of its GPU and the steps below them.
#include "api/answer_field.h"
#include "perf/estimate_serving.h"
#include "perf/serving_roofline.h"

namespace podwright {

inline constexpr DisplayUnit kInTflop{"_tflop", "TFLOP", 1e12};
inline constexpr DisplayUnit kInFlopPerByte{"_flop_per_byte", "FLOP/B", 1.0};

template <class Table, class Tracer>
void describe(Table& v, const RooflinePoint<Tracer>& point) {
  v.text({"phase", "Kind of step"}, point.phase);
  v.number({"tokens", "Tokens of the step"}, point.tokens);
  v.number({"time_s", "Time", unit::kSeconds}, point.time);
  v.number({"work_tflop", "Arithmetic", kInTflop}, point.work);
  v.number({"memory_traffic_gb", "Memory traffic", unit::kGb}, point.traffic);
  v.number({"intensity_flop_per_byte", "Arithmetic intensity", kInFlopPerByte}, point.intensity);
  v.number({"attained_tflops", "Rate reached", unit::kTflops}, point.attained, point.bounds);
  v.number({"roof_tflops", "Roof at this intensity", unit::kTflops}, point.roof);
  v.number({"roof_fraction", "Share of the roof"}, point.share);
  v.text({"limit", "Limit"}, point.compute_binds ? "compute" : "memory-bandwidth");
}

template <class Table, class Tracer>
void describe(Table& v, const ServingRoofline<Tracer>& roofline) {
  v.text({"precision", "Precision"}, roofline.precision);
  v.number({"tflops", "Peak arithmetic, dense", unit::kTflops}, roofline.peak);
  v.number({"memory_gb_per_s", "Memory bandwidth", unit::kGbPerSecond}, roofline.bandwidth);
  v.number({"ridge_flop_per_byte", "Ridge", kInFlopPerByte, "Intensity above which arithmetic is the limit"},
           roofline.ridge);
  v.list({"points", "Steps"}, roofline.points);
}

/// Absent where the estimate has no step (it does not fit, a rate is not known, pools) or the data sheet no roof.
template <class Table, class Tracer>
void describe_roofline(Table& v, Tracer& trace, const Gpu* gpu, const ServingRun& run,
                       const ServingEstimate<Tracer>& estimate) {
  v.object({"roofline", "Roofline"}, [&]() -> std::optional<ServingRoofline<Tracer>> {
    if (!estimate.performance || !estimate.costs) return std::nullopt;
    return serving_roofline(trace, *gpu, run, *estimate.costs, estimate.performance->lane, estimate.widths);
  });
}

}  // namespace podwright
