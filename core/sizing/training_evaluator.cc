#include "sizing/training_evaluator.h"

#include "sizing/candidates.h"

namespace podwright::sizing {

TrainingEvaluator::TrainingEvaluator(const Catalog& catalog, const Model& model, const LayerStack& stack,
                                     const Gpu& gpu, const System* system, const TrainingRun& run)
    : catalog_(catalog),
      model_(model),
      stack_(stack),
      gpu_(gpu),
      system_(system),
      recipe_(training_recipe(catalog.training_recipes, run)),
      capacity_(gpu_memory(gpu)) {}

LayoutNumbers TrainingEvaluator::evaluate(const TrainingRun& run) {
  NoTrace none;
  LayoutNumbers numbers;
  const auto memory = training_memory(none, model_, stack_, gpu_, run, recipe_);
  if (!memory) return numbers;
  numbers.memory = memory->total;
  numbers.verdict = Verdict::does_not_fit;
  if (!memory->fits()) return numbers;
  std::vector<std::string> assumed;
  std::vector<Infeasible> reasons;
  const auto step = training_step(none, catalog_, gpu_, model_, stack_, run, system_, assumed, reasons);
  add_once(assumptions_, assumed);
  numbers.verdict = Verdict::time_not_known;
  if (!step) return numbers;
  numbers.verdict = Verdict::fits;
  numbers.step = step->total;
  numbers.tokens_per_s = step->tokens_per_s;
  return numbers;
}

}  // namespace podwright::sizing
