#pragma once
/// A pool of replicas that only computes prompts, or only generates answers, asked for times in plain numbers.
/// With the equations that join two of them. docs/method/speculative_and_disaggregated.md#disaggregated-serving.
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/units.h"
#include "perf/serving_performance.h"

namespace podwright {

/// What a pool reaches beside the other one.
constexpr auto matched_rate(Of<PerSecond> auto own, Of<double> auto share) {
  return cited("aiconfigurator, rate matching", own * share);
}

constexpr auto slower_pool(Of<PerSecond> auto prefill, Of<PerSecond> auto decode) {
  return cited("every request passes both pools", min(prefill, decode));
}

constexpr auto idle_share(Of<PerSecond> auto served, Of<PerSecond> auto possible) {
  return max(0.0, 1.0 - served / possible);
}

/// Keys and values of the prompt go from the GPUs of one replica to those of another, each over a link of its own.
constexpr auto kv_transfer_time(Of<double> auto tokens, Of<Bytes> auto per_token, Of<double> auto links,
                                Of<BytesPerSecond> auto bandwidth) {
  return cited("docs/method/speculative_and_disaggregated.md", tokens * per_token / (links * bandwidth));
}

/// `factor` stands for dispatch and queues of prompts, `wait` for those that find the pool full.
constexpr auto disaggregated_first_token(Of<Seconds> auto prompt, Of<double> auto factor, Of<Seconds> auto transfer,
                                         Of<Seconds> auto wait) {
  return cited("aiconfigurator, rate matching", factor * prompt + transfer + wait);
}

struct ServingPool {
  ServingRun run;  ///< of the pool alone, without a load
  EngineCosts<NoTrace> costs;
  ServingLimits<NoTrace> limits;
  Bytes kv_on_gpu;      ///< keys and values of one token that one GPU holds, copies of heads included
  double replicas = 1;  ///< of what run and limits speak of

  double lanes() const { return replicas * run.parallelism.pipeline * run.parallelism.data; }
  double places() const { return replicas * limits.max_sequences; }
};

enum class PoolTask { prompts, answers };

/// Memory and costs of a pool with this layout; `memory` is told also where it does not fit. Absent, with the reason,
/// where it is not possible. `catalog` is asked for the rates.
std::optional<ServingPool> ready_pool(const Catalog& catalog, const Model& model, const LayerStack& stack,
                                      const Gpu& gpu, const Engine& engine, const WeightFormat& format,
                                      const ServingRun& run, PoolTask task, const ServingParallelism& layout,
                                      std::optional<ServingMemory<NoTrace>>& memory,
                                      std::vector<std::string>& assumptions, std::vector<Infeasible>& reasons);

/// How a pool takes prompts: as many whole ones at once as a step's tokens take.
struct PromptBatch {
  double most = 1;    ///< prompts of one batch
  double steps = 1;   ///< that one batch takes
  double tokens = 0;  ///< of one prompt, new ones
};
PromptBatch prompt_batch(const ServingPool& pool);

/// A step of a batch of a given number of prompts.
StepTimes<NoTrace> prompt_step(const ServingPool& pool, const PromptBatch& batch, double prompts);
/// Time of a batch of a given number of prompts.
Seconds batch_time(const ServingPool& pool, const PromptBatch& batch, double prompts);

/// A step of one lane with this many sequences in the pool.
StepTimes<NoTrace> answer_step(const ServingPool& pool, double sequences);
/// From the first token to the last with this many sequences in the pool.
Seconds answer_time(const ServingPool& pool, double sequences);

/// Requests/s that the pool completes alone.
PerSecond rate_of_prompts(const ServingPool& pool, const PromptBatch& batch);
PerSecond rate_of_answers(const ServingPool& pool, double sequences);

}  // namespace podwright
