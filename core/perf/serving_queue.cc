#include "perf/serving_queue.h"

#include <algorithm>
#include <cmath>

#include "perf/even_stream.h"

namespace podwright {

double Latency::quantile(Percentile percentile) const {
  const double whole = mean + place.mean() + prompts.mean();
  if (percentile == Percentile::mean) return whole;
  const double median = quantile_of(mean, scatter, Percentile::p50);
  const double beyond = quantile_of(mean, scatter, percentile) - median;
  const double waits = place.quantile(percentile) + prompts.quantile(percentile);
  const double quantile = median + std::sqrt(beyond * beyond + waits * waits);
  return percentile == Percentile::p99 ? std::max(quantile, whole) : quantile;
}

ServedLatency served_latency(const LaneRhythm& lane, const ServingRun& run, const Occupancy& held,
                             const UnexplainedScatter& unexplained) {
  Traffic traffic = traffic_of(run);
  traffic.thinking = held.thinking;
  const LatencyScatter scatter = run.load.kind == LoadKind::static_batch ? static_scatter(lane, traffic)
                                                                         : latency_scatter(lane, traffic, unexplained);
  const bool generates = lane.after_first > 0;
  const double first = generates ? lane.first_token : lane.request;
  ServedLatency served;
  served.ttft.mean = first;
  served.ttft.scatter = scatter.ttft;
  served.request.mean = lane.request;
  served.request.scatter = scatter.request;
  if (generates) {
    served.tpot.mean = (lane.request - lane.first_token) / lane.after_first;
    served.tpot.scatter = scatter.tpot;
  }
  const double in_flight = held.in_flight;
  if (run.load.kind == LoadKind::request_rate) {
    Waiting place =
        open_wait(lane.request, held.places / run.parallelism.data, in_flight / held.places, 0, traffic.even);
    place.wait = wait_below_stable(PerSecond(run.load.value), PerSecond(held.stable_rate), run.parallelism.data,
                                   traffic.output_cv)
                     .base_units() *
                 even_wait(in_flight / held.places, traffic.output_cv, traffic.even);
    served.ttft.place = served.request.place = place;
    served.ttft.prompts = served.request.prompts = lane.line;
  } else if (const double waiting = held.waiting; waiting > 0) {
    // Every client waits until those before it have found a place; the places become free one by one.
    const double wait = admission_wait(waiting, PerSecond(in_flight / lane.request)).base_units();
    const double variance = wait * wait / std::max(1.0, waiting);
    const auto with_wait = [&](Latency& latency) {
      const double whole = latency.mean + wait;
      latency.scatter = (latency.mean * latency.mean * latency.scatter + variance) / (whole * whole);
      latency.mean = whole;
    };
    with_wait(served.ttft);
    with_wait(served.request);
  }
  return served;
}

}  // namespace podwright
