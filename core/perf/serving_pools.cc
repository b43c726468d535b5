#include "perf/serving_pools.h"

#include <algorithm>
#include <cmath>

#include "perf/layout_rules.h"
#include "perf/serving_performance.h"

namespace podwright {
namespace {

ServingRun run_of_pool(const ServingRun& run, PoolTask task, const ServingParallelism& layout) {
  ServingRun own = run;
  own.parallelism = layout;
  own.disaggregated.reset();
  own.load = {LoadKind::max_throughput, 0};
  if (task == PoolTask::prompts) {
    own.output_tokens = 1;
    own.output_tokens_cv = 0;
    own.speculative.reset();
  }
  return own;
}

void say_of_pool(PoolTask task, std::vector<Infeasible>& reasons, std::size_t from) {
  for (std::size_t i = from; i < reasons.size(); ++i) {
    const auto reason = "reason"_v = std::move(reasons[i].message);
    reasons[i].message = task == PoolTask::prompts ? say("of-pool/prefill", reason) : say("of-pool/decode", reason);
    reasons[i].ways_out.clear();  // they speak of the layout of the whole deployment
  }
}

/// No prompts share the steps of a decode pool.
ServingLimits<NoTrace> limits_of_pool(const ServingMemory<NoTrace>& memory, const ServingRun& run, PoolTask task,
                                      const WeightFormat& format) {
  NoTrace none;
  if (task == PoolTask::prompts) return serving_limits(none, memory, run, format);
  ServingRun without_prompts = run;
  without_prompts.prefix_hit_ratio = 1;
  return serving_limits(none, memory, without_prompts, format);
}

}  // namespace

std::optional<ServingPool> ready_pool(const Catalog& catalog, const Model& model, const LayerStack& stack,
                                      const Gpu& gpu, const Engine& engine, const WeightFormat& format,
                                      const ServingRun& run, PoolTask task, const ServingParallelism& layout,
                                      std::optional<ServingMemory<NoTrace>>& memory,
                                      std::vector<std::string>& assumptions, std::vector<Infeasible>& reasons) {
  NoTrace none;
  const std::size_t before = reasons.size();
  ServingPool pool;
  pool.run = run_of_pool(run, task, layout);
  for (Infeasible& problem : serving_layout_problems(model, pool.run)) reasons.push_back(std::move(problem));
  if (reasons.size() == before) {
    memory = serving_memory(none, model, stack, gpu, engine, format, pool.run);
    if (memory->infeasible) reasons.push_back(*memory->infeasible);
  }
  if (reasons.size() == before) {
    pool.limits = limits_of_pool(*memory, pool.run, task, format);
    if (pool.limits.max_sequences < 1) reasons.push_back(no_sequence_fits());
  }
  if (reasons.size() == before) {
    auto costs = engine_costs(none, catalog, gpu, model, stack, pool.run, pool.limits, assumptions, reasons);
    if (costs && pool.run.speculative &&
        !add_draft(none, catalog, model, gpu, engine, format, pool.run, *memory, pool.limits, *costs, assumptions,
                   reasons))
      costs.reset();
    if (costs) {
      pool.costs = std::move(*costs);
      pool.kv_on_gpu = memory->bytes_per_token_on_gpu;
      return pool;
    }
  }
  say_of_pool(task, reasons, before);
  return std::nullopt;
}

PromptBatch prompt_batch(const ServingPool& pool) {
  PromptBatch batch;
  batch.tokens = new_prompt_tokens(pool.run.input_tokens, pool.run.prefix_hit_ratio);
  const double room = prompt_room(pool.limits.max_batched_tokens, 0.0);
  batch.steps = prompt_chunks(batch.tokens, room);
  const double fitting = std::floor(room / std::max(1.0, batch.tokens));
  batch.most = std::max(1.0, std::min(fitting, std::floor(pool.places() / pool.lanes())));
  return batch;
}

StepTimes<NoTrace> prompt_step(const ServingPool& pool, const PromptBatch& batch, double prompts) {
  NoTrace none;
  return engine_step(none, pool.costs, {0.0, prompts * batch.tokens / batch.steps, prompts / batch.steps});
}

Seconds batch_time(const ServingPool& pool, const PromptBatch& batch, double prompts) {
  return batch.steps * prompt_step(pool, batch, prompts).total;
}

StepTimes<NoTrace> answer_step(const ServingPool& pool, double sequences) {
  NoTrace none;
  return lane_step(none, pool.costs, {std::max(1.0, sequences / pool.lanes()), 0.0, 0.0});
}

Seconds answer_time(const ServingPool& pool, double sequences) {
  return answer_steps(pool.costs, tokens_after_first(pool.run.output_tokens)) * answer_step(pool, sequences).total;
}

PerSecond rate_of_prompts(const ServingPool& pool, const PromptBatch& batch) {
  return pool.lanes() * batch.most / batch_time(pool, batch, batch.most);
}

PerSecond rate_of_answers(const ServingPool& pool, double sequences) {
  return sequences / answer_time(pool, sequences);
}

}  // namespace podwright
