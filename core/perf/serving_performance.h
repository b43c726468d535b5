#pragma once
/// How fast one deployment serves: means over requests.
/// docs/method/serving_time.md#lane.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/message.h"
#include "base/root.h"
#include "memory/prefix_share.h"
#include "memory/serving_memory.h"
#include "perf/engine_step.h"
#include "perf/plain_costs.h"
#include "perf/serving_lane.h"
#include "perf/serving_percentiles.h"
#include "perf/speculative.h"

namespace podwright {

/// What limits, and what would remove the limit. Codes: compute, memory-bandwidth, communication, host-overhead,
/// kv-capacity.
struct Binding {
  std::string_view code;
  double share = 0;  ///< of the time that the limit takes, 0..1
  Message says;
};

template <class Tracer>
struct ServingPerformance {
  using Time = Known<Tracer, Seconds>;
  using Rate = Known<Tracer, PerSecond>;
  using Count = Known<Tracer, double>;
  bool stable = true;            ///< false: requests come faster than they can be served
  Count admitted_concurrency{};  ///< sequences in flight, whole deployment
  double waiting = 0;            ///< of clients: those that wait for a place
  double thinking = 0;           ///< of clients: share of the time in which one has no request
  std::optional<Time> ttft;      ///< mean; absent when unstable
  std::optional<Time> wait;      ///< mean, in `ttft` and `request`; absent where nothing waits
  std::optional<Time> tpot;      ///< mean; absent with fewer than two output tokens
  std::optional<Time> request;   ///< mean, waiting included; absent when unstable
  Rate requests_per_s{};
  Rate output_tokens_per_s{};
  Rate total_tokens_per_s{};
  Rate output_tokens_per_s_per_gpu{};
  std::optional<Rate> stable_requests_per_s;              ///< of a request rate: what the deployment completes at most
  StepTimes<Tracer> decode_step{};                        ///< of one lane, without prompts
  StepTimes<Tracer> mixed_step{};                         ///< with prompt tokens
  LaneTimes<Tracer> lane;                                 ///< at `admitted_concurrency`
  std::optional<ServingPercentiles<Tracer>> percentiles;  ///< filled in by add_queue()
  Binding binding;
};

/// Shares of a request's time by what binds.
struct TimeShares {
  double compute = 0;
  double weights = 0;
  double kv = 0;
  double communication = 0;
  double overhead = 0;
};
template <class Tracer>
TimeShares time_shares(const StepTimes<Tracer>& step, double weight);
/// `starved`: more sequences would be admitted if they fitted.
Binding binding_of(const TimeShares& shares, bool starved, const std::string& gpu_name);

namespace serving_speed {

/// Sequences in flight that complete the most requests; no rate above theirs is stable. Nearly always all that fit.
/// Where preemption costs more than the last ones bring, a golden section over the upper half of the places finds a
/// peak to a ten thousandth. What is computed again grows ever faster, so that there is one as a rule; of several it
/// may be another than the highest, and never one that completes less than all places. What preemption costs is never
/// more than the share that is computed again; below a thousandth that is not looked for.
inline double best_sequences(const EngineCosts<NoTrace>& costs, const ServingRun& run,
                             const ServingLimits<NoTrace>& limits) {
  const double places = limits.max_sequences;
  if (recomputed_share(limits.pool_tokens, places / limits.pools, run) < 1e-3) return places;
  const auto rate = [&](double in_flight) { return completed_with(costs, run, limits, in_flight); };
  const double of_all = rate(places);
  if (rate(places * (1 - 1.0 / 64)) <= of_all) return places;
  constexpr double kGolden = 0.6180339887498949;
  double low = places / 2;
  double high = places;
  double left = high - kGolden * (high - low);
  double right = low + kGolden * (high - low);
  double of_left = rate(left);
  double of_right = rate(right);
  while (high - low > 1e-4 * places) {
    if (of_left > of_right) {
      high = right;
      right = left;
      of_right = of_left;
      left = high - kGolden * (high - low);
      of_left = rate(left);
    } else {
      low = left;
      left = right;
      of_left = of_right;
      right = low + kGolden * (high - low);
      of_right = rate(right);
    }
  }
  if (std::max(of_left, of_right) <= of_all) return places;
  return of_left > of_right ? left : right;
}

/// Sequences in flight at a request rate: the fixed point of Little's law; absent where even `best` of them complete
/// less.
inline std::optional<double> fixed_point(const EngineCosts<NoTrace>& costs, const ServingRun& run,
                                         const ServingLimits<NoTrace>& limits, double best) {
  const auto excess = [&](double in_flight) { return run.load.value - completed_with(costs, run, limits, in_flight); };
  if (excess(best) >= 0) return std::nullopt;
  return falling_root(0, best, excess);
}

}  // namespace serving_speed

template <class Tracer>
ServingLimits<NoTrace> plain_limits(const ServingLimits<Tracer>& limits) {
  return {.max_sequences = value_of(limits.max_sequences),
          .max_batched_tokens = value_of(limits.max_batched_tokens),
          .kv_element = limits.kv_element,
          .pool_tokens = limits.pool_tokens,
          .pools = limits.pools};
}

/// The lane of a request rate. Gives the result what the deployment completes, what is in flight, and whether that is
/// stable; where it is not, the lane is that of the most that is completed.
template <class Tracer>
LaneTimes<Tracer> open_lane(Tracer& trace, const EngineCosts<Tracer>& costs, const ServingRun& run,
                            const ServingLimits<Tracer>& limits, ServingPerformance<Tracer>& result) {
  constexpr const char* kPage = "docs/method/percentiles.md#request-rate";
  const ServingLimits<NoTrace> untraced_limits = plain_limits(limits);
  const EngineCosts<NoTrace> untraced = plain_costs(costs);
  const double best = serving_speed::best_sequences(untraced, run, untraced_limits);
  const double most = serving_speed::completed_with(untraced, run, untraced_limits, best);
  result.stable_requests_per_s = trace.method("perf.stable_requests_per_s", PerSecond(most), kPage);
  const auto found = serving_speed::fixed_point(untraced, run, untraced_limits, best);
  result.stable = found.has_value();
  result.requests_per_s =
      named("perf.requests_per_s",
            min(trace.input("/load/request_rate_per_s", PerSecond(run.load.value)), *result.stable_requests_per_s));
  const auto lanes = lanes_of(trace, run);
  const auto come =
      trace.method("perf.prompts_per_token",
                   serving_speed::prompts_per_token(untraced, run, found.value_or(best) / value_of(lanes)), kPage);
  LaneTimes<Tracer> lane;
  const auto steps = serving_speed::open_steps(trace, costs, run, limits, come, lane);
  serving_speed::add_open_times(trace, costs, run, steps,
                                named("perf.lane_requests_per_s", result.requests_per_s / lanes), lane);
  result.admitted_concurrency =
      named("perf.in_flight_at_rate", cited("Little 1961, L = lambda W", result.requests_per_s * lane.request));
  return lane;
}

/// Clients think between an answer and their next request: mean, s.
inline double think_time(const ServingRun& run) {
  return run.load.kind == LoadKind::concurrency && run.traffic ? run.traffic->think_time_s : 0;
}

namespace serving_speed {

/// The lane of clients that think, of which `in_system` wait or are served.
template <class Tracer>
LaneTimes<Tracer> lane_of_thinkers(Tracer& trace, const EngineCosts<Tracer>& costs, const ServingRun& run,
                                   const ServingLimits<Tracer>& limits, const Known<Tracer, double>& in_system) {
  const auto clients = trace.input("/load/concurrency", run.load.value);
  const auto lanes = lanes_of(trace, run);
  const auto met = named("perf.requests_met", requests_met(in_system, lanes, clients, limits.max_sequences));
  const auto sequences = named("perf.lane_sequences", lane_sequences(met, lanes));
  const auto at_work = named("perf.client_at_work", in_system / clients);
  return continuous_lane(trace, costs, run, limits, sequences, value_of(met) / limits.pools, &at_work);
}

/// Requests in the system of clients that think: interactive response time law, clients = rate x (response + think
/// time), with Little's law.
inline double in_system_of_thinkers(const EngineCosts<NoTrace>& costs, const ServingRun& run,
                                    const ServingLimits<NoTrace>& limits) {
  NoTrace none;
  const double clients = run.load.value;
  const auto excess = [&](double in_system) {
    const double placed = std::min(in_system, limits.max_sequences);
    const double request = lane_of_thinkers(none, costs, run, limits, in_system).request.base_units();
    // Those that wait for a place wait by Little's law.
    const double response = request * in_system / placed;
    return clients * response / (response + think_time(run)) - in_system;
  };
  return falling_root(1e-9 * clients, clients, excess);
}

}  // namespace serving_speed

/// The lane of clients, or of all places. Gives the result what is in flight and completed; `wanted` is how many would
/// be.
template <class Tracer>
LaneTimes<Tracer> closed_lane(Tracer& trace, const ServingEfficiency& efficiency, const EngineCosts<Tracer>& costs,
                              const ServingRun& run, const ServingLimits<Tracer>& limits,
                              const Known<Tracer, double>& wanted, ServingPerformance<Tracer>& result) {
  const bool all = run.load.kind == LoadKind::max_throughput;
  const auto in_flight =
      all ? limits.max_sequences
          : named("perf.admitted_concurrency", podwright::admitted_concurrency(wanted, limits.max_sequences));
  result.admitted_concurrency = in_flight;
  LaneTimes<Tracer> lane;
  if (run.load.kind == LoadKind::static_batch) {
    const auto replicas = trace.input("/parallelism/data", run.parallelism.data);
    const auto sequences = named("perf.lane_sequences", lane_sequences(in_flight, replicas));
    lane = serving_speed::static_lane(trace, costs, run, limits, efficiency, sequences);
  } else if (think_time(run) > 0) {
    lane = serving_speed::lane_of_thinkers(trace, costs, run, limits, wanted);
    result.thinking = 1 - value_of(wanted) / run.load.value;
  } else {
    const auto sequences = named("perf.lane_sequences", lane_sequences(in_flight, lanes_of(trace, run)));
    lane = serving_speed::continuous_lane(trace, costs, run, limits, sequences, value_of(in_flight) / limits.pools);
  }
  result.requests_per_s =
      named("perf.requests_per_s", cited("Little 1961, L = lambda W", in_flight / (all ? lane.cycle : lane.request)));
  return lane;
}

template <class Tracer>
Known<Tracer, double> wanted_sequences(Tracer& trace, const EngineCosts<Tracer>& costs, const ServingRun& run,
                                       const ServingLimits<Tracer>& limits) {
  switch (run.load.kind) {
    case LoadKind::concurrency:
      if (think_time(run) > 0)
        return trace.method("perf.requests_in_system",
                            serving_speed::in_system_of_thinkers(plain_costs(costs), run, plain_limits(limits)),
                            "docs/method/serving_time.md#clients-that-think");
      return trace.input("/load/concurrency", run.load.value);
    case LoadKind::static_batch:
      return trace.input("/load/static_batch", run.load.value);
    default:
      return limits.max_sequences;
  }
}

/// Performance of a deployment whose memory fits (`limits.max_sequences` is at least 1).
template <class Tracer>
ServingPerformance<Tracer> serving_performance(Tracer& trace, const ServingEfficiency& efficiency,
                                               const EngineCosts<Tracer>& costs, const Gpu& gpu, const ServingRun& run,
                                               const ServingLimits<Tracer>& limits) {
  ServingPerformance<Tracer> result;
  const auto wanted = wanted_sequences(trace, costs, run, limits);
  const LaneTimes<Tracer> lane = run.load.kind == LoadKind::request_rate
                                     ? open_lane(trace, costs, run, limits, result)
                                     : closed_lane(trace, efficiency, costs, run, limits, wanted, result);
  const auto in_flight = result.admitted_concurrency;
  result.lane = lane;
  result.decode_step = lane.decode_step;
  result.mixed_step = lane.mixed_step;
  if (result.stable) {
    auto ttft = run.output_tokens > 1 ? lane.first_token : lane.request;  // one token is the whole answer
    auto request = lane.request;
    if (!lane.open && value_of(wanted) > value_of(in_flight)) {
      const auto waiting = named("perf.waiting_requests", max(0.0, wanted - in_flight));
      result.waiting = value_of(waiting);
      const auto wait = named("perf.admission_wait", admission_wait(waiting, result.requests_per_s));
      ttft = sum_of(trace, "perf.ttft", wait, ttft);
      request = sum_of(trace, "perf.request", wait, request);
      result.wait = wait;
    }
    result.ttft = ttft;
    result.request = request;
  }
  if (run.output_tokens > 1) {
    const auto after_first =
        named("perf.decode_steps", tokens_after_first(trace.input("/output_tokens", run.output_tokens)));
    result.tpot = named("perf.tpot", time_per_output_token(lane.request, lane.first_token, after_first));
  }
  const auto output = trace.input("/output_tokens", run.output_tokens);
  const auto tokens = sum_of(trace, "perf.tokens_per_request", trace.input("/input_tokens", run.input_tokens), output);
  result.output_tokens_per_s = named("perf.output_tokens_per_s", result.requests_per_s * output);
  result.total_tokens_per_s = named("perf.total_tokens_per_s", result.requests_per_s * tokens);
  const auto engine =
      named("perf.gpus_of_group", trace.input("/parallelism/tensor", run.parallelism.tensor) *
                                      trace.input("/parallelism/attention_data", run.parallelism.attention_data));
  result.output_tokens_per_s_per_gpu =
      named("perf.output_tokens_per_s_per_gpu",
            result.output_tokens_per_s / named("perf.gpus", engine * lanes_of(trace, run)));

  const double mixed = value_of(lane.mixed);
  const TimeShares in_mixed = time_shares(lane.mixed_step, mixed);
  const TimeShares in_decode = time_shares(lane.decode_step, value_of(lane.steps) - mixed);
  const TimeShares shares{.compute = in_mixed.compute + in_decode.compute,
                          .weights = in_mixed.weights + in_decode.weights,
                          .kv = in_mixed.kv + in_decode.kv,
                          .communication = in_mixed.communication + in_decode.communication,
                          .overhead = in_mixed.overhead + in_decode.overhead};
  const bool starved = lane.open
                           ? !result.stable
                           : value_of(in_flight) >= value_of(limits.max_sequences) &&
                                 (value_of(wanted) > value_of(in_flight) || run.load.kind == LoadKind::max_throughput);
  result.binding = binding_of(shares, starved, gpu.name);
  return result;
}

template <class Tracer>
TimeShares time_shares(const StepTimes<Tracer>& step, double weight) {
  const auto seconds_of = [&](const auto& part) { return weight * value_of(part).base_units(); };
  TimeShares shares;
  shares.compute = seconds_of(step.prefill_attention);
  (step.weights_bind ? shares.weights : shares.compute) += seconds_of(step.linear) + seconds_of(step.head);
  (step.kv_binds ? shares.kv : shares.compute) += seconds_of(step.decode_attention);
  shares.weights += seconds_of(step.draft);
  shares.communication = seconds_of(step.communication);
  shares.overhead = seconds_of(step.overhead);
  return shares;
}

/// Sentences for what this estimate leaves out.
std::vector<std::string> serving_not_modelled();

/// What the performance needs of the memory. Engines without a limit on the tokens of a step take whole prompts. Each
/// attention data rank has a step limit of its own. The KV cache's precision is known: without it the memory is
/// infeasible. In steady state a step carries a token of each sequence and the
/// prompts of those that take the places of the finished: its limit bounds the sequences too.
template <class Tracer>
ServingLimits<Tracer> serving_limits(Tracer& trace, const ServingMemory<Tracer>& memory, const ServingRun& run,
                                     const WeightFormat& format) {
  const double whole_prompts = run.input_tokens + value_of(memory.max_sequences);
  const double limit = memory.step_tokens > 0 ? memory.step_tokens * run.parallelism.attention_data : whole_prompts;
  const auto max_batched_tokens = trace.method("perf.max_batched_tokens", limit, "docs/method/serving_memory.md#step");
  auto max_sequences = memory.max_sequences;
  // Sequences that were seen running have passed this limit.
  if (memory.step_tokens > 0 && run.output_tokens > 1 && run.load.kind != LoadKind::static_batch &&
      !run.measured.running_sequences && value_of(max_sequences) >= 1) {
    const auto lanes = lanes_of(trace, run);
    max_sequences =
        named("perf.sequences_of_step_limit",
              sequences_of_step_limit(
                  max_sequences, lanes, max_batched_tokens,
                  named("perf.new_prompt_tokens",
                        new_prompt_tokens(trace.input("/input_tokens", run.input_tokens), prefix_hits(trace, run))),
                  trace.input("/output_tokens", run.output_tokens)));
  }
  return {.max_sequences = max_sequences,
          .max_batched_tokens = max_batched_tokens,
          .kv_element = Bytes(kv_element_bytes(kv_precision_of(run, *memory.conventions, format)).value_or(0)),
          .memory_sequences = value_of(memory.max_sequences),
          .pool_tokens = memory.conventions->reservation == Reservation::optimistic ? value_of(memory.kv_tokens) : 0,
          .pools = run.parallelism.data * run.parallelism.attention_data};
}

/// The reason of a deployment whose steps or memory leave no room for a sequence.
inline Infeasible no_sequence_fits() {
  return {.code = "no-room-for-one-sequence", .message = say("no-room-for-one-sequence/any")};
}

}  // namespace podwright
