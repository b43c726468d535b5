#pragma once
/// What prompts see of a prefill pool at an open rate, without asking the decode pool for its times.
/// docs/method/speculative_and_disaggregated.md#disaggregated-serving.
#include "perf/disaggregated.h"

namespace podwright {

/// Fills in the prompts' time, their transfer to the decode pool and their wait. `rate` is below what the pool
/// completes; `kv_of_token` moves over `link` for each token of a prompt.
void serve_prompts(const ServingPool& prefill, const ServingPool& decode, Bytes kv_of_token, BytesPerSecond link,
                   double rate, const ServingRun& run, const PoolMatching& matching, DisaggregatedFigures& figures);

}  // namespace podwright
