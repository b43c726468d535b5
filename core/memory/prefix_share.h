#pragma once
/// What sequences find in the prefix cache, and what of it they hold together: as the request says, or as it follows
/// from the traffic. docs/method/replay.md#reuse.
#include "base/arithmetic.h"
#include "memory/serving_run.h"

namespace podwright {

inline constexpr const char* kReusePage = "docs/method/replay.md#reuse";

/// Share of the prompts' tokens that need not be computed.
template <class Tracer>
Known<Tracer, double> prefix_hits(Tracer& trace, const ServingRun& run) {
  if (run.measured.prefix_hit_ratio) return trace.input("/measured/prefix_hit_ratio", *run.measured.prefix_hit_ratio);
  if (shares_prompts(run)) return trace.method("perf.prefix_hit_ratio", run.prefix_hit_ratio, kReusePage);
  return trace.input("/prefix_hit_ratio", run.prefix_hit_ratio);
}

/// Tokens of each sequence that are stored once for all.
template <class Tracer>
Known<Tracer, double> shared_tokens(Tracer& trace, const ServingRun& run) {
  if (run.shared) return trace.method("memory.shared_prefix_tokens", run.shared->tokens, kReusePage);
  return named("memory.shared_tokens", cited("shared blocks are stored once",
                                             prefix_hits(trace, run) * trace.input("/input_tokens", run.input_tokens)));
}

/// Whether the engine is to keep what prompts began with.
inline bool keeps_prefixes(const ServingRun& run) { return run.prefix_hit_ratio > 0 || shares_prompts(run); }

inline bool shares_tokens(const ServingRun& run) {
  return run.shared ? run.shared->tokens > 0 : run.prefix_hit_ratio > 0;
}

}  // namespace podwright
