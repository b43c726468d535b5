#pragma once
/// `roofline` of a serving estimate: roofs of its GPU and the steps below them, as a member of an open object.
#include "base/json_write.h"
#include "perf/estimate_serving.h"
#include "perf/serving_roofline.h"

namespace podwright {

inline constexpr DisplayUnit kInTflop{"_tflop", "TFLOP", 1e12};
inline constexpr DisplayUnit kInFlopPerByte{"_flop_per_byte", "FLOP/B", 1.0};

template <class Tracer>
void write_roofline_point(JsonWriter& out, const RooflinePoint<Tracer>& point) {
  out.begin_object();
  out.text("phase", point.phase);
  out.quantity_as("tokens", unit::kNone, point.tokens);
  out.quantity("time", unit::kSeconds, point.time);
  out.quantity("work", kInTflop, point.work);
  out.quantity("memory_traffic", unit::kGb, point.traffic);
  out.quantity("intensity", kInFlopPerByte, point.intensity);
  out.quantity("attained", unit::kTflops, point.attained);
  if (point.bounds) {
    out.quantity_as("attained_tflops_low", unit::kTflops, point.bounds->low);
    out.quantity_as("attained_tflops_high", unit::kTflops, point.bounds->high);
  }
  out.quantity("roof", unit::kTflops, point.roof);
  out.quantity_as("roof_fraction", unit::kNone, point.share);
  out.text("limit", point.compute_binds ? "compute" : "memory-bandwidth");
  out.end_object();
}

/// Writes nothing where the estimate has no step (it does not fit, a rate is not known, pools) or the data sheet no
/// roof.
template <class Tracer>
void write_roofline(JsonWriter& out, Tracer& trace, const Gpu& gpu, const ServingRun& run,
                    const ServingEstimate<Tracer>& estimate) {
  if (!estimate.performance || !estimate.costs) return;
  const auto roofline = serving_roofline(trace, gpu, run, *estimate.costs, estimate.performance->lane, estimate.widths);
  if (!roofline) return;
  out.begin_object("roofline");
  out.text("precision", roofline->precision);
  out.quantity_as("tflops", unit::kTflops, roofline->peak);
  out.quantity("memory", unit::kGbPerSecond, roofline->bandwidth);
  out.quantity("ridge", kInFlopPerByte, roofline->ridge);
  out.begin_list("points");
  for (const RooflinePoint<Tracer>& point : roofline->points) write_roofline_point(out, point);
  out.end_list();
  out.end_object();
}

}  // namespace podwright
