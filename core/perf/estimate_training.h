#pragma once
/// Memory and speed of one fully specified training run.
#include <optional>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "memory/training_memory.h"
#include "perf/bounds.h"
#include "perf/ceilings.h"
#include "perf/interval_odds.h"
#include "perf/training_interval.h"
#include "perf/training_step.h"

namespace podwright {

template <class Tracer>
struct StepBounds {
  BoundFactors<Tracer> factors;
  Bounds<Tracer, Seconds> time;
  Bounds<Tracer, PerSecond> tokens_per_s;
  Bounds<Tracer, PerSecond> tokens_per_s_per_gpu;
  Bounds<Tracer, FlopsPerSecond> model_flops_per_gpu;
  Bounds<Tracer, double> mfu;
  Bounds<Tracer, double> hfu;
};

template <class Tracer>
StepBounds<Tracer> step_bounds(Tracer& trace, const TrainingStep<Tracer>& step, double half_width) {
  StepBounds<Tracer> bounds;
  const BoundFactors<Tracer> factors = bound_factors(trace, "perf.interval_low", "perf.interval_high", half_width);
  bounds.factors = factors;
  bounds.time = factors.of("perf.step_time_bound", step.total);
  bounds.tokens_per_s = factors.of("perf.tokens_bound", step.tokens_per_s);
  bounds.tokens_per_s_per_gpu = factors.of("perf.tokens_per_gpu_bound", step.tokens_per_s_per_gpu);
  bounds.model_flops_per_gpu = factors.of("perf.model_flops_bound", step.model_flops_per_gpu);
  bounds.mfu = factors.of("perf.mfu_bound", step.mfu);
  bounds.hfu = factors.of("perf.hfu_bound", step.hfu);
  return bounds;
}

template <class Tracer>
struct TrainingEstimate {
  std::optional<TrainingMemory<Tracer>> memory;        ///< absent where no formula covers the run
  std::optional<TrainingStep<Tracer>> step;            ///< absent where the layout is not legal or a rate is not known
  std::optional<StepBounds<Tracer>> step_bounds;       ///< absent where the catalog has no spreads
  std::optional<Bounds<Tracer, Bytes>> memory_bounds;  ///< of the total; absent as above
  std::optional<Known<Tracer, double>> fit_probability;  ///< that the total fits into the GPU; absent as its bounds
  std::vector<Infeasible> reasons;                       ///< why something is absent or does not fit
  bool feasible = false;                 ///< the layout is legal, and it fits as far as its memory is known
  std::vector<std::string> assumptions;  ///< ceilings that are estimates, rows that support the intervals
  std::vector<std::string> not_modelled;
};

/// The interval of the memory reaches above that of the GPU.
inline bool may_not_fit(const TrainingEstimate<NoTrace>& estimate) {
  return estimate.memory && estimate.memory_bounds && estimate.memory_bounds->high > estimate.memory->capacity;
}

/// Adds the bounds of what is there, and which rows they stand on.
template <class Tracer>
void add_bounds(Tracer& trace, const Catalog& catalog, const Model& model, const Gpu& gpu, const TrainingRun& run,
                TrainingEstimate<Tracer>& estimate) {
  const TrainingEfficiency& efficiency = catalog.training_efficiency;
  if (estimate.memory) {
    const TrainingRecipe recipe = training_recipe(catalog.training_recipes, run);
    if (const auto half_width = recipe ? memory_half_width(efficiency, recipe.stack->id) : std::nullopt) {
      const auto factors = bound_factors(trace, "memory.interval_low", "memory.interval_high", *half_width);
      estimate.memory_bounds = factors.of("memory.total_bound", estimate.memory->total);
      estimate.fit_probability =
          trace.method("memory.fit_probability",
                       probability_kept(value_of(estimate.memory->capacity) / value_of(estimate.memory->total),
                                        value_of(factors.above)),
                       "docs/method/decision.md#confidence");
    }
  }
  if (!estimate.step) return;
  const TrainingKnowledge knowledge = training_knowledge(catalog, model, gpu, run);
  const std::optional<double> half_width = time_half_width(efficiency, knowledge);
  if (!half_width) return;
  estimate.step_bounds = step_bounds(trace, *estimate.step, *half_width);
  for (std::string& sentence : interval_basis(efficiency, knowledge, gpu, run))
    estimate.assumptions.push_back(std::move(sentence));
  if (const HostCalibration* host = host_of(catalog, gpu.id))
    estimate.assumptions.push_back(host_sentence(*host, gpu, knowledge.measured_kernels));
}

/// `system` (may be null) gives the GPUs of a node and the network. `stack` is layer_stack(model).
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
      estimate.reasons.push_back({.code = error.code, .message = as_written(error.message)});
  }
  estimate.step = training_step(trace, catalog, gpu, model, stack, run, system, estimate.assumptions, estimate.reasons);
  add_format_ways_out(gpu, "/precision", estimate.reasons);
  if (auto caution = vendor_caution(catalog, gpu)) estimate.assumptions.push_back(std::move(*caution));
  estimate.feasible = fits && estimate.memory.has_value();
  for (const Infeasible& reason : estimate.reasons)
    if (reason.code == "format-not-supported") estimate.feasible = false;
  if (estimate.step) estimate.not_modelled = training_not_modelled(catalog, run);
  add_bounds(trace, catalog, model, gpu, run, estimate);
  return estimate;
}

template <class Tracer>
TrainingEstimate<Tracer> estimate_training(Tracer& trace, const Catalog& catalog, const Model& model, const Gpu& gpu,
                                           const TrainingRun& run, const System* system = nullptr) {
  return estimate_training(trace, catalog, model, layer_stack(model), gpu, run, system);
}

}  // namespace podwright
