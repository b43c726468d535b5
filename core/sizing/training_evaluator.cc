#include "sizing/training_evaluator.h"

#include "memory/gpu_memory.h"

#include <cstddef>

namespace podwright::sizing {

TrainingEvaluator::TrainingEvaluator(const Catalog& catalog, const Model& model, const LayerStack& stack,
                                     const Gpu& gpu, const System* system, const TrainingRun& run)
    : model_(model),
      stack_(stack),
      gpu_(gpu),
      recipe_(training_recipe(catalog.training_recipes, run)),
      splits_(static_cast<std::size_t>(model.layers) + 3),
      rates_(none_, catalog, gpu, system, run.precision),
      capacity_(gpu_memory(gpu)) {
  if (recipe_) memory_.emplace(none_, model, stack, gpu, run, recipe_);
  if (rates_.refused().empty() && training_time_gaps(run).empty())
    step_.emplace(none_, catalog, catalog.training_efficiency, rates_, model, stack, run);
}

void TrainingEvaluator::fix(const TrainingRun& run) {
  TrainingRun probe = run;
  probe.parallelism.zero_stage = 3;
  probe.parallelism.shard = Shard::hybrid;
  hybrid_known_ = training_memory_gaps(model_, stack_, gpu_, probe, recipe_).empty();
  probe.parallelism.shard = Shard::full;
  layer_known_ = step_ && step_->layer(run);
  memory_known_ = hybrid_known_ || training_memory_gaps(model_, stack_, gpu_, probe, recipe_).empty();
}

const std::vector<TrainingStage>& TrainingEvaluator::stages_of(const TrainingRun& run) {
  const StageSplit split = stage_split(run);
  std::vector<Split>& known = splits_[static_cast<std::size_t>(split.pipeline)];
  for (const Split& entry : known)
    if (entry.split.virtual_pipeline == split.virtual_pipeline &&
        entry.split.embedding_and_loss_as_layers == split.embedding_and_loss_as_layers)
      return entry.stages;
  known.push_back({split, training_stages(model_, stack_, split)});
  return known.back().stages;
}

LayoutNumbers TrainingEvaluator::evaluate(const TrainingRun& run, bool in_full) {
  LayoutNumbers numbers;
  const bool hybrid = run.parallelism.shard == Shard::hybrid && run.parallelism.zero_stage >= 3;
  if (hybrid ? !hybrid_known_ : !memory_known_) return numbers;
  numbers.memory = memory_->fullest(run, stages_of(run)).total;
  const bool fits = numbers.memory <= capacity_;
  numbers.verdict = Verdict::does_not_fit;
  if (!fits && !in_full) return numbers;
  numbers.verdict = Verdict::time_not_known;
  TrainingStep<InnerLoopTracer> step;
  if (!layer_known_ || !step_->step(run, step)) return numbers;
  numbers.verdict = fits ? Verdict::fits : Verdict::does_not_fit;
  numbers.step = step.total;
  numbers.tokens_per_s = step.tokens_per_s;
  return numbers;
}

}  // namespace podwright::sizing
