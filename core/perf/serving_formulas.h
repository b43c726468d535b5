#pragma once
/// Equations of one serving engine in steady state: how many steps a request takes, what a step carries, what the times
/// then are. One lane: the sequences that share each engine step (with pipeline stages there is one lane per stage).
/// Derivation and limits: docs/method/serving_time.md#lane.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Prompt tokens that must be computed; the rest lie in the prefix cache.
constexpr double new_prompt_tokens(double input_tokens, double prefix_hit_ratio) {
  return input_tokens * (1.0 - prefix_hit_ratio);
}
inline constexpr Formula<new_prompt_tokens> kNewPromptTokens{.id = "perf.new_prompt_tokens",
                                                             .inputs = {"input_tokens", "prefix_hit_ratio"},
                                                             .equation = "input_tokens * (1 - prefix_hit_ratio)",
                                                             .source = "definition"};

/// `first` is the one token that the prompt itself yields; a run that generates nothing decodes nothing.
constexpr double tokens_after_first(double output_tokens, double first) { return std::max(0.0, output_tokens - first); }
inline constexpr Formula<tokens_after_first> kTokensAfterFirst{.id = "perf.tokens_after_first",
                                                               .inputs = {"output_tokens", "first"},
                                                               .equation = "max(0, output_tokens - first)",
                                                               .source = "definition"};

constexpr double admitted_concurrency(double load, double max_sequences) { return std::min(load, max_sequences); }
inline constexpr Formula<admitted_concurrency> kAdmittedConcurrency{.id = "perf.admitted_concurrency",
                                                                    .inputs = {"load", "max_sequences"},
                                                                    .equation = "min(load, max_sequences)",
                                                                    .source = "definition"};

/// A lane that works holds one sequence at least.
constexpr double lane_sequences(double in_flight, double lanes) { return std::max(1.0, in_flight / lanes); }
inline constexpr Formula<lane_sequences> kLaneSequences{.id = "perf.lane_sequences",
                                                        .inputs = {"in_flight", "lanes"},
                                                        .equation = "max(1, in_flight / lanes)",
                                                        .source = "definition"};

/// Prompt tokens that a step has room for beside one decode token of each sequence.
constexpr double prompt_room(double max_batched_tokens, double sequences) {
  return std::max(1.0, max_batched_tokens - sequences);
}
inline constexpr Formula<prompt_room> kPromptRoom{.id = "perf.prompt_room",
                                                  .inputs = {"max_batched_tokens", "sequences"},
                                                  .equation = "max(1, max_batched_tokens - sequences)",
                                                  .source = "arXiv 2403.02310 section 4 (chunked prefill)"};

/// Sequences that a steady stream keeps in flight when each lane's step carries `step_tokens` at most: one token of
/// each and the prompts of those that follow the finished ones. At least one in each lane.
constexpr double sequences_of_step_limit(double sequences, double lanes, double step_tokens, double prompt,
                                         double output) {
  return std::min(sequences, std::max(1.0, lanes * step_tokens * output / (prompt + output)));
}
inline constexpr Formula<sequences_of_step_limit> kSequencesOfStepLimit{
    .id = "perf.sequences_of_step_limit",
    .inputs = {"sequences", "lanes", "step_tokens", "prompt", "output"},
    .equation = "min(sequences, max(1, lanes * step_tokens * output / (prompt + output)))",
    .source = "docs/method/serving_time.md#lane"};

/// Steps over which a prompt is spread.
inline double prompt_chunks(double prompt_tokens, double room) {
  return std::max(1.0, std::ceil(prompt_tokens / room));
}
inline constexpr Formula<prompt_chunks> kPromptChunks{.id = "perf.prompt_chunks",
                                                      .inputs = {"prompt_tokens", "room"},
                                                      .equation = "max(1, ceil(prompt_tokens / room))",
                                                      .source = "arXiv 2403.02310 section 4 (chunked prefill)"};

/// Steps from admission to the last token: own chunks and decode steps, or more where the lane's prompts do not fit
/// between them.
constexpr double request_steps(double decode_steps, double chunks, double lane_prompt_tokens, double room) {
  return std::max(decode_steps + chunks, lane_prompt_tokens / room);
}
inline constexpr Formula<request_steps> kRequestSteps{
    .id = "perf.request_steps",
    .inputs = {"decode_steps", "chunks", "lane_prompt_tokens", "room"},
    .equation = "max(decode_steps + chunks, lane_prompt_tokens / room)",
    .source = "docs/method/serving_time.md#lane"};

