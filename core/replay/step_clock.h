#pragma once
/// How long the steps of a replayed engine take: the same step as of an estimate, with the cache that its sequences
/// really hold and the pairs that its prompts really have. docs/method/replay.md#steps.
#include <vector>

#include "perf/step_costs.h"

namespace podwright::replay {

/// Attention in seconds: of decoding `sequence` + `token` for each token of context, of the first L tokens of a prompt
/// `pair` L^2 + `prompt_token` L.
struct AttentionTimes {
  double sequence = 0;
  double token = 0;
  double pair = 0;
  double prompt_token = 0;
};

/// From the costs at two lengths of prompts without a prefix, each with its mean context: exact where all layers see
/// the whole sequence.
AttentionTimes attention_times(const EngineCosts<NoTrace>& shorter, double shorter_input, double shorter_context,
                               const EngineCosts<NoTrace>& longer, double longer_input, double longer_context);

class StepClock {
 public:
  StepClock(EngineCosts<NoTrace> costs, const AttentionTimes& attention);

  /// A step in which so many sequences decode, without what they read of the cache, s.
  double decode(double sequences);
  /// Reading `context` tokens that `sequences` hold together, s.
  double cache(double sequences, double context) const {
    return sequences * attention_.sequence + context * attention_.token;
  }
  double per_context_token() const { return attention_.token; }
  /// What prompt tokens add to a step, without their attention; `ending` prompts end in it, s.
  double prompts(double sequences, double tokens, double ending);
  /// Attention of the tokens `from` to `to` of a prompt, s.
  double prompt_attention(double from, double to) const {
    return factor_ * ((to * to - from * from) * attention_.pair + (to - from) * attention_.prompt_token);
  }
  /// Tokens of each sequence that a step yields: more than one with a draft.
  double tokens_per_step() const { return tokens_per_step_; }
  /// From the client to the engine and back, s.
  double client() const { return costs_.figures.first_token.base_units(); }

 private:
  EngineCosts<NoTrace> costs_;  ///< without attention
  AttentionTimes attention_;
  double factor_ = 1;
  double tokens_per_step_ = 1;
  std::vector<double> decode_;  ///< of each number of sequences; below 0: not computed yet
};

}  // namespace podwright::replay
