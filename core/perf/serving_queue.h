#pragma once
/// What stands around a lane: the number in flight at a request rate, the wait for a place, preemption, and percentiles
/// of what results. docs/method/percentiles.md.
#include <array>

#include "perf/serving_percentiles.h"
#include "perf/serving_performance.h"

namespace podwright {

/// Means of one deployment under its load, and how requests scatter around them. Plain numbers for searches.
struct ServedLatency {
  double ttft = 0;     ///< s, mean
  double tpot = 0;     ///< s, mean; 0 with fewer than two output tokens
  double request = 0;  ///< s, mean
  LatencyScatter scatter;

  double ttft_at(Percentile percentile) const { return quantile_of(ttft, scatter.ttft, percentile); }
  double tpot_at(Percentile percentile) const { return quantile_of(tpot, scatter.tpot, percentile); }
  double request_at(Percentile percentile) const { return quantile_of(request, scatter.request, percentile); }
};

/// Plain figures of a lane.
template <class Tracer>
LaneRhythm rhythm_of(const LaneTimes<Tracer>& lane, const ServingRun& run, const ServingLimits<Tracer>& limits,
                     double sequences) {
  const StepTimes<Tracer>& step = lane.decode_step;
  const double decode = value_of(step.total).base_units();
  const double fixed =
      (step.weights_bind ? value_of(step.linear) + value_of(step.head) : value_of(step.head)) / value_of(step.total);
  const double growing = 1.0 - fixed - value_of(step.overhead) / value_of(step.total);
  LaneRhythm rhythm;
  rhythm.sequences = sequences;
  rhythm.steps = value_of(lane.steps);
  rhythm.mixed = value_of(lane.mixed);
  rhythm.decode_step = decode;
  rhythm.mixed_step = value_of(lane.mixed_step.total).base_units();
  rhythm.request = value_of(lane.request).base_units();
  rhythm.first_token = value_of(lane.first_token).base_units();
  rhythm.growing_share = growing > 0 ? growing : 0;
  rhythm.after_first = tokens_after_first(run.output_tokens, 1.0);
  rhythm.prompt_tokens = new_prompt_tokens(run.input_tokens, run.prefix_hit_ratio);
  rhythm.prompt_room = prompt_room(value_of(limits.max_batched_tokens), sequences);
  return rhythm;
}

/// Wait for one of the places of a replica at a request rate: all `places` are taken a share `in_flight / places` of
/// the time. Lengths of the answers make the times of a place scatter.
Waiting place_wait(double request, double places, double in_flight, double replicas, const Traffic& traffic);

/// Wait of a fixed number of clients of which `waiting` find no place, which are freed at `rate`.
Waiting closed_wait(double waiting, double rate);

/// Latency under the run's load. `in_flight` is admitted, of the whole deployment; the lane was computed for
/// `sequences` of them.
ServedLatency served_latency(const LaneRhythm& lane, const ServingRun& run, double in_flight, double places,
                             const UnexplainedScatter& unexplained);

namespace serving_queue_detail {

template <class Tracer>
typename ServingPercentiles<Tracer>::Times percentiles_of(Tracer& trace, const char* const (&ids)[4], Seconds mean,
                                                          double scatter) {
  typename ServingPercentiles<Tracer>::Times times;
  for (std::size_t i = 0; i < kPercentiles.size(); ++i)
    times[i] = trace.method(ids[i], quantile_of(mean, scatter, kPercentiles[i]), kPercentilePage);
  return times;
}

inline constexpr const char* kTtftIds[4] = {"perf.ttft_p50", "perf.ttft_p90", "perf.ttft_p95", "perf.ttft_p99"};
inline constexpr const char* kTpotIds[4] = {"perf.tpot_p50", "perf.tpot_p90", "perf.tpot_p95", "perf.tpot_p99"};
inline constexpr const char* kRequestIds[4] = {"perf.request_p50", "perf.request_p90", "perf.request_p95",
                                               "perf.request_p99"};

}  // namespace serving_queue_detail

/// Adds to the performance of a stable deployment the waits of an open load, and percentiles.
template <class Tracer>
void add_queue(Tracer& trace, const Catalog& catalog, const ServingRun& run, const ServingLimits<Tracer>& limits,
               ServingPerformance<Tracer>& performance) {
  if (!performance.stable || !performance.ttft || !performance.request) return;
  const double in_flight = value_of(performance.admitted_concurrency);
  const double lanes = run.parallelism.data * run.parallelism.pipeline;
  const LaneRhythm rhythm = rhythm_of(performance.lane, run, limits, lane_sequences(in_flight, lanes));
  const ServedLatency served =
      served_latency(rhythm, run, in_flight, value_of(limits.max_sequences), unexplained_scatter(catalog));
  if (run.load.kind == LoadKind::request_rate) {
    const double waiting = served.ttft - rhythm.first_token;
    const auto wait = trace.method("perf.wait_for_place", Seconds(waiting), kPercentilePage);
    performance.ttft = sum_of(trace, "perf.ttft", wait, *performance.ttft);
    performance.request = sum_of(trace, "perf.request", wait, *performance.request);
  }
  ServingPercentiles<Tracer> percentiles;
  namespace ids = serving_queue_detail;
  percentiles.ttft = ids::percentiles_of(trace, ids::kTtftIds, value_of(*performance.ttft), served.scatter.ttft);
  percentiles.request =
      ids::percentiles_of(trace, ids::kRequestIds, value_of(*performance.request), served.scatter.request);
  if (performance.tpot)
    percentiles.tpot = ids::percentiles_of(trace, ids::kTpotIds, value_of(*performance.tpot), served.scatter.tpot);
  performance.percentiles = percentiles;
}

}  // namespace podwright