/// Of those, steps that carry prompt tokens.
constexpr double mixed_steps(double steps, double lane_prompt_tokens, double tokens_of_step) {
  return std::min(steps, lane_prompt_tokens / tokens_of_step);
}
inline constexpr Formula<mixed_steps> kMixedSteps{.id = "perf.mixed_steps",
                                                  .inputs = {"steps", "lane_prompt_tokens", "tokens_of_step"},
                                                  .equation = "min(steps, lane_prompt_tokens / tokens_of_step)",
                                                  .source = "docs/method/serving_time.md#lane"};

constexpr double lane_prompt_tokens(double sequences, double prompt_tokens) { return sequences * prompt_tokens; }
inline constexpr Formula<lane_prompt_tokens> kLanePromptTokens{.id = "perf.lane_prompt_tokens",
                                                               .inputs = {"sequences", "prompt_tokens"},
                                                               .equation = "sequences * prompt_tokens",
                                                               .source = "definition"};

/// Prompt tokens of a step that has some: whole prompts of those that came since the last step, one at least, as far
/// as there is room.
constexpr double prompt_tokens_of_step(double sequences, double decode_steps, double prompt, double room) {
  return std::min(std::max(1.0, sequences / (decode_steps + 1.0)) * prompt, room);
}
inline constexpr Formula<prompt_tokens_of_step> kPromptTokensOfStep{
    .id = "perf.prompt_tokens_of_step",
    .inputs = {"sequences", "decode_steps", "prompt", "room"},
    .equation = "min(max(1, sequences / (decode_steps + 1)) * prompt, room)",
    .source = "docs/method/serving_time.md#lane"};

/// What one prompt adds to the steps that carry it. `prompts` of them ride in one.
constexpr Seconds prompt_time(Seconds mixed_step, Seconds decode_step, double factor, double prompts) {
  return std::max(Seconds(0), mixed_step - decode_step) * factor / prompts;
}
inline constexpr Formula<prompt_time> kPromptTime{.id = "perf.prompt_time",
                                                  .inputs = {"mixed_step", "decode_step", "factor", "prompts"},
                                                  .equation = "max(0, mixed_step - decode_step) * factor / prompts",
                                                  .source = "docs/method/serving_time.md#lane"};

/// Of the engine: a lane's place is taken by the next request after all decode steps, the first token's and every
/// sequence's prompt.
constexpr Seconds cycle_time(double decode_steps, Seconds decode_step, double sequences, Seconds prompt) {
  return (decode_steps + 1.0) * decode_step + sequences * prompt;
}
inline constexpr Formula<cycle_time> kCycleTime{.id = "perf.cycle_time",
                                                .inputs = {"decode_steps", "decode_step", "sequences", "prompt"},
                                                .equation = "(decode_steps + 1) * decode_step + sequences * prompt",
                                                .source = "docs/method/serving_time.md#lane"};

/// Prompts ahead of one that comes in: half of the burst, and never all of the lane's.
constexpr Seconds prompt_queue(double burst, double sequences, Seconds prompt) {
  return std::min(burst / 2.0, 0.9) * sequences * prompt;
}
inline constexpr Formula<prompt_queue> kPromptQueue{.id = "perf.prompt_queue",
                                                    .inputs = {"burst", "sequences", "prompt"},
                                                    .equation = "min(burst / 2, 0.9) * sequences * prompt",
                                                    .source = "docs/method/serving_time.md#first-token"};

/// From the first token to the last: decode steps and the prompts that ride along, without those that this request
/// waited for itself.
constexpr Seconds answer_time(double decode_steps, Seconds decode_step, double sequences, Seconds prompt,
                              Seconds queue) {
  return decode_steps * decode_step + std::max(Seconds(0), (sequences - 1.0) * prompt - queue);
}
inline constexpr Formula<answer_time> kAnswerTime{
    .id = "perf.answer_time",
    .inputs = {"decode_steps", "decode_step", "sequences", "prompt", "queue"},
    .equation = "decode_steps * decode_step + max(0, (sequences - 1) * prompt - queue)",
    .source = "docs/method/serving_time.md#lane"};

/// Pieces of a prompt through the stages of a pipeline, of which a share runs one after the other. `whole` is a piece
/// through all stages.
constexpr Seconds pieces_time(double pieces, Seconds whole, double stages, double in_turn) {
  return whole * (in_turn * pieces + (1.0 - in_turn) * (pieces + stages - 1.0) / stages);
}
inline constexpr Formula<pieces_time> kPiecesTime{
    .id = "perf.pieces_time",
    .inputs = {"pieces", "whole", "stages", "in_turn"},
    .equation = "whole * (in_turn * pieces + (1 - in_turn) * (pieces + stages - 1) / stages)",
    .source = "docs/method/serving_time.md#llamacpp"};

