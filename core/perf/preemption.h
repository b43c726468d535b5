#pragma once
/// Engines that admit a sequence before its last token has room throw some out again, whose tokens are then computed a
/// second time. docs/method/percentiles.md#preemption.
#include <string>

#include "base/arithmetic.h"
#include "memory/serving_run.h"
#include "perf/latency_scatter.h"

namespace podwright {

/// Tokens that preempted sequences must compute again, as a share of the prompts' tokens: what a pool of `tokens` lacks
/// on average while `sequences` grow independently of each other. 0 where `tokens` is 0: the pool admits whole lengths.
double recomputed_share(double tokens, double sequences, const ServingRun& run);

/// A sentence for people; empty where the share is below a thousandth.
std::string told_recompute(double share);

/// What one prompt adds to a lane, with its part of the tokens computed again. `sequences` share a pool of `tokens`.
template <class Tracer>
typename Tracer::template Known<Seconds> with_recompute(Tracer& trace, double tokens, double sequences,
                                                        const ServingRun& run,
                                                        const typename Tracer::template Known<Seconds>& prompt) {
  if (tokens <= 0) return prompt;
  const double share = recomputed_share(tokens, sequences, run);
  if (share <= 0) return prompt;
  const auto recomputed = trace.method("perf.recomputed_share", share, "docs/method/percentiles.md#preemption");
  return named("perf.prompt_with_recompute", prompt_with_recompute(prompt, recomputed));
}

}  // namespace podwright
