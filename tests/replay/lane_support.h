#pragma once
/// Engines for tests whose steps take a fixed time, and requests for them.
#include <vector>

#include "replay/replay.h"

namespace podwright::replay {

/// Every step takes `step` seconds, whatever it carries; the client adds nothing.
inline StepClock clock_of_steps(double step) {
  EngineCosts<NoTrace> costs;
  costs.starts = Seconds(step);
  costs.attention_ranks = 1;
  costs.head_gemm = FlopsPerSecond(1);
  costs.head_streaming = BytesPerSecond(1);
  costs.decode_rate = FlopsPerSecond(1);
  costs.kv_reading = BytesPerSecond(1);
  costs.attention = FlopsPerSecond(1);
  costs.figures.prompts = 1;
  return {costs, {}};
}

/// One slot: nothing is batched.
inline Deployment one_slot() {
  return {.limits = {.pool_tokens = 1e6, .block_tokens = 16, .max_sequences = 1, .step_tokens = 1e6}};
}

inline Request request_at(double at, double input, double output, std::uint64_t id) {
  Request request;
  request.at = at;
  request.input_tokens = input;
  request.output_tokens = output;
  request.parts = {{id, input}};
  return request;
}

}  // namespace podwright::replay
