#pragma once
/// Equations of one serving engine in steady state: how many steps a request takes, what a step carries, what the times
/// then are. One lane: the sequences that share each engine step (with pipeline stages there is one lane per stage).
/// Derivation and limits: docs/method/serving_time.md#lane.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Prompt tokens that must be computed; the rest lie in the prefix cache.
constexpr auto new_prompt_tokens(Of<double> auto input_tokens, Of<double> auto prefix_hit_ratio) {
  return input_tokens * (1.0 - prefix_hit_ratio);
}

/// The prompt itself yields the first token; a run that generates nothing decodes nothing.
constexpr auto tokens_after_first(Of<double> auto output_tokens) { return max(0.0, output_tokens - 1.0); }

constexpr auto admitted_concurrency(Of<double> auto load, Of<double> auto max_sequences) {
  return min(load, max_sequences);
}

/// A lane that works holds one sequence at least.
constexpr auto lane_sequences(Of<double> auto in_flight, Of<double> auto lanes) { return max(1.0, in_flight / lanes); }

/// Requests in the lanes while one of `clients` that think is served: those of the others, and itself. `in_system` wait
/// or are served, mean over time; each client is among them for that share of its time.
constexpr auto requests_met(Of<double> auto in_system, Of<double> auto lanes, Of<double> auto clients,
                            Of<double> auto places) {
  return cited("Schweitzer 1979 and Bard 1979, approximate mean value analysis",
               min(places, in_system + lanes * (1.0 - in_system / clients)));
}

/// Prompt tokens that a step has room for beside one decode token of each sequence.
constexpr auto prompt_room(Of<double> auto max_batched_tokens, Of<double> auto sequences) {
  return cited("arXiv 2403.02310 section 4 (chunked prefill)", max(1.0, max_batched_tokens - sequences));
}

/// Sequences that a steady stream keeps in flight when each lane's step carries `step_tokens` at most: one token of
/// each and the prompts of those that follow the finished ones. At least one in each lane.
constexpr auto sequences_of_step_limit(Of<double> auto sequences, Of<double> auto lanes, Of<double> auto step_tokens,
                                       Of<double> auto prompt, Of<double> auto output) {
  return cited("docs/method/serving_time.md#lane",
               min(sequences, max(1.0, lanes * step_tokens * output / (prompt + output))));
}

/// Steps over which a prompt is spread.
auto prompt_chunks(Of<double> auto prompt_tokens, Of<double> auto room) {
  return cited("arXiv 2403.02310 section 4 (chunked prefill)", max(1.0, ceil(prompt_tokens / room)));
}

/// Steps from admission to the last token: own chunks and decode steps, or more where the lane's prompts do not fit
/// between them.
constexpr auto request_steps(Of<double> auto decode_steps, Of<double> auto chunks, Of<double> auto lane_prompt_tokens,
                             Of<double> auto room) {
  return cited("docs/method/serving_time.md#lane", max(decode_steps + chunks, lane_prompt_tokens / room));
}

/// Of those, steps that carry prompt tokens.
constexpr auto mixed_steps(Of<double> auto steps, Of<double> auto lane_prompt_tokens, Of<double> auto tokens_of_step) {
  return cited("docs/method/serving_time.md#lane", min(steps, lane_prompt_tokens / tokens_of_step));
}

/// Prompts that come during one step, when every sequence's comes once in its decode steps and the first token's.
constexpr auto prompts_per_step(Of<double> auto sequences, Of<double> auto decode_steps) {
  return cited("docs/method/serving_time.md#lane", sequences / (decode_steps + 1.0));
}

/// Prompt tokens of a step that has some: whole prompts of those that came since the last step, one at least, as far
/// as there is room.
constexpr auto prompt_tokens_of_step(Of<double> auto prompts_per_step, Of<double> auto prompt, Of<double> auto room) {
  return cited("docs/method/serving_time.md#lane", min(max(1.0, prompts_per_step) * prompt, room));
}

/// What one prompt adds to the steps that carry it. `prompts` of them ride in one.
constexpr auto prompt_time(Of<Seconds> auto mixed_step, Of<Seconds> auto decode_step, Of<double> auto factor,
                           Of<double> auto prompts) {
  return cited("docs/method/serving_time.md#lane", max(Seconds(0), mixed_step - decode_step) * factor / prompts);
}

/// Of the engine: a lane's place is taken by the next request after all decode steps, the first token's and every
/// sequence's prompt.
constexpr auto cycle_time(Of<double> auto decode_steps, Of<Seconds> auto decode_step, Of<double> auto sequences,
                          Of<Seconds> auto prompt) {
  return cited("docs/method/serving_time.md#lane", (decode_steps + 1.0) * decode_step + sequences * prompt);
}

/// Prompts ahead of one that comes in: half of the burst, and never all of the lane's.
constexpr auto prompt_queue(Of<double> auto burst, Of<double> auto sequences, Of<Seconds> auto prompt) {
  return cited("docs/method/serving_time.md#first-token", min(burst / 2.0, 0.9) * sequences * prompt);
}

/// From the first token to the last: decode steps and the prompts that ride along, without those that this request
/// waited for itself.
constexpr auto answer_time(Of<double> auto decode_steps, Of<Seconds> auto decode_step, Of<double> auto sequences,
                           Of<Seconds> auto prompt, Of<Seconds> auto queue) {
  return cited("docs/method/serving_time.md#lane",
               decode_steps * decode_step + max(Seconds(0), (sequences - 1.0) * prompt - queue));
}

/// Pieces of a prompt through the stages of a pipeline, of which a share runs one after the other. `whole` is a piece
/// through all stages.
constexpr auto pieces_time(Of<double> auto pieces, Of<Seconds> auto whole, Of<double> auto stages,
                           Of<double> auto in_turn) {
  return cited("docs/method/serving_time.md#llamacpp",
               whole * (in_turn * pieces + (1.0 - in_turn) * (pieces + stages - 1.0) / stages));
}

/// Until the running step ends, and half of the steps that the prompt's own pieces ride in.
constexpr auto wait_for_step(Of<Seconds> auto decode_step, Of<double> auto prompt, Of<double> auto room) {
  return cited("docs/method/serving_time.md#first-token", decode_step * (1.0 + max(1.0, prompt / room)) / 2.0);
}

/// Waiting for a free place when more requests are in the system than fit (Little's law of the waiting line).
constexpr auto admission_wait(Of<double> auto waiting, Of<PerSecond> auto request_rate) {
  return cited("Little 1961, L = lambda W", waiting / request_rate);
}

/// `after_first` = output tokens less one, above 0.
constexpr auto time_per_output_token(Of<Seconds> auto request, Of<Seconds> auto first_token,
                                     Of<double> auto after_first) {
  return cited("definition: request = ttft + (output_tokens - 1) * tpot", (request - first_token) / after_first);
}

/// Requests in flight at a given rate.
constexpr auto requests_in_flight(Of<PerSecond> auto request_rate, Of<Seconds> auto first_token,
                                  Of<double> auto after_first, Of<Seconds> auto per_output_token) {
  return cited("Little 1961, L = lambda W", request_rate * (first_token + after_first * per_output_token));
}

/// All sequences of a static batch: prompts together, then one step a token.
constexpr auto static_batch_time(Of<Seconds> auto first_token, Of<double> auto after_first,
                                 Of<Seconds> auto decode_step) {
  return cited("definition: request = ttft + (output_tokens - 1) * tpot", first_token + after_first * decode_step);
}

}  // namespace podwright
