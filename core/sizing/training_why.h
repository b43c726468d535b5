#pragma once
/// Sentences that say what decides between layouts, made of the parts of their steps. docs/method/search.md#why.
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "perf/estimate_training.h"
#include "sizing/training_candidates.h"

namespace podwright::sizing {

/// What differs: "tensor 8 -> 4, pipeline 16 -> 32"; empty where nothing does.
std::string layout_changes(const TrainingRun& from, const TrainingRun& to);

/// What binds the best layout: the largest part of its step, its memory, and the faster neighbour that misses the
/// memory by least where there is one.
std::vector<std::string> why_best(const Catalog& catalog, const Model& model, const LayerStack& stack,
                                  const TrainingCandidate& best, const TrainingEstimate<NoTrace>& estimate);

/// What `other` lacks against the best: by how much it is slower or larger, and which parts of the step gain and lose.
std::string why_not(const TrainingCandidate& best, const TrainingEstimate<NoTrace>& best_estimate,
                    const TrainingCandidate& other, const TrainingEstimate<NoTrace>& estimate);

}  // namespace podwright::sizing
