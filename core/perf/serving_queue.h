#pragma once
/// What stands around a lane: the number in flight at a request rate, the wait for a place, preemption, and percentiles
/// of what results. docs/method/percentiles.md.
#include <vector>

#include "base/message.h"
#include "perf/serving_percentiles.h"
#include "perf/serving_performance.h"

namespace podwright {

/// One latency over requests: a lognormal part and waits that only some requests have.
struct Latency {
  double mean = 0;     ///< s, of the lognormal part
  double scatter = 0;  ///< of the lognormal part
  Waiting place;       ///< for a place in the deployment
  Waiting prompts;     ///< for room in a step

  /// Independent parts: deviations from the median add as squares. Never below the mean at the 99th percentile.
  double quantile(Percentile percentile) const;
};

/// Latency of one deployment under its load. Plain numbers for searches.
struct ServedLatency {
  Latency ttft;
  Latency tpot;  ///< mean 0 with fewer than two output tokens
  Latency request;
};

/// Share of a step's time that grows with the sequences in flight.
template <class Tracer>
double growing_share(const StepTimes<Tracer>& step) {
  auto fixed = value_of(step.head) + value_of(step.overhead);
  if (step.weights_bind) fixed += value_of(step.linear);
  const double share = 1.0 - fixed / value_of(step.total);
  return share > 0 ? share : 0;
}

/// Plain figures of a lane.
template <class Tracer>
LaneRhythm rhythm_of(const LaneTimes<Tracer>& lane, const EngineCosts<Tracer>& costs, const ServingRun& run,
                     const ServingLimits<Tracer>& limits) {
  LaneRhythm rhythm;
  rhythm.sequences = value_of(lane.decode_load.decoding);
  rhythm.running = (rhythm.sequences - 1) / rhythm.sequences;
  rhythm.steps = value_of(lane.steps);
  rhythm.decode_step = value_of(lane.decode_step.total).base_units();
  rhythm.mixed_step = value_of(lane.mixed_step.total).base_units();
  rhythm.prompt = value_of(lane.prompt).base_units();
  rhythm.cycle = value_of(lane.cycle).base_units();
  rhythm.request = value_of(lane.request).base_units();
  rhythm.first_token = value_of(lane.first_token).base_units();
  rhythm.client = value_of(costs.figures.first_token).base_units();
  rhythm.growing_share = growing_share(lane.decode_step);
  rhythm.after_first = tokens_after_first(run.output_tokens);
  rhythm.prompt_tokens = new_prompt_tokens(run.input_tokens, run.prefix_hit_ratio);
  rhythm.prompt_room = prompt_room(value_of(limits.max_batched_tokens), rhythm.sequences);
  if (lane.open) {
    rhythm.sequences = lane.open->rate * rhythm.cycle;
    rhythm.running = lane.open->running;
    rhythm.line = lane.open->line;
  }
  return rhythm;
}

/// What the deployment holds under its load. Counts are of the whole deployment.
struct Occupancy {
  double in_flight = 0;    ///< admitted
  double places = 0;       ///< sequences that fit
  double stable_rate = 0;  ///< requests/s that it completes at most, with any number in flight; of a request rate only
  double waiting = 0;      ///< clients that wait for a place
  double thinking = 0;     ///< share of a client's time without a request
};

/// Latency under the run's load; the lane was computed for its share of those in flight.
ServedLatency served_latency(const LaneRhythm& lane, const ServingRun& run, const Occupancy& held,
                             const UnexplainedScatter& unexplained);

namespace serving_queue_detail {

template <class Tracer>
typename ServingPercentiles<Tracer>::Times percentiles_of(Tracer& trace, const char* const (&ids)[4],
                                                          const Latency& latency) {
  typename ServingPercentiles<Tracer>::Times times;
  for (std::size_t i = 0; i < kPercentiles.size(); ++i)
    times[i] = trace.method(ids[i], Seconds(latency.quantile(kPercentiles[i])), kPercentilePage);
  return times;
}

}  // namespace serving_queue_detail

/// Percentiles of all latencies; `generates`: answers have tokens after the first.
template <class Tracer>
ServingPercentiles<Tracer> percentiles_of(Tracer& trace, const ServedLatency& served, bool generates) {
  using serving_queue_detail::percentiles_of;
  ServingPercentiles<Tracer> percentiles;
  percentiles.ttft =
      percentiles_of(trace, {"perf.ttft_p50", "perf.ttft_p90", "perf.ttft_p95", "perf.ttft_p99"}, served.ttft);
  if (generates)
    percentiles.tpot =
        percentiles_of(trace, {"perf.tpot_p50", "perf.tpot_p90", "perf.tpot_p95", "perf.tpot_p99"}, served.tpot);
  percentiles.request = percentiles_of(
      trace, {"perf.request_p50", "perf.request_p90", "perf.request_p95", "perf.request_p99"}, served.request);
  return percentiles;
}

/// Up to this share of what a deployment completes, replays confirm the closed forms of an open load
/// (docs/method/replay.md#closed-forms).
inline constexpr double kConfirmedShare = 0.85;

/// What the closed forms of `performance` leave out and a replay shows; empty where replays confirm them.
template <class Tracer>
std::vector<Message> better_replayed(const ServingRun& run, const ServingPerformance<Tracer>& performance) {
  std::vector<Message> better;
  if (run.disaggregated) return better;  // which nothing replays
  if (run.load.kind == LoadKind::request_rate && performance.stable && performance.stable_requests_per_s) {
    const double share = run.load.value / value_of(*performance.stable_requests_per_s).base_units();
    if (share > kConfirmedShare) better.push_back(say("replay-better/near-capacity", "share"_v = share));
  }
  if (run.traffic && run.traffic->dispersion > 1) better.push_back(say("replay-better/bursts"));
  if (run.traffic && !run.traffic->hours.empty()) better.push_back(say("replay-better/hours"));
  return better;
}

/// Adds to the performance of a stable deployment the waits of an open load, and percentiles.
template <class Tracer>
void add_queue(Tracer& trace, const Catalog& catalog, const EngineCosts<Tracer>& costs, const ServingRun& run,
               const ServingLimits<Tracer>& limits, ServingPerformance<Tracer>& performance) {
  if (!performance.stable || !performance.ttft || !performance.request) return;
  const double in_flight = value_of(performance.admitted_concurrency);
  const LaneRhythm rhythm = rhythm_of(performance.lane, costs, run, limits);
  const Occupancy held{
      .in_flight = in_flight,
      .places = limits.memory_sequences,
      .stable_rate = performance.stable_requests_per_s ? value_of(*performance.stable_requests_per_s).base_units() : 0,
      .waiting = run.load.kind == LoadKind::concurrency ? performance.waiting : 0,
      .thinking = performance.thinking};
  const ServedLatency served = served_latency(rhythm, run, held, unexplained_scatter(catalog));
  if (run.load.kind == LoadKind::request_rate) {
    const auto place = trace.method("perf.wait_for_place", Seconds(served.ttft.place.mean()), kPercentilePage);
    const auto prompts = trace.method("perf.wait_for_prompts", Seconds(served.ttft.prompts.mean()), kPercentilePage);
    performance.wait = sum_of(trace, "perf.wait", place, prompts);
    performance.ttft = sum_of(trace, "perf.ttft", *performance.wait, *performance.ttft);
    performance.request = sum_of(trace, "perf.request", *performance.wait, *performance.request);
  }
  performance.percentiles = percentiles_of(trace, served, performance.tpot.has_value());
}

}  // namespace podwright
