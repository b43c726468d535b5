#include "calibration/backtest.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/lower_case.h"
#include "base/math.h"
#include "base/number_text.h"
#include "base/words.h"
#include "calibration/measured_cells.h"
#include "calibration/measured_serving.h"
#include "calibration/measured_serving_memory.h"
#include "model/flops.h"
#include "perf/ceilings.h"
#include "perf/estimate_training.h"

namespace podwright {
namespace {

using Estimate = TrainingEstimate<NoTrace>;

/// Spread over several powers of two where requests queue: a relative error says little about a prediction too short.
constexpr std::string_view kFirstTokenMetric = "ttft_ms";

struct Predicted {
  double value = 0;
  std::optional<double> low;
  std::optional<double> high;
};

Predicted bounded(double value, const std::optional<BoundFactors<NoTrace>>& factors) {
  if (!factors) return {.value = value, .low = {}, .high = {}};
  return {.value = value, .low = value * factors->below, .high = value * factors->above};
}

std::vector<std::string> labels_of(const Catalog& catalog, const MeasuredTrainingRow& row) {
  const TrainingRun& run = row.run;
  const TrainingRecipe recipe = training_recipe(catalog.training_recipes, run);
  const bool one_node = row.gpu_count <= node_gpus(catalog, *row.gpu, row.system ? &*row.system : nullptr);
  return {row.source,
          row.gpu_id,
          run.framework,
          run.framework_version,
          std::string(word_of(run.precision, kPrecisionWords)),
          std::string(architecture_word(row.model.experts > 0)),
          row.model_name.empty() ? row.model.id : row.model_name,
          std::string(word_of(run.method, kTrainingMethodWords)),
          std::string(word_of(run.activation_recompute, kRecomputeWords)),
          std::to_string(run.parallelism.zero_stage),
          one_node ? "single" : "several",
          row.gpu->architecture,
          shortest_number(row.model.hidden_size),
          recipe ? recipe.stack->id : std::string(),
          row.model.id,
          run.framework,
          "",
          "",
          shortest_number(row.gpu_count)};
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

/// True where the source's rate counts recomputed work too.
bool counts_recompute(const MeasuredTrainingRow& row) {
  const std::string notes = lower_case(row.notes);
  return notes.find("counts recompute") != std::string::npos || notes.find("hardware flops") != std::string::npos;
}

/// What the figure of the row's framework counts.
Bytes printed_memory(const Catalog& catalog, const MeasuredTrainingRow& row, const TrainingMemory<NoTrace>& memory) {
  if (row.memory_figure == MemoryFigure::device) return memory.total;
  if (row.memory_figure == MemoryFigure::allocated) return memory.allocated;
  const TrainingRecipe recipe = training_recipe(catalog.training_recipes, row.run);
  return recipe ? memory.allocated / recipe.stack->allocated_share : memory.allocated;
}

std::optional<Predicted> predicted(const Catalog& catalog, const MeasuredTrainingRow& row, const Estimate& estimate,
                                   std::string_view metric) {
  if (metric == "memory_gib_per_gpu") {
    if (!estimate.memory) return {};
    std::optional<BoundFactors<NoTrace>> factors;
    if (estimate.memory_bounds)
      factors = BoundFactors<NoTrace>{estimate.memory_bounds->low / estimate.memory->total,
                                      estimate.memory_bounds->high / estimate.memory->total};
    return bounded(raw(printed_memory(catalog, row, *estimate.memory)) / raw(gib(1)), factors);
  }
  if (!estimate.step) return {};
  const TrainingStep<NoTrace>& step = *estimate.step;
  const double time = raw(row.clocked(step));
  const double share = raw(step.total) / time;
  std::optional<BoundFactors<NoTrace>> factors;
  if (estimate.step_bounds) factors = estimate.step_bounds->factors;
  if (metric == "step_time_s") return bounded(time, factors);
  if (metric == "tokens_per_s_per_gpu") return bounded(raw(step.tokens_per_s_per_gpu) * share, factors);
  const double counted = convention_ratio(row) * share;
  if (metric == "mfu") return bounded(step.mfu * counted, factors);
  const double repeated = counts_recompute(row) && step.mfu > 0 ? step.hfu / step.mfu : 1.0;
  return bounded(raw(step.model_flops_per_gpu) / 1e12 * counted * repeated, factors);
}

/// Why the estimate lacks what a metric needs: memory comes first in an estimate, the step after it.
std::string why_not(const Estimate& estimate, std::string_view metric) {
  if (estimate.reasons.empty()) return "the estimate tells no " + std::string(metric);
  if (metric == "memory_gib_per_gpu") return "memory: " + estimate.reasons.front().message;
  return estimate.reasons.back().message;
}

void add_row(const Catalog& catalog, const MeasuredTrainingRow& row, Backtest& backtest) {
  NoTrace none;
  const Estimate estimate = estimate_training(none, catalog, row.model, *row.gpu, row.run, row.system_or_null());
  const std::vector<std::string> labels = labels_of(catalog, row);
  for (const Measured& measured : row.measured) {
    const std::optional<Predicted> prediction = predicted(catalog, row, estimate, measured.metric);
    if (!prediction || !std::isfinite(prediction->value) || prediction->value <= 0) {
      const std::string reason = why_not(estimate, measured.metric);
      if (backtest.skipped.empty() || backtest.skipped.back().id != row.id || backtest.skipped.back().reason != reason)
        backtest.skipped.push_back({row.id, row.line, reason});
      continue;
    }
    backtest.cells.push_back({.id = row.id,
                              .metric = measured.metric,
                              .measured = measured.value,
                              .predicted = prediction->value,
                              .predicted_low = prediction->low,
                              .predicted_high = prediction->high,
                              .labels = labels});
  }
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

BacktestGroup summary(const std::vector<const BacktestCell*>& cells) {
  std::vector<double> errors;
  int intervals = 0;
  int inside = 0;
  for (const BacktestCell* cell : cells) {
    errors.push_back(cell->error());
    const std::optional<bool> covered = cell->covered();
    intervals += covered ? 1 : 0;
    inside += covered.value_or(false) ? 1 : 0;
  }
  BacktestGroup group;
  group.metric = cells.front()->metric;
  group.errors = error_summary(errors);
  if (intervals > 0 && counts_for_coverage(group.metric)) group.coverage_90 = static_cast<double>(inside) / intervals;
  if (group.metric == kFirstTokenMetric) {
    std::vector<double> logs;
    for (const BacktestCell* cell : cells) logs.push_back(std::fabs(math::log(cell->predicted / cell->measured)));
    group.median_log_error = math::quantile(logs, 0.5);
  }
  return group;
}

}  // namespace

const std::vector<std::string>& backtest_keys() {
  static const std::vector<std::string> keys{
      "source",    "gpu_id",       "framework", "framework_version", "precision", "architecture", "model",    "method",
      "recompute", "zero_stage",   "nodes",     "generation",        "hidden",    "stack",        "model_id", "engine",
      "load_kind", "kv_precision", "gpus"};
  return keys;
}

const std::vector<std::string>& backtest_metrics() {
  static const std::vector<std::string> metrics = [] {
    std::vector<std::string> all = measured_training_metrics();
    for (const auto* more : {&measured_serving_metrics(), &measured_serving_memory_metrics()})
      all.insert(all.end(), more->begin(), more->end());
    return all;
  }();
  return metrics;
}

ErrorSummary error_summary(const std::vector<double>& errors) {
  if (errors.empty()) return {};
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::fabs(error));
  return {.rows = static_cast<int>(errors.size()),
          .median_ape = math::quantile(sizes, 0.5),
          .mean_ape = mean(sizes),
          .bias = mean(errors),
          .p90_ape = math::quantile(sizes, 0.9)};
}

bool counts_for_coverage(std::string_view metric) { return metric != "tflops_per_gpu" && metric != "mfu"; }

void backtest_training(const Catalog& catalog, const MeasuredTraining& measured, Backtest& backtest) {
  backtest.rows += static_cast<int>(measured.rows.size() + measured.skipped.size());
  backtest.skipped.insert(backtest.skipped.end(), measured.skipped.begin(), measured.skipped.end());
  for (const MeasuredTrainingRow& row : measured.rows) add_row(catalog, row, backtest);
  add_assumptions(measured.rows, backtest);
}

void count_assumptions(const std::vector<std::string>& assumptions, Backtest& backtest) {
  for (const std::string& assumption : assumptions) {
    const auto [entry, added] = backtest.place_of_assumption.try_emplace(assumption, backtest.assumed.size());
    if (added) backtest.assumed.push_back({assumption, 0});
    backtest.assumed[entry->second].rows += 1;
  }
}

void sort_assumptions(Backtest& backtest) {
  std::stable_sort(backtest.assumed.begin(), backtest.assumed.end(),
                   [](const AssumedOften& a, const AssumedOften& b) { return a.rows > b.rows; });
  for (std::size_t i = 0; i < backtest.assumed.size(); ++i)
    backtest.place_of_assumption[backtest.assumed[i].assumption] = i;
}

void add_assumptions(const std::vector<MeasuredTrainingRow>& rows, Backtest& backtest) {
  for (const MeasuredTrainingRow& row : rows) count_assumptions(row.assumptions, backtest);
  sort_assumptions(backtest);
}

std::vector<BacktestGroup> backtest_groups(const std::vector<BacktestCell>& cells,
                                           const std::vector<std::string>& keys) {
  std::vector<std::size_t> columns;
  const std::vector<std::string>& known = backtest_keys();
  for (const std::string& key : keys)
    columns.push_back(static_cast<std::size_t>(std::find(known.begin(), known.end(), key) - known.begin()));

  struct Bucket {
    std::vector<std::string> values;
    std::vector<const BacktestCell*> cells;
  };
  std::vector<BacktestGroup> groups;
  for (const std::string& metric : backtest_metrics()) {
    std::vector<Bucket> buckets;
    std::map<std::vector<std::string>, std::size_t> place;
    for (const BacktestCell& cell : cells) {
      if (cell.metric != metric || cell.given) continue;
      std::vector<std::string> values;
      for (const std::size_t column : columns) values.push_back(cell.labels[column]);
      const auto [entry, added] = place.try_emplace(values, buckets.size());
      if (added) buckets.push_back({values, {}});
      buckets[entry->second].cells.push_back(&cell);
    }
    for (Bucket& bucket : buckets) {
      BacktestGroup group = summary(bucket.cells);
      group.keys = keys;
      group.values = std::move(bucket.values);
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

}  // namespace podwright