/// Mean length of a sequence while it decodes.
constexpr double mean_context(double input_tokens, double output_tokens) { return input_tokens + output_tokens / 2.0; }
inline constexpr Formula<mean_context> kMeanContext{.id = "perf.mean_context",
                                                    .inputs = {"input_tokens", "output_tokens"},
                                                    .equation = "input_tokens + output_tokens / 2",
                                                    .source = "mean of a length that grows by one a step"};

/// Until the running step ends, and half of the steps that the prompt's own pieces ride in.
constexpr Seconds wait_for_step(Seconds decode_step, double prompt, double room) {
  return decode_step * (1.0 + std::max(1.0, prompt / room)) / 2.0;
}
inline constexpr Formula<wait_for_step> kWaitForStep{.id = "perf.wait_for_step",
                                                     .inputs = {"decode_step", "prompt", "room"},
                                                     .equation = "decode_step * (1 + max(1, prompt / room)) / 2",
                                                     .source = "docs/method/serving_time.md#first-token"};

/// Waiting for a free place when more requests are in the system than fit (Little's law of the waiting line).
constexpr Seconds admission_wait(double waiting, PerSecond request_rate) { return waiting / request_rate; }
inline constexpr Formula<admission_wait> kAdmissionWait{.id = "perf.admission_wait",
                                                        .inputs = {"waiting", "request_rate"},
                                                        .equation = "waiting / request_rate",
                                                        .source = "Little 1961, L = lambda W"};

constexpr double waiting_requests(double in_system, double admitted) { return std::max(0.0, in_system - admitted); }
inline constexpr Formula<waiting_requests> kWaitingRequests{.id = "perf.waiting_requests",
                                                            .inputs = {"in_system", "admitted"},
                                                            .equation = "max(0, in_system - admitted)",
                                                            .source = "definition"};

/// `after_first` = output tokens less one, above 0.
constexpr Seconds time_per_output_token(Seconds request, Seconds first_token, double after_first) {
  return (request - first_token) / after_first;
}
inline constexpr Formula<time_per_output_token> kTimePerOutputToken{
    .id = "perf.time_per_output_token",
    .inputs = {"request", "first_token", "after_first"},
    .equation = "(request - first_token) / after_first",
    .source = "definition: request = ttft + (output_tokens - 1) * tpot"};

/// The whole deployment, from the sequences in flight and the time each of them takes.
constexpr PerSecond completed_requests(double in_flight, Seconds request) { return in_flight / request; }
inline constexpr Formula<completed_requests> kCompletedRequests{.id = "perf.completed_requests",
                                                                .inputs = {"in_flight", "request"},
                                                                .equation = "in_flight / request",
                                                                .source = "Little 1961, L = lambda W"};

/// Requests in flight at a given rate.
constexpr double requests_in_flight(PerSecond request_rate, Seconds first_token, double after_first,
                                    Seconds per_output_token) {
  return request_rate * (first_token + after_first * per_output_token);
}
inline constexpr Formula<requests_in_flight> kRequestsInFlight{
    .id = "perf.requests_in_flight",
    .inputs = {"request_rate", "first_token", "after_first", "per_output_token"},
    .equation = "request_rate * (first_token + after_first * per_output_token)",
    .source = "Little 1961, L = lambda W"};

constexpr PerSecond token_rate(PerSecond request_rate, double tokens) { return request_rate * tokens; }
inline constexpr Formula<token_rate> kTokenRate{.id = "perf.token_rate",
                                                .inputs = {"request_rate", "tokens"},
                                                .equation = "request_rate * tokens",
                                                .source = "definition"};

constexpr PerSecond rate_per_gpu(PerSecond rate, double gpus) { return rate / gpus; }
inline constexpr Formula<rate_per_gpu> kRatePerGpu{
    .id = "perf.rate_per_gpu", .inputs = {"rate", "gpus"}, .equation = "rate / gpus", .source = "definition"};

/// All sequences of a static batch: prompts together, then one step a token.
constexpr Seconds static_batch_time(Seconds first_token, double after_first, Seconds decode_step) {
  return first_token + after_first * decode_step;
}
inline constexpr Formula<static_batch_time> kStaticBatchTime{
    .id = "perf.static_batch_time",
    .inputs = {"first_token", "after_first", "decode_step"},
    .equation = "first_token + after_first * decode_step",
    .source = "definition: request = ttft + (output_tokens - 1) * tpot"};

}  // namespace podwright
