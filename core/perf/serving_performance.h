#pragma once
/// How fast one deployment serves: a closed loop of sequences in steady state, means over requests.
/// docs/method/serving_time.md#lane.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/message.h"
#include "memory/prefix_share.h"
#include "memory/serving_memory.h"
#include "perf/engine_step.h"
#include "perf/plain_costs.h"
#include "perf/serving_percentiles.h"
#include "perf/speculative.h"

namespace podwright {

/// Where `excess` turns from above 0 to at most 0 between `low` and `high`: false position with bisection in between,
/// to a relative 1e-12. `excess(low)` is above 0, `excess(high)` is not.
template <class Excess>
double falling_root(double low, double high, const Excess& excess) {
  double at_low = excess(low);
  double at_high = excess(high);
  for (int i = 0; i < 80 && high - low > 1e-12 * high; ++i) {
    const double split = at_low - at_high;
    double middle = i % 3 == 2 || !(split > 0) ? (low + high) / 2 : low + (high - low) * at_low / split;
    if (!(middle > low) || !(middle < high)) middle = (low + high) / 2;
    const double value = excess(middle);
    if (value > 0) {
      low = middle;
      at_low = value;
      at_high /= 2;
    } else {
      high = middle;
      at_high = value;
      at_low /= 2;
    }
  }
  return high;
}

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

/// A lane in steady state: every step decodes all its sequences, and prompts ride along as they come in. `of_pool`
/// sequences share a pool of keys and values.
template <class Tracer>
LaneTimes<Tracer> continuous_lane(Tracer& trace, const EngineCosts<Tracer>& costs, const ServingRun& run,
                                  const ServingLimits<Tracer>& limits, const Known<Tracer, double>& sequences,
                                  double of_pool) {
  const auto input = trace.input("/input_tokens", run.input_tokens);
  const auto prompt = named("perf.new_prompt_tokens", new_prompt_tokens(input, prefix_hits(trace, run)));
  const auto output = trace.input("/output_tokens", run.output_tokens);
  const auto decode_steps = answer_steps(costs, named("perf.decode_steps", tokens_after_first(output)));
  const auto room = named("perf.prompt_room", prompt_room(limits.max_batched_tokens, sequences));
  const auto chunks = named("perf.prompt_chunks", prompt_chunks(prompt, room));
  const auto lane_prompts = named("perf.lane_prompt_tokens", sequences * prompt);
  LaneTimes<Tracer> lane;
  lane.steps = named("perf.request_steps", request_steps(decode_steps, chunks, lane_prompts, room));
  lane.decode_load = {sequences, 0.0, 0.0};
  lane.decode_step = lane_step(trace, costs, lane.decode_load);
  const auto decode = lane.decode_step.total;
  Known<Tracer, Seconds> own{};  // the prompt alone, computed once
  if (value_of(prompt) > 0) {
    const auto prompt_tokens =
        named("perf.prompt_tokens_of_step", prompt_tokens_of_step(sequences, decode_steps, prompt, room));
    const auto prompts = named("perf.prompts_of_step", prompt_tokens / prompt);
    lane.mixed = named("perf.mixed_steps", mixed_steps(lane.steps, lane_prompts, prompt_tokens));
    lane.mixed_load = {sequences, prompt_tokens, prompts};
    lane.mixed_step = lane_step(trace, costs, lane.mixed_load);
    own = named("perf.prompt_time", prompt_time(lane.mixed_step.total, decode, costs.figures.prompts, prompts));
    lane.prompt = with_recompute(trace, limits.pool_tokens, of_pool, run, own);
  } else {
    lane.mixed = 0.0;
    lane.mixed_load = lane.decode_load;
    lane.mixed_step = lane.decode_step;
    lane.prompt = own = Seconds(0);
  }
  lane.cycle = named("perf.cycle_time", cycle_time(decode_steps, decode, sequences, lane.prompt));
  const auto queue = named("perf.prompt_queue", prompt_queue(costs.figures.burst, sequences, lane.prompt));
  const auto wait = named("perf.wait_for_step", wait_for_step(decode, prompt, room));
  lane.first_token = sum_of(trace, "perf.first_token_time", wait, own, queue, costs.figures.first_token);
  const auto answer = named("perf.answer_time", answer_time(decode_steps, decode, sequences, lane.prompt, queue));
  lane.request = sum_of(trace, "perf.admitted_request_time", lane.first_token, answer);
  return lane;
}

/// All prompts first, then one step a token; nobody comes or goes. llama.cpp takes prompts in pieces of its step limit,
/// which the pipeline's stages partly work on at once.
template <class Tracer>
LaneTimes<Tracer> static_lane(Tracer& trace, const EngineCosts<Tracer>& costs, const ServingRun& run,
                              const ServingLimits<Tracer>& limits, const ServingEfficiency& efficiency,
                              const Known<Tracer, double>& sequences) {
  const auto prompt = named("perf.new_prompt_tokens",
                            new_prompt_tokens(trace.input("/input_tokens", run.input_tokens), prefix_hits(trace, run)));
  const auto decode_steps = answer_steps(
      costs, named("perf.decode_steps", tokens_after_first(trace.input("/output_tokens", run.output_tokens))));
  LaneTimes<Tracer> lane;
  lane.decode_load = {sequences, 0.0, 0.0};
  lane.decode_step = lane_step(trace, costs, lane.decode_load);
  const auto tokens = named("perf.lane_prompt_tokens", sequences * prompt);
  if (value_of(tokens) <= 0) {
    lane.mixed = trace.constant("one_step", 1.0, "all prompts of the batch in one step");
    lane.mixed_load = lane.decode_load;
    lane.mixed_step = lane.decode_step;
    lane.prompt = lane.decode_step.total;
  } else if (run.engine == "llama.cpp" && value_of(tokens) > value_of(limits.max_batched_tokens)) {
    lane.mixed = named("perf.prompt_pieces", tokens / limits.max_batched_tokens);
    lane.mixed_load = {0.0, limits.max_batched_tokens, named("perf.prompts_of_piece", sequences / lane.mixed)};
    lane.mixed_step = lane_step(trace, costs, lane.mixed_load);
    const EfficiencyConstant& in_turn = efficiency.constant(ServingConstant::file_stages_in_turn);
    lane.prompt = named("perf.pieces_time", pieces_time(lane.mixed, lane.mixed_step.total,
                                                        trace.input("/parallelism/pipeline", run.parallelism.pipeline),
                                                        trace.fact(in_turn, in_turn.id, in_turn.value)));
  } else {
    lane.mixed = trace.constant("one_step", 1.0, "all prompts of the batch in one step");
    lane.mixed_load = {0.0, tokens, sequences};
    lane.mixed_step = lane_step(trace, costs, lane.mixed_load);
    lane.prompt = lane.mixed_step.total;
  }
  lane.steps = sum_of(trace, "perf.steps_of_static_batch", decode_steps, lane.mixed);
  lane.first_token = lane.prompt;
  lane.request =
      named("perf.static_batch_time", static_batch_time(lane.first_token, decode_steps, lane.decode_step.total));
  lane.cycle = lane.request;
  return lane;
}

/// Sequences of one lane when `in_flight` are spread over all lanes; a lane that works holds one at least.
template <class Tracer>
Known<Tracer, double> lane_sequences(Tracer& trace, const ServingRun& run, const Known<Tracer, double>& in_flight) {
  const auto lanes = named("perf.lanes", trace.input("/parallelism/data", run.parallelism.data) *
                                             trace.input("/parallelism/pipeline", run.parallelism.pipeline));
  return named("perf.lane_sequences", podwright::lane_sequences(in_flight, lanes));
}

/// A lane when `in_flight` sequences are spread over the deployment.
inline LaneTimes<NoTrace> lane_at(const EngineCosts<NoTrace>& costs, const ServingRun& run,
                                  const ServingLimits<NoTrace>& limits, double in_flight) {
  NoTrace none;
  const double sequences = lane_sequences(none, run, in_flight);
  return continuous_lane(none, costs, run, limits, sequences, in_flight / limits.pools);
}

/// Requests a second that so many sequences in flight complete.
inline double completed_with(const EngineCosts<NoTrace>& costs, const ServingRun& run,
                             const ServingLimits<NoTrace>& limits, double in_flight) {
  return in_flight / lane_at(costs, run, limits, in_flight).request.base_units();
}

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
  const auto excess = [&](double in_flight) {
    return run.load.value * lane_at(costs, run, limits, in_flight).request.base_units() - in_flight;
  };
  if (excess(best) >= 0) return std::nullopt;
  return falling_root(0, best, excess);
}

}  // namespace serving_speed

