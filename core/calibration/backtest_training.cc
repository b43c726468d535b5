#include "calibration/backtest.h"

#include <algorithm>
#include <optional>

#include "base/words.h"
#include "model/flops.h"
#include "perf/ceilings.h"
#include "perf/estimate_training.h"

namespace podwright {
namespace {

using TrainingRunEstimate = TrainingEstimate<NoTrace>;

constexpr std::string_view kMemory = "memory_";
constexpr std::string_view kPeakMemory = "memory_p99_reserved_gib";

Predicted bounded(double value, const std::optional<BoundFactors<NoTrace>>& factors) {
  if (!factors) return {.value = value};
  return {.value = value, .low = value * factors->below, .high = value * factors->above};
}

std::vector<std::string> labels_of(const Catalog& catalog, const MeasuredTrainingRow& row) {
  const TrainingRun& run = row.run;
  const TrainingRecipe recipe = training_recipe(catalog.training_recipes, run);
  const bool one_node = row.gpu_count <= node_gpus(catalog, *row.gpu, row.system_or_null());
  return backtest_labels(row, {{"framework", run.framework},
                               {"framework_version", run.framework_version},
                               {"precision", std::string(word_of(run.precision, kPrecisionWords))},
                               {"method", std::string(word_of(run.method, kTrainingMethodWords))},
                               {"recompute", std::string(word_of(run.activation_recompute, kRecomputeWords))},
                               {"zero_stage", std::to_string(run.parallelism.zero_stage)},
                               {"nodes", one_node ? "single" : "several"},
                               {"stack", recipe ? recipe.stack->id : std::string()},
                               {"engine", run.framework}});
}

/// Model FLOPs by the row's convention over those of the estimate's, whose attention is causal.
double convention_ratio(const MeasuredTrainingRow& row) {
  if (row.flops_convention != "full") return 1;
  NoTrace none;
  const auto per_token = [&](FlopsConvention::Attention attention) {
    return raw(
        flops_per_token(none, row.model, FlopsConvention{.attention = attention}, row.run.sequence_length).total);
  };
  return per_token(FlopsConvention::Attention::full) / per_token(FlopsConvention::Attention::causal);
}

/// What a column of memory counts: what lasts between steps, or what the row's framework prints of the fullest moment.
Bytes printed_memory(const Catalog& catalog, const MeasuredTrainingRow& row, std::string_view metric,
                     const TrainingMemory<NoTrace>& memory) {
  if (metric == "memory_allocated_avg_gib")
    return std::max(memory.lasting, memory.weights + memory.gradients + memory.optimizer);
  if (row.memory_figure == MemoryFigure::device) return memory.total;
  if (row.memory_figure == MemoryFigure::allocated && metric == "memory_gib_per_gpu") return memory.allocated;
  const TrainingRecipe recipe = training_recipe(catalog.training_recipes, row.run);
  return recipe ? memory.allocated / recipe.stack->allocated_share : memory.allocated;
}

std::optional<Predicted> predicted(const Catalog& catalog, const MeasuredTrainingRow& row,
                                   const TrainingRunEstimate& estimate, std::string_view metric) {
  if (metric.starts_with(kMemory)) {
    if (!estimate.memory) return {};
    std::optional<BoundFactors<NoTrace>> factors;
    if (estimate.memory_bounds)
      factors = BoundFactors<NoTrace>{estimate.memory_bounds->low / estimate.memory->total,
                                      estimate.memory_bounds->high / estimate.memory->total};
    return bounded(raw(printed_memory(catalog, row, metric, *estimate.memory)) / raw(gib(1)), factors);
  }
  if (!estimate.step) return {};
  const TrainingStep<NoTrace>& step = *estimate.step;
  const double time = raw(row.clocked(step));
  const double share = raw(step.total) / time;
  std::optional<BoundFactors<NoTrace>> factors;
  if (estimate.step_bounds) factors = estimate.step_bounds->factors;
  if (metric == "step_time_s") return bounded(time, factors);
  if (metric == "tokens_per_s_per_gpu")
    return bounded(raw(step.tokens_per_s_per_gpu) * share * row.counted_tokens, factors);
  const double counted = convention_ratio(row) * share;
  if (metric == "mfu") return bounded(step.mfu * counted, factors);
  const double repeated = row.counts_recompute && step.mfu > 0 ? step.hfu / step.mfu : 1.0;
  return bounded(raw(step.model_flops_per_gpu) / 1e12 * counted * repeated, factors);
}

/// Why the estimate lacks what a metric needs: memory comes first in an estimate, the step after it.
SkippedRow without(const MeasuredTrainingRow& row, const TrainingRunEstimate& estimate, const std::string& metric) {
  if (estimate.reasons.empty()) return {row.id, row.line, "not-predicted", "the estimate tells no " + metric};
  const bool memory = metric.starts_with(kMemory);
  const Infeasible& reason = memory ? estimate.reasons.front() : estimate.reasons.back();
  return {row.id, row.line, reason.code, (memory ? "memory: " : "") + reason.message.text()};
}

void add_row(const Catalog& catalog, const MeasuredTrainingRow& row, Backtest& backtest) {
  NoTrace none;
  const TrainingRunEstimate estimate =
      estimate_training(none, catalog, row.model, *row.gpu, row.run, row.system_or_null());
  const std::vector<std::string> labels = labels_of(catalog, row);
  for (const Measured& measured : row.measured) {
    std::optional<TrainingRunEstimate> of_longest;
    const bool peak = measured.metric == kPeakMemory;
    if (peak && row.longest_sequence) {
      TrainingRun longest = row.run;
      longest.sequence_length = *row.longest_sequence;
      of_longest = estimate_training(none, catalog, row.model, *row.gpu, longest, row.system_or_null());
    }
    const TrainingRunEstimate& here = of_longest ? *of_longest : estimate;
    const bool told = !peak || of_longest;
    if (told && add_cell(row, measured, predicted(catalog, row, here, measured.metric), labels, backtest)) continue;
    SkippedRow skipped = told ? without(row, here, measured.metric)
                              : SkippedRow{row.id, row.line, "missing",
                                           "no longest_seq_len: the length of the batches that a peak is of"};
    if (backtest.skipped.empty() || backtest.skipped.back().id != row.id ||
        backtest.skipped.back().reason != skipped.reason)
      backtest.skipped.push_back(std::move(skipped));
  }
}

}  // namespace

void backtest_training(const Catalog& catalog, const MeasuredTraining& measured, Backtest& backtest) {
  backtest_table(measured, backtest, [&](const MeasuredTrainingRow& row) { add_row(catalog, row, backtest); });
}

}  // namespace podwright
