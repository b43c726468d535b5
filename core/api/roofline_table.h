#pragma once
/// `roofline` of a serving estimate: roofs of its GPU and the steps below them.
#include "api/answer_field.h"
#include "perf/estimate_serving.h"
#include "perf/serving_roofline.h"

namespace podwright {

template <class Table, class Tracer>
void describe(Table& v, const RooflinePoint<Tracer>& point) {
  v.text({"phase"}, point.phase);
  v.number({"tokens"}, point.tokens);
  v.number({"time_s", unit::kSeconds}, point.time);
  v.number({"work_tflop", unit::kTflop}, point.work);
  v.number({"memory_traffic_gb", unit::kGb}, point.traffic);
  v.number({"intensity_flop_per_byte", "Arithmetic intensity", unit::kFlopPerByte}, point.intensity);
  v.number({"attained_tflops", unit::kTflops}, point.attained, point.bounds);
  v.number({"roof_tflops", unit::kTflops}, point.roof);
  v.number({"roof_fraction", "Share of the roof"}, point.share);
  v.text({"limit"}, point.compute_binds ? "compute" : "memory-bandwidth");
}

template <class Table, class Tracer>
void describe(Table& v, const ServingRoofline<Tracer>& roofline) {
  v.text({"precision"}, roofline.precision);
  v.number({"tflops", "Peak arithmetic, dense", unit::kTflops}, roofline.peak);
  v.number({"memory_gb_per_s", "Memory bandwidth", unit::kGbPerSecond}, roofline.bandwidth);
  v.number({"ridge_flop_per_byte", unit::kFlopPerByte, "Intensity above which arithmetic is the limit"},
           roofline.ridge);
  v.list({"points"}, roofline.points);
}

/// Absent where the estimate has no step (it does not fit, a rate is not known, pools) or the data sheet no roof.
template <class Table, class Tracer>
void describe_roofline(Table& v, Tracer& trace, const Gpu* gpu, const ServingRun& run,
                       const ServingEstimate<Tracer>& estimate) {
  v.object({"roofline", "Roofline: work for each byte read"}, [&]() -> std::optional<ServingRoofline<Tracer>> {
    if (!estimate.performance || !estimate.costs) return std::nullopt;
    return serving_roofline(trace, *gpu, run, *estimate.costs, estimate.performance->lane, estimate.widths);
  });
}

}  // namespace podwright
