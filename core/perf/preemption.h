#pragma once
/// Engines that admit a sequence before its last token has room throw some out again, whose tokens are then computed a
/// second time. docs/method/percentiles.md#preemption.
#include <string>

#include "memory/serving_run.h"
#include "perf/lane_times.h"
#include "perf/spread_formulas.h"

namespace podwright {

/// Tokens that preempted sequences must compute again, as a share of the prompts' tokens: what a pool of `tokens` lacks
/// on average while `sequences` grow independently of each other. 0 where `tokens` is 0: the pool admits whole lengths.
double recomputed_share(double tokens, double sequences, const ServingRun& run);

/// A sentence for people; empty where the share is below a thousandth.
std::string told_recompute(double share);

/// The lane with the time that goes into tokens computed again. `sequences` share a pool of `tokens`.
template <class Tracer>
void add_recompute(Tracer& trace, double tokens, double sequences, const ServingRun& run, LaneTimes<Tracer>& lane) {
  if (tokens <= 0) return;
  const double share = recomputed_share(tokens, sequences, run);
  if (share <= 0) return;
  const auto recomputed = trace.method("perf.recomputed_share", share, "docs/method/percentiles.md#preemption");
  const auto prompts = trace.step("perf.prompt_share", kPromptShare, lane.mixed, lane.mixed_step.total,
                                  lane.decode_step.total, lane.request);
  lane.request = trace.step("perf.request_with_recompute", kTimeWithRecompute, lane.request, prompts, recomputed);
  lane.cycle = trace.step("perf.cycle_with_recompute", kTimeWithRecompute, lane.cycle, prompts, recomputed);
}

}  // namespace podwright
