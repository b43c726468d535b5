#pragma once
/// What bounds the sequences of a deployment: its memory, and the tokens of a step.
#include "base/arithmetic.h"
#include "memory/serving_memory.h"
#include "perf/serving_performance.h"

namespace podwright {

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
    max_sequences = named(
        "perf.sequences_of_step_limit",
        sequences_of_step_limit(
            max_sequences, lanes, max_batched_tokens,
            named("perf.new_prompt_tokens", new_prompt_tokens(trace.input("/input_tokens", run.input_tokens),
                                                              trace.input("/prefix_hit_ratio", run.prefix_hit_ratio))),
            trace.input("/output_tokens", run.output_tokens)));
  }
  return {.max_sequences = max_sequences,
          .max_batched_tokens = max_batched_tokens,
          .kv_element = Bytes(kv_element_bytes(kv_precision_of(run, *memory.conventions, format)).value_or(0)),
          .pool_tokens = memory.conventions->reservation == Reservation::optimistic ? value_of(memory.kv_tokens) : 0,
          .pools = run.parallelism.data * run.parallelism.attention_data};
}

/// The reason of a deployment whose steps or memory leave no room for a sequence.
Infeasible no_sequence_fits();

}  // namespace podwright
