#pragma once
/// The pipeline stages of a training run that can be the fullest, and what stands on them. Built once per model,
/// pipeline and virtual pipeline; an estimate or a search evaluates its memory on these alone.
#include <vector>

#include "catalog/model.h"
#include "model/layers.h"

namespace podwright {

struct TrainingStage {
  int place = 0;                ///< 0-based
  std::vector<double> layers;   ///< by kind of layer, as LayerStack::kinds
  bool first = true;            ///< holds the token table
  bool last = true;             ///< holds the output head and the loss
  double distinct_weights = 0;  ///< parameters of one copy of each shape of its dense linear weights, head included
  double largest_weight = 0;    ///< parameters of its largest linear weight, head excluded
};

/// The first and the last stage, and of those between them each that no earlier stage covers: micro-batches in flight
/// never rise from stage to stage, so a stage with as many layers of every kind behind another holds no more than it.
std::vector<TrainingStage> training_stages(const Model& model, const LayerStack& stack, const StageSplit& split);

}  // namespace podwright
