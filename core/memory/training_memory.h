#pragma once
/// Memory of the fullest GPU of a training run, part by part. docs/method/training_memory.md.
/// A search over many layouts prepares a TrainingMemoryModel instead and asks that.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/trace.h"
#include "catalog/gpu.h"
#include "catalog/model.h"
#include "catalog/training_recipe.h"
#include "memory/training_memory_model.h"
#include "memory/training_run.h"
#include "memory/training_stages.h"
#include "model/layers.h"

namespace podwright {

/// What the formulas do not cover, or the catalog does not know, for a run; empty when all is well.
Errors training_memory_gaps(const Model& model, const LayerStack& stack, const Gpu& gpu, const TrainingRun& run,
                            const TrainingRecipe& recipe);

/// Memory of the fullest GPU. Errors: "not-modelled" for a combination that no formula covers, "missing" for a figure
/// the catalog lacks. Paths are below the run ("/framework").
template <class Tracer>
Result<TrainingMemory<Tracer>> training_memory(Tracer& trace, const Model& model, const LayerStack& stack,
                                               const Gpu& gpu, const TrainingRun& run, const TrainingRecipe& recipe) {
  if (Errors gaps = training_memory_gaps(model, stack, gpu, run, recipe); !gaps.empty())
    return failure(std::move(gaps));
  const std::vector<TrainingStage> stages = training_stages(model, stack, stage_split(run));
  NoTrace quiet;
  const TrainingMemory<NoTrace> fullest =
      TrainingMemoryModel<NoTrace>(quiet, model, stack, gpu, run, recipe).fullest(run, stages);
  if constexpr (Tracer::kRecords) {
    const auto same = [&](const TrainingStage& stage) { return stage.place == fullest.stage; };
    return TrainingMemoryModel<Tracer>(trace, model, stack, gpu, run, recipe)
        .of_stage(run, *std::find_if(stages.begin(), stages.end(), same));
  } else {
    static_cast<void>(trace);
    return fullest;
  }
}

template <class Tracer>
Result<TrainingMemory<Tracer>> training_memory(Tracer& trace, const Model& model, const Gpu& gpu,
                                               const TrainingRun& run, const TrainingRecipe& recipe) {
  return training_memory(trace, model, layer_stack(model), gpu, run, recipe);
}

/// The stack and state bytes of a run's framework and precision.
TrainingRecipe training_recipe(const TrainingRecipes& recipes, const TrainingRun& run);

}  // namespace podwright