/// Performance of a deployment whose memory fits (`limits.max_sequences` is at least 1).
template <class Tracer>
ServingPerformance<Tracer> serving_performance(Tracer& trace, const ServingEfficiency& efficiency,
                                               const EngineCosts<Tracer>& costs, const Gpu& gpu, const ServingRun& run,
                                               const ServingLimits<Tracer>& limits) {
  using Count = Known<Tracer, double>;
  ServingPerformance<Tracer> result;
  const ServingParallelism& parallelism = run.parallelism;
  Count in_flight = limits.max_sequences;
  std::optional<Count> in_system;
  double wanted = value_of(limits.max_sequences);
  switch (run.load.kind) {
    case LoadKind::max_throughput:
      break;
    case LoadKind::concurrency:
    case LoadKind::static_batch: {
      const auto load = trace.input(run.load.kind == LoadKind::concurrency ? "/load/concurrency" : "/load/static_batch",
                                    run.load.value);
      in_flight = named("perf.admitted_concurrency", podwright::admitted_concurrency(load, limits.max_sequences));
      in_system = load;
      wanted = run.load.value;
      break;
    }
    case LoadKind::request_rate: {
      const ServingLimits<NoTrace> plain_limits{.max_sequences = value_of(limits.max_sequences),
                                                .max_batched_tokens = value_of(limits.max_batched_tokens),
                                                .kv_element = limits.kv_element,
                                                .pool_tokens = limits.pool_tokens,
                                                .pools = limits.pools};
      const EngineCosts<NoTrace> untraced = plain_costs(costs);
      const double best = serving_speed::best_sequences(untraced, run, plain_limits);
      const auto found = serving_speed::fixed_point(untraced, run, plain_limits, best);
      result.stable_requests_per_s = trace.method(
          "perf.stable_requests_per_s", PerSecond(serving_speed::completed_with(untraced, run, plain_limits, best)),
          "docs/method/percentiles.md#request-rate");
      result.stable = found.has_value();
      if (found) in_flight = trace.method("perf.in_flight_at_rate", *found, "docs/method/percentiles.md#request-rate");
      break;
    }
  }
  result.admitted_concurrency = in_flight;

  const bool fixed = run.load.kind == LoadKind::static_batch;
  const auto sequences = fixed
                             ? named("perf.lane_sequences",
                                     lane_sequences(in_flight, trace.input("/parallelism/data", run.parallelism.data)))
                             : serving_speed::lane_sequences(trace, run, in_flight);
  LaneTimes<Tracer> lane =
      fixed ? serving_speed::static_lane(trace, costs, run, limits, efficiency, sequences)
            : serving_speed::continuous_lane(trace, costs, run, limits, sequences, value_of(in_flight) / limits.pools);
  result.lane = lane;
  result.decode_step = lane.decode_step;
  result.mixed_step = lane.mixed_step;
  result.requests_per_s =
      named("perf.requests_per_s",
            cited("Little 1961, L = lambda W",
                  in_flight / (run.load.kind == LoadKind::max_throughput ? lane.cycle : lane.request)));
  if (result.stable) {
    auto ttft = run.output_tokens > 1 ? lane.first_token : lane.request;  // one token is the whole answer
    auto request = lane.request;
    if (in_system && value_of(*in_system) > value_of(in_flight)) {
      const auto waiting = named("perf.waiting_requests", max(0.0, *in_system - in_flight));
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
      named("perf.gpus_of_group", trace.input("/parallelism/tensor", parallelism.tensor) *
                                      trace.input("/parallelism/attention_data", parallelism.attention_data));
  const auto lanes = named("perf.lanes", trace.input("/parallelism/data", parallelism.data) *
                                             trace.input("/parallelism/pipeline", parallelism.pipeline));
  result.output_tokens_per_s_per_gpu =
      named("perf.output_tokens_per_s_per_gpu", result.output_tokens_per_s / named("perf.gpus", engine * lanes));

  const double mixed = value_of(lane.mixed);
  const TimeShares in_mixed = time_shares(lane.mixed_step, mixed);
  const TimeShares in_decode = time_shares(lane.decode_step, value_of(lane.steps) - mixed);
  const TimeShares shares{.compute = in_mixed.compute + in_decode.compute,
                          .weights = in_mixed.weights + in_decode.weights,
                          .kv = in_mixed.kv + in_decode.kv,
                          .communication = in_mixed.communication + in_decode.communication,
                          .overhead = in_mixed.overhead + in_decode.overhead};
  const bool full = value_of(in_flight) >= value_of(limits.max_sequences);
  result.binding = binding_of(
      shares, full && (!result.stable || wanted > value_of(in_flight) || run.load.kind == LoadKind::max_throughput),
      gpu.name);
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
  if (memory.step_tokens > 0 && run.output_tokens > 1 && run.load.kind != LoadKind::static_batch &&
      value_of(max_sequences) >= 1) {
    const auto lanes = named("perf.lanes", trace.input("/parallelism/data", run.parallelism.data) *
                                               trace.input("/parallelism/pipeline", run.parallelism.pipeline));
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
          .pool_tokens = memory.conventions->reservation == Reservation::optimistic ? value_of(memory.kv_tokens) : 0,
          .pools = run.parallelism.data * run.parallelism.attention_data};
}

/// The reason of a deployment whose steps or memory leave no room for a sequence.
inline Infeasible no_sequence_fits() {
  return {.code = "no-room-for-one-sequence", .message = say("no-room-for-one-sequence/any")};
}

}  // namespace podwright
