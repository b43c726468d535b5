#include "calibration/backtest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/append.h"
#include "base/math.h"
#include "base/number_text.h"
#include "base/stable_sort.h"
#include "calibration/measured_serving_memory.h"
#include "calibration/measured_traffic.h"
#include "catalog/architecture_word.h"

namespace podwright {
namespace {

/// Spread over several powers of two where requests queue: a relative error says little about a prediction too short.
constexpr std::string_view kFirstTokenMetric = "ttft_ms";

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
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
  static const std::vector<std::string> keys{"source",    "gpu_id",       "framework", "framework_version",
                                             "precision", "architecture", "model",     "method",
                                             "recompute", "zero_stage",   "nodes",     "generation",
                                             "hidden",    "stack",        "model_id",  "engine",
                                             "load_kind", "kv_precision", "gpus",      "tuning"};
  return keys;
}

const std::string& label_of(const std::vector<std::string>& labels, std::string_view key) {
  const std::vector<std::string>& keys = backtest_keys();
  return labels[static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin())];
}

const std::vector<std::string>& backtest_metrics() {
  static const std::vector<std::string> metrics = [] {
    std::vector<std::string> all;
    for (const auto& columns :
         {measured_training_columns(), measured_traffic_columns(), measured_serving_memory_columns()})
      append(all, columns.metrics);
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

BacktestCell* add_cell(const MeasuredRow& row, const Measured& measured, const std::optional<Predicted>& predicted,
                       const std::vector<std::string>& labels, Backtest& backtest) {
  if (!predicted || !std::isfinite(predicted->value) || predicted->value <= 0) return nullptr;
  backtest.cells.push_back({.id = row.id,
                            .metric = measured.metric,
                            .measured = measured.value,
                            .predicted = predicted->value,
                            .predicted_low = predicted->low,
                            .predicted_high = predicted->high,
                            .labels = labels});
  return &backtest.cells.back();
}

std::vector<std::string> backtest_labels(const MeasuredRow& row, const std::map<std::string, std::string>& of_kind) {
  const std::map<std::string, std::string> of_every_kind{
      {"source", row.source},
      {"gpu_id", row.gpu_id},
      {"architecture", std::string(architecture_word(row.model.experts > 0))},
      {"model", row.model_name.empty() ? row.model.id : row.model_name},
      {"generation", row.gpu->architecture},
      {"hidden", shortest_number(row.model.hidden_size)},
      {"model_id", row.model.id},
      {"gpus", shortest_number(row.gpu_count)},
      {"tuning", std::string(word_of(row.tuning, kTuningWords))}};
  std::vector<std::string> labels;
  for (const std::string& key : backtest_keys()) {
    labels.emplace_back();
    for (const auto* told : {&of_every_kind, &of_kind})
      if (const auto found = told->find(key); found != told->end()) labels.back() = found->second;
  }
  return labels;
}

void count_assumptions(const std::vector<std::string>& assumptions, Backtest& backtest) {
  for (const std::string& assumption : assumptions) {
    const auto [entry, added] = backtest.place_of_assumption.try_emplace(assumption, backtest.assumed.size());
    if (added) backtest.assumed.push_back({assumption, 0});
    backtest.assumed[entry->second].rows += 1;
  }
}

void sort_assumptions(Backtest& backtest) {
  sort_stably(backtest.assumed, [](const AssumedOften& a, const AssumedOften& b) { return a.rows > b.rows; });
  for (std::size_t i = 0; i < backtest.assumed.size(); ++i)
    backtest.place_of_assumption[backtest.assumed[i].assumption] = i;
}

std::vector<BacktestGroup> backtest_groups(const std::vector<BacktestCell>& cells,
                                           const std::vector<std::string>& keys) {
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
      for (const std::string& key : keys) values.push_back(label_of(cell.labels, key));
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
