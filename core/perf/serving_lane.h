#pragma once
/// A lane of steps: closed loops in steady state, open loads, static batches; means over requests.
/// docs/method/serving_time.md#lane.
#include <algorithm>
#include <optional>

#include "base/arithmetic.h"
#include "memory/prefix_share.h"
#include "perf/engine_step.h"
#include "perf/host_tier.h"
#include "perf/lane_schedule.h"
#include "perf/open_lane.h"
#include "perf/serving_percentiles.h"
#include "perf/speculative.h"

namespace podwright {

/// Of a lane to which requests come at any moment.
struct OpenLoad {
  double rate = 0;     ///< requests/s
  double running = 0;  ///< share of the requests that find a step running and need not wait in line
  Waiting line;        ///< of the prompts that find no room in the next step
};

template <class Tracer>
struct LaneTimes {
  using Time = Known<Tracer, Seconds>;
  using Count = Known<Tracer, double>;
  Count steps{};
  Count mixed{};
  StepTimes<Tracer> decode_step{};
  StepTimes<Tracer> mixed_step{};
  StepLoad<Tracer> decode_load{};  ///< of `decode_step`
  StepLoad<Tracer> mixed_load{};   ///< of `mixed_step`; without prompt tokens where all prompts lie in the cache
  Time prompt{};                   ///< what one prompt adds to the lane
  Time cycle{};                    ///< of the engine, from one request's place to the next
  Time request{};                  ///< from admission
  Time first_token{};              ///< from admission
  std::optional<OpenLoad> open;    ///< of an open load
};

template <class Tracer>
Known<Tracer, double> lanes_of(Tracer& trace, const ServingRun& run) {
  return named("perf.lanes", trace.input("/parallelism/data", run.parallelism.data) *
                                 trace.input("/parallelism/pipeline", run.parallelism.pipeline));
}

namespace serving_speed {

/// What a lane carries.
template <class Tracer>
struct LaneStream {
  using Count = Known<Tracer, double>;
  Count sequences{};     ///< that decode
  Count come{};          ///< prompts, during one step
  Count prompt{};        ///< tokens that are computed
  Count decode_steps{};  ///< of a request
  Count room{};          ///< prompt tokens of a step
};
template <class Tracer>
LaneStream<Tracer> stream_of(Tracer& trace, const EngineCosts<Tracer>& costs, const ServingRun& run) {
  const auto input = trace.input("/input_tokens", run.input_tokens);
  const auto output = trace.input("/output_tokens", run.output_tokens);
  LaneStream<Tracer> stream;
  stream.prompt = named("perf.new_prompt_tokens", new_prompt_tokens(input, prefix_hits(trace, run)));
  stream.decode_steps = answer_steps(costs, named("perf.decode_steps", tokens_after_first(output)));
  return stream;
}

/// Fills in the steps of a lane: every step decodes all its sequences, and prompts ride along, of which `come` come
/// during one step. `of_pool` sequences share a pool of keys and values. Returns what a prompt adds that is computed
/// once.
template <class Tracer>
Known<Tracer, Seconds> add_lane_steps(Tracer& trace, const EngineCosts<Tracer>& costs, const ServingRun& run,
                                      const ServingLimits<Tracer>& limits, const LaneStream<Tracer>& stream,
                                      double of_pool, LaneTimes<Tracer>& lane) {
  const auto& [sequences, come, prompt, decode_steps, room] = stream;
  const auto chunks = named("perf.prompt_chunks", prompt_chunks(prompt, room));
  const auto lane_prompts = named("perf.lane_prompt_tokens", sequences * prompt);
  lane.steps = named("perf.request_steps", request_steps(decode_steps, chunks, lane_prompts, room));
  lane.decode_load = {sequences, 0.0, 0.0};
  lane.decode_step = lane_step(trace, costs, lane.decode_load);
  if (value_of(prompt) <= 0) {
    lane.mixed = 0.0;
    lane.mixed_load = lane.decode_load;
    lane.mixed_step = lane.decode_step;
    lane.prompt = Seconds(0);
    return Seconds(0);
  }
  const auto prompt_tokens = named("perf.prompt_tokens_of_step", prompt_tokens_of_step(come, prompt, room));
  const auto prompts = named("perf.prompts_of_step", prompt_tokens / prompt);
  lane.mixed = named("perf.mixed_steps", mixed_steps(lane.steps, lane_prompts, prompt_tokens));
  lane.mixed_load = {sequences, prompt_tokens, prompts};
  lane.mixed_step = lane_step(trace, costs, lane.mixed_load);
  const auto own = named("perf.prompt_time",
                         prompt_time(lane.mixed_step.total, lane.decode_step.total, costs.figures.prompts, prompts));
  lane.prompt = with_recompute(trace, limits.pool_tokens, of_pool, run, own);
  if (!run.loads || run.loads->load == HostLoad::apart) return own;
  const double load_s = load_in_step(*run.loads, value_of(lane.mixed_step.total).base_units());
  const auto load = trace.method("perf.load_in_step", Seconds(load_s), kHostMemoryPage);
  lane.prompt = sum_of(trace, "perf.prompt_time_with_load", lane.prompt, load);
  return sum_of(trace, "perf.own_prompt_with_load", own, load);
}

/// Adds to the first token what a request waits for loads apart from the steps.
template <class Tracer>
void add_load_delay(Tracer& trace, const ServingRun& run, double lane_rate, double step, double busy,
                    Known<Tracer, Seconds>& first_token) {
  if (!run.loads || run.loads->load != HostLoad::apart) return;
  const auto delay =
      trace.method("perf.load_delay", Seconds(load_delay(*run.loads, lane_rate, step, busy)), kHostMemoryPage);
  first_token = sum_of(trace, "perf.first_token_with_load", first_token, delay);
}

/// A closed loop in steady state. `at_work`: share of the time in which a client that thinks has a request; clients
/// that think part those that started together.
template <class Tracer>
LaneTimes<Tracer> continuous_lane(Tracer& trace, const EngineCosts<Tracer>& costs, const ServingRun& run,
                                  const ServingLimits<Tracer>& limits, const Known<Tracer, double>& sequences,
                                  double of_pool, const Known<Tracer, double>* at_work = nullptr) {
  LaneStream<Tracer> stream = stream_of(trace, costs, run);
  stream.sequences = sequences;
  stream.come = named("perf.prompts_per_step", prompts_per_step(sequences, stream.decode_steps));
  stream.room = named("perf.prompt_room", prompt_room(limits.max_batched_tokens, sequences));
  LaneTimes<Tracer> lane;
  const auto own = add_lane_steps(trace, costs, run, limits, stream, of_pool, lane);
  const auto decode = lane.decode_step.total;
  lane.cycle = named("perf.cycle_time", cycle_time(stream.decode_steps, decode, sequences, lane.prompt));
  const double cycle_s = value_of(lane.cycle).base_units();
  const auto burst =
      at_work == nullptr ? costs.figures.burst : named("perf.burst_of_clients", costs.figures.burst * *at_work);
  const auto queue = named("perf.prompt_queue", prompt_queue(burst, sequences, lane.prompt));
  const auto wait = named("perf.wait_for_step", wait_for_step(decode, stream.prompt, stream.room));
  lane.first_token = sum_of(trace, "perf.first_token_time", wait, own, queue, costs.figures.first_token);
  add_load_delay(trace, run, value_of(sequences) / cycle_s, cycle_s / (value_of(stream.decode_steps) + 1), 1,
                 lane.first_token);
  const auto answer =
      named("perf.answer_time", answer_time(stream.decode_steps, decode, sequences, lane.prompt, queue));
  lane.request = sum_of(trace, "perf.admitted_request_time", lane.first_token, answer);
  return lane;
}

/// Steps of a lane to which requests come at any moment, `come` prompts of them from one step of a request to the next.
template <class Tracer>
OpenSteps<Tracer> open_steps(Tracer& trace, const EngineCosts<Tracer>& costs, const ServingRun& run,
                             const ServingLimits<Tracer>& limits, const Known<Tracer, double>& come,
                             LaneTimes<Tracer>& lane) {
  LaneStream<Tracer> stream = stream_of(trace, costs, run);
  OpenSteps<Tracer> steps{
      .decode_steps = stream.decode_steps, .input_cv = computed_cv(run), .even = stream_evenness(run)};
  steps.decoding = named("perf.sequences_decoding", come * stream.decode_steps);
  steps.idle = named("perf.nobody_decodes", nobody_decodes(steps.decoding));
  stream.sequences = named("perf.sequences_met", sequences_met(steps.decoding));
  stream.come = come;
  stream.room = named("perf.prompt_room", prompt_room(limits.max_batched_tokens, stream.sequences));
  steps.pieces = named("perf.pieces_of_prompt", pieces_of_prompt(stream.prompt, stream.room));
  const double of_lane = value_of(steps.decoding) + value_of(come) * value_of(steps.pieces);
  add_lane_steps(trace, costs, run, limits, stream, of_lane * value_of(lanes_of(trace, run)) / limits.pools, lane);
  steps.decode = lane.decode_step.total;
  steps.prompt = lane.prompt;
  return steps;
}

/// Fills in the times of such a lane. `rate` is the lane's.
template <class Tracer>
void add_open_times(Tracer& trace, const EngineCosts<Tracer>& costs, const ServingRun& run,
                    const OpenSteps<Tracer>& steps, const Known<Tracer, PerSecond>& rate, LaneTimes<Tracer>& lane) {
  const OpenTimes<Tracer> times = open_times(trace, steps, rate);
  lane.cycle = named("perf.cycle_time", lane.steps * times.step);
  lane.first_token = sum_of(trace, "perf.first_token_time", times.first_token, costs.figures.first_token);
  add_load_delay(trace, run, value_of(rate).base_units(), value_of(times.step).base_units(),
                 times.running + times.line.waiting, lane.first_token);
  const auto answer = named("perf.answer_time", steps.decode_steps * times.token);
  lane.request = sum_of(trace, "perf.admitted_request_time", lane.first_token, answer);
  lane.open = OpenLoad{.rate = value_of(rate).base_units(), .running = times.running, .line = times.line};
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

/// Prompts that come from one step of a request to the next, where `sequences` come to a lane while it is served.
inline double prompts_per_token(const EngineCosts<NoTrace>& costs, const ServingRun& run, double sequences) {
  return prompts_per_step(sequences, answer_steps(costs, tokens_after_first(run.output_tokens)));
}

/// An open load under which so many requests come while one is served.
struct OpenPoint {
  double rate = 0;  ///< requests/s of the deployment
  LaneTimes<NoTrace> lane;
};
inline OpenPoint open_point(const EngineCosts<NoTrace>& costs, const ServingRun& run,
                            const ServingLimits<NoTrace>& limits, double in_flight) {
  NoTrace none;
  const double lanes = lanes_of(none, run);
  const double come = prompts_per_token(costs, run, in_flight / lanes);
  OpenPoint point;
  const auto steps = open_steps(none, costs, run, limits, come, point.lane);
  double of_lane = open_rate(steps, come);
  if (run.loads) of_lane = std::min(of_lane, most_loaded(*run.loads));
  add_open_times(none, costs, run, steps, PerSecond(of_lane), point.lane);
  point.rate = of_lane * lanes;
  return point;
}

/// Requests a second of it.
inline double completed_with(const EngineCosts<NoTrace>& costs, const ServingRun& run,
                             const ServingLimits<NoTrace>& limits, double in_flight) {
  return open_point(costs, run, limits, in_flight).rate;
}

}  // namespace serving_speed
}  // namespace podwright
