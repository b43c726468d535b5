#include "perf/serving_queue.h"

#include <algorithm>
#include <cmath>

namespace podwright {

Waiting place_wait(double request, double places, double in_flight, double replicas, const Traffic& traffic) {
  const double own = places / replicas;
  if (!(own >= 1)) return {};
  return open_wait(request, own, in_flight / places, traffic.output_cv);
}

Waiting closed_wait(double waiting, double rate) {
  if (!(waiting > 0) || !(rate > 0)) return {};
  const double mean = waiting / rate;
  return {.mean = mean, .variance = mean * mean / std::max(1.0, waiting)};
}

ServedLatency served_latency(const LaneRhythm& lane, const ServingRun& run, double in_flight, double places,
                             const UnexplainedScatter& unexplained) {
  const Traffic traffic = traffic_of(run);
  Waiting before;
  if (run.load.kind == LoadKind::request_rate) {
    const Waiting place = place_wait(lane.request, places, in_flight, run.parallelism.data, traffic);
    const Waiting prompts = prompt_wait(lane, traffic);
    before = {.mean = place.mean + prompts.mean, .variance = place.variance + prompts.variance};
  } else if (run.load.kind == LoadKind::concurrency) {
    before = closed_wait(run.load.value - in_flight, in_flight / lane.request);
  }
  ServedLatency served;
  const bool generates = lane.after_first > 0;
  served.ttft = before.mean + (generates ? lane.first_token : lane.request);
  served.request = before.mean + lane.request;
  served.tpot = generates ? (lane.request - lane.first_token) / lane.after_first : 0;
  served.scatter = run.load.kind == LoadKind::static_batch
                       ? static_scatter(traffic, served.ttft, served.request)
                       : latency_scatter(lane, traffic, unexplained, served.ttft, before);
  return served;
}

}  // namespace podwright
