#pragma once
/// Memory and speed of one fully specified training run.
#include <optional>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "memory/training_memory.h"
#include "perf/training_step.h"

namespace podwright {

template <class Tracer>
struct TrainingEstimate {
  std::optional<TrainingMemory<Tracer>> memory;  ///< absent where no formula covers the run
  std::optional<TrainingStep<Tracer>> step;      ///< absent where the layout is not legal or a rate is not known
  std::vector<Infeasible> reasons;               ///< why something is absent or does not fit
  bool feasible = false;                         ///< the layout is legal, and it fits as far as its memory is known
  std::vector<std::string> assumptions;          ///< ceilings that are estimates
  std::vector<std::string> not_modelled;
};

/// `system` (may be null) tells the GPUs of a node and the network. `stack` is layer_stack(model).
template <class Tracer>
TrainingEstimate<Tracer> estimate_training(Tracer& trace, const Catalog& catalog, const Model& model,
                                           const LayerStack& stack, const Gpu& gpu, const TrainingRun& run,
                                           const System* system) {
  TrainingEstimate<Tracer> estimate;
  estimate.reasons = training_layout_problems(model, run);
  if (!estimate.reasons.empty()) return estimate;
  auto memory = training_memory(trace, model, stack, gpu, run, training_recipe(catalog.training_recipes, run));
  bool fits = true;
  if (memory) {
    estimate.memory = std::move(*memory);
    fits = estimate.memory->fits();
    if (!fits)
      estimate.reasons.push_back(
          training_shortfall(model, run, gpu, value_of(estimate.memory->total), value_of(estimate.memory->capacity)));
  } else {
    for (const Error& error : memory.error())
      estimate.reasons.push_back(
          {.code = error.code, .message = error.message, .shortfall = 0, .unit = "", .ways_out = {}});
  }
  estimate.step = training_step(trace, catalog, gpu, model, stack, run, system, estimate.assumptions, estimate.reasons);
  estimate.feasible = fits && estimate.memory.has_value();
  for (const Infeasible& reason : estimate.reasons)
    if (reason.code == "format-not-supported") estimate.feasible = false;
  if (estimate.step) estimate.not_modelled = training_not_modelled(run);
  return estimate;
}

template <class Tracer>
TrainingEstimate<Tracer> estimate_training(Tracer& trace, const Catalog& catalog, const Model& model, const Gpu& gpu,
                                           const TrainingRun& run, const System* system = nullptr) {
  return estimate_training(trace, catalog, model, layer_stack(model), gpu, run, system);
}

}  // namespace podwright
