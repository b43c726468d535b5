#pragma once
/// A lane whose requests come at any moment: from its steps and the rate, the times of a request.
/// docs/method/serving_time.md#open-lane.
#include "base/arithmetic.h"
#include "base/math.h"
#include "perf/even_stream.h"
#include "perf/lane_schedule.h"
#include "perf/serving_percentiles.h"

namespace podwright {

inline constexpr const char* kOpenLanePage = "docs/method/serving_time.md#open-lane";

/// Prompts never take all of the time: where they would, steps are full and bound by that.
inline constexpr double kMostPromptShare = 0.999;

/// A request that decodes meets the mean number of others, and is there itself.
constexpr auto sequences_met(Of<double> auto decoding) {
  return cited("Wolff 1982, Poisson arrivals see time averages", 1.0 + decoding);
}

/// Time of a lane whose steps all carry as many prompt tokens as have room, for one prompt.
constexpr auto prompt_of_full_steps(Of<Seconds> auto decode_step, Of<Seconds> auto prompt, Of<double> auto pieces) {
  return cited(kOpenLanePage, pieces * decode_step + prompt);
}

/// Steps that one prompt fills; of one that the cache holds a token is left.
constexpr auto pieces_of_prompt(Of<double> auto prompt, Of<double> auto room) {
  return cited("arXiv 2403.02310 section 4 (chunked prefill)", max(1.0, prompt) / room);
}

/// Share of a lane's time that goes into prompts.
constexpr auto share_of_rate(Of<PerSecond> auto rate, Of<Seconds> auto prompt) {
  return cited(kOpenLanePage, min(rate * prompt, kMostPromptShare));
}

/// Mean step, of which a share goes into prompts.
constexpr auto step_with_prompts(Of<Seconds> auto decode_step, Of<double> auto prompt_share) {
  return cited(kOpenLanePage, decode_step / (1.0 - prompt_share));
}

/// Share of the time in which nobody decodes.
auto nobody_decodes(Of<double> auto decoding) {
  return cited("a Poisson number of sequences", math::exp(-1.0 * decoding));
}

/// Share of the time in which a step runs that a prompt must wait for: somebody decodes, or a prompt is computed.
constexpr auto busy_share(Of<double> auto nobody_decodes, Of<PerSecond> auto rate, Of<Seconds> auto decode_step,
                          Of<Seconds> auto prompt) {
  return cited(kOpenLanePage, 1.0 - nobody_decodes * max(0.0, 1.0 - rate * (decode_step + prompt)));
}

/// Prompts that come in a step during which one comes: longer steps are met more often.
constexpr auto prompts_of_step_met(Of<double> auto prompts_per_step, Of<double> auto step_scatter) {
  return cited("size bias of a length", prompts_per_step * (1.0 + step_scatter));
}

/// Prompts that ride in the same step as one that comes in while a step runs, as far as there is room.
constexpr auto mates_of_prompt(Of<double> auto busy, Of<double> auto others, Of<double> auto room_prompts) {
  return cited(kOpenLanePage, min(busy * others, max(0.0, room_prompts - 1.0)));
}

/// From the start of the step in which a prompt begins to its first token.
auto own_prompt_time(Of<double> auto pieces, Of<Seconds> auto decode_step, Of<double> auto mates,
                     Of<Seconds> auto prompt) {
  return cited(kOpenLanePage, max(1.0, ceil(pieces)) * decode_step + (1.0 + mates) * prompt);
}

/// From one decode step's token to the next: the step, its prompts, and those prompts that came while this request's
/// own was computed; never more than a step full of prompts. `behind` is the number of those.
constexpr auto open_token_time(Of<Seconds> auto decode_step, Of<Seconds> auto prompt, Of<double> auto prompt_share,
                               Of<double> auto behind, Of<double> auto decode_steps, Of<Seconds> auto full_step) {
  return cited(kOpenLanePage, min((decode_step + prompt * behind / decode_steps) / (1.0 - prompt_share), full_step));
}

/// Prompts that come while one waits and is computed: they are computed while its answer is decoded.
constexpr auto prompts_behind(Of<PerSecond> auto rate, Of<Seconds> auto line, Of<Seconds> auto own) {
  return cited(kOpenLanePage, rate * (line + own));
}

/// Steps of one lane, as far as its times depend on them.
template <class Tracer>
struct OpenSteps {
  using Time = Known<Tracer, Seconds>;
  using Count = Known<Tracer, double>;
  Time decode{};         ///< a step without prompts
  Time prompt{};         ///< what one prompt adds
  Count pieces{};        ///< steps that one prompt fills, above 0
  Count decoding{};      ///< sequences that decode, mean
  Count decode_steps{};  ///< of one request
  Count idle{};          ///< share of the time in which nobody decodes
  double input_cv = 0;
  double even = 0;  ///< a stream_evenness()
};

/// What a stream of requests makes of them.
template <class Tracer>
struct OpenTimes {
  using Time = Known<Tracer, Seconds>;
  Time step{};         ///< mean
  Time first_token{};  ///< from its turn among the prompts, without the client's way
  Time token{};        ///< from one decode step to the next
  Waiting line;        ///< of the prompts that find no room in the next step
  Time line_wait{};    ///< its mean
  double running = 0;  ///< share of the requests that find a step running and need not stand in line
};

/// `rate` is the lane's.
template <class Tracer>
OpenTimes<Tracer> open_times(Tracer& trace, const OpenSteps<Tracer>& steps, const Known<Tracer, PerSecond>& rate) {
  OpenTimes<Tracer> times;
  const auto share = named("perf.prompt_share", share_of_rate(rate, steps.prompt));
  times.step = named("perf.step_with_prompts", step_with_prompts(steps.decode, share));
  const auto come = named("perf.prompts_that_come", rate * times.step);
  const double counts = count_dispersion(value_of(come), steps.even);
  const double dispersion = counts + steps.input_cv * steps.input_cv;
  const auto scatter = named("perf.step_scatter", step_scatter(share, dispersion, come));
  const auto room = named("perf.room_prompts", max(1.0, 1.0 / steps.pieces));
  const auto full = named("perf.prompt_of_full_steps", prompt_of_full_steps(steps.decode, steps.prompt, steps.pieces));
  times.line = open_wait((value_of(full) * value_of(room)).base_units(), value_of(room),
                         (value_of(rate) * value_of(full)), steps.input_cv, steps.even);
  times.line_wait = trace.method("perf.wait_for_prompts", Seconds(times.line.mean()), kPercentilePage);
  const auto busy = named("perf.busy_share", busy_share(steps.idle, rate, steps.decode, steps.prompt));
  const auto running = named("perf.share_without_line",
                             busy * (1.0 - trace.method("perf.share_in_line", times.line.waiting, kPercentilePage)));
  times.running = value_of(running);
  auto others = named("perf.others_of_step", prompts_of_step_met(come, scatter));
  if (steps.even > 0)
    others = trace.method("perf.others_of_step", std::max(0.0, value_of(others) - (1.0 - counts)), kEvenPage);
  const auto mates = named("perf.mates_of_prompt", mates_of_prompt(busy, others, room));
  const auto residual = named("perf.rest_of_step", running * residual_mean(times.step, scatter));
  const auto own = named("perf.own_prompt_time", own_prompt_time(steps.pieces, steps.decode, mates, steps.prompt));
  times.first_token = named("perf.first_token_of_turn", residual + own);
  const auto full_step = named("perf.full_step", full / steps.pieces);
  if (value_of(steps.decode_steps) > 0) {
    auto behind = named("perf.prompts_behind", prompts_behind(rate, times.line_wait, own));
    if (steps.even > 0)
      behind = trace.method("perf.prompts_behind", come_after_one(value_of(behind), steps.even), kEvenPage);
    times.token = named("perf.open_token_time",
                        open_token_time(steps.decode, steps.prompt, share, behind, steps.decode_steps, full_step));
  } else {
    times.token = named("perf.open_token_time", min(times.step, full_step));
  }
  return times;
}

/// Requests a second of which `come` come from one decode step of theirs to the next.
double open_rate(const OpenSteps<NoTrace>& steps, double come);

}  // namespace podwright
