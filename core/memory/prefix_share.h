#pragma once
/// What sequences find in the prefix cache, and what of it they hold together: as the request says, or as it follows
/// from the traffic. docs/method/replay.md#reuse.
#include "base/arithmetic.h"
#include "memory/serving_budget.h"
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

/// Of the prompts in which tokens stand that are computed, `computed` of a prompt on average: how many are, and how
/// many lie in the cache before them. Where no traffic is described, all prompts find the same.
template <class Tracer>
Known<Tracer, double> computed_met(Tracer& trace, const ServingRun& run, const Known<Tracer, double>& computed) {
  if (run.shared) return trace.method("perf.computed_of_prompt_met", run.shared->computed_met, kReusePage);
  return named("perf.computed_of_prompt_met",
               met_length(computed, trace.input("/input_tokens_cv", run.input_tokens_cv)));
}
template <class Tracer>
Known<Tracer, double> found_met(Tracer& trace, const ServingRun& run) {
  if (run.shared) return trace.method("perf.prefix_tokens", run.shared->found_met, kReusePage);
  return named("perf.prefix_tokens", trace.input("/input_tokens", run.input_tokens) * prefix_hits(trace, run));
}

/// Standard deviation over mean of the prompt tokens that are computed.
double computed_cv(const ServingRun& run);
/// Standard deviation of the prompt tokens that a sequence does not share.
double own_prompt_deviation(const ServingRun& run);

/// Whether the engine is to keep what prompts began with.
inline bool keeps_prefixes(const ServingRun& run) { return run.prefix_hit_ratio > 0 || shares_prompts(run); }

/// Host memory of a GPU that an engine is to use for what its prefix cache drops; 0: none.
inline double host_cache_bytes(const ServingRun& run) {
  return run.traffic && !run.disaggregated ? run.traffic->host_cache.base_units() : 0;
}

inline bool shares_tokens(const ServingRun& run) {
  return run.shared ? run.shared->tokens > 0 : run.prefix_hit_ratio > 0;
}

}  // namespace podwright
