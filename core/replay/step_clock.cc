#include "replay/step_clock.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "perf/speculative.h"

namespace podwright::replay {
namespace {

double decode_seconds(const EngineCosts<NoTrace>& costs) {
  const double work = (costs.decode_attention_work / costs.decode_rate).base_units();
  const double reading = (costs.kv_read_per_sequence / costs.kv_reading).base_units();
  return std::max(work, reading) / costs.attention_ranks;
}

double prompt_seconds(const EngineCosts<NoTrace>& costs) {
  return (costs.prefill_attention_work / costs.attention).base_units() / costs.attention_ranks;
}

}  // namespace

AttentionTimes attention_times(const EngineCosts<NoTrace>& shorter, double shorter_input, double shorter_context,
                               const EngineCosts<NoTrace>& longer, double longer_input, double longer_context) {
  AttentionTimes times;
  times.token = (decode_seconds(longer) - decode_seconds(shorter)) / (longer_context - shorter_context);
  times.sequence = std::max(0.0, decode_seconds(shorter) - times.token * shorter_context);
  const double of_shorter = prompt_seconds(shorter) / shorter_input;
  times.pair = (prompt_seconds(longer) / longer_input - of_shorter) / (longer_input - shorter_input);
  times.prompt_token = std::max(0.0, of_shorter - times.pair * shorter_input);
  return times;
}

StepClock::StepClock(EngineCosts<NoTrace> costs, const AttentionTimes& attention)
    : costs_(std::move(costs)), attention_(attention), factor_(costs_.figures.prompts) {
  costs_.decode_attention_work = Flops(0);
  costs_.kv_read_per_sequence = Bytes(0);
  costs_.prefill_attention_work = Flops(0);
  if (costs_.drafting) tokens_per_step_ = costs_.drafting->tokens_per_step;
}

double StepClock::decode(double sequences) {
  const std::size_t place = static_cast<std::size_t>(sequences);
  if (place >= decode_.size()) decode_.resize(place + 1, -1);
  NoTrace none;
  if (decode_[place] < 0) decode_[place] = lane_step(none, costs_, {sequences, 0.0, 0.0}).total.base_units();
  return decode_[place];
}

double StepClock::prompts(double sequences, double tokens, double ending) {
  NoTrace none;
  const double mixed = lane_step(none, costs_, {sequences, tokens, ending}).total.base_units();
  return factor_ * std::max(0.0, mixed - decode(sequences));
}

}  // namespace podwright::replay
