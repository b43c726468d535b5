#pragma once
/// Predictions compared with what was measured, and how far apart they are. docs/method/accuracy.md.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/append.h"
#include "calibration/measured_training.h"

namespace podwright {

/// By which figures of one configuration differ: no interval is narrower, and a lower error says nothing.
inline constexpr double kRepeats = 0.05;

/// What rows can be grouped by, in this order: source, gpu_id, framework, framework_version, precision, architecture
/// (dense, moe), model, method, recompute, zero_stage, nodes (single, several), generation (of the GPU), hidden,
/// stack (of the memory recipe); rows of serving also model_id, engine (as framework), load_kind, kv_precision, gpus.
/// What a kind of table does not give is an empty label.
const std::vector<std::string>& backtest_keys();
/// What `labels` tell under one of the keys.
const std::string& label_of(const std::vector<std::string>& labels, std::string_view key);
/// Metrics of all kinds of tables, in the order of their columns: training, serving, memory of serving.
const std::vector<std::string>& backtest_metrics();

/// One measured cell with its prediction, both in the unit that the metric's name ends in.
struct BacktestCell {
  std::string id;
  std::string metric;
  double measured = 0;
  double predicted = 0;
  std::optional<double> predicted_low;   ///< of the 90 % interval; absent where the estimate gives none
  std::optional<double> predicted_high;  ///< as above
  std::vector<std::string> labels;       ///< one for each of backtest_keys()
  bool given = false;                    ///< the configuration sets it: listed, and in no summary

  /// Signed relative error: 0.1 is a prediction 10 % above the measurement.
  double error() const { return predicted / measured - 1.0; }
  std::optional<bool> covered() const {
    if (!predicted_low || !predicted_high) return {};
    return *predicted_low <= measured && measured <= *predicted_high;
  }
};

/// How often an assumption was made about rows that do not say.
struct AssumedOften {
  std::string assumption;
  int rows = 0;
};

/// What was assumed about one row.
struct RowAssumptions {
  std::string id;
  std::vector<std::string> assumptions;
};

/// Told what is fitted next: the group of rows that is left out, empty for the fit on all rows.
using Progress = std::function<void(const std::string& left_out)>;

struct Backtest {
  std::vector<BacktestCell> cells;
  std::vector<SkippedRow> skipped;
  std::vector<UnknownColumn> unknown_columns;
  std::vector<RowAssumptions> of_rows;                     ///< that were predicted, in the order of the tables
  std::vector<AssumedOften> assumed;                       ///< most often first
  int rows = 0;                                            ///< of the tables, skipped ones included
  std::map<std::string, std::size_t> place_of_assumption;  ///< in `assumed`
};

/// What the estimate says of a figure; ends of the 90 % interval are absent where it gives none.
struct Predicted {
  double value = 0;
  std::optional<double> low;
  std::optional<double> high;
};

/// Adds a cell. Null, and none added, where nothing is predicted, or nothing that is finite and above 0.
BacktestCell* add_cell(const MeasuredRow& row, const Measured& measured, const std::optional<Predicted>& predicted,
                       const std::vector<std::string>& labels, Backtest& backtest);

/// The labels of a row under backtest_keys(): what every kind of row tells, and what only its kind does, by key.
std::vector<std::string> backtest_labels(const MeasuredRow& row, const std::map<std::string, std::string>& of_kind);

/// Counts what was assumed about a row; sort_assumptions() when all are counted.
void count_assumptions(const std::vector<std::string>& assumptions, Backtest& backtest);
void sort_assumptions(Backtest& backtest);

/// Counts the rows of a table, and tells those that were skipped.
template <class Row>
void add_table_size(const MeasuredTable<Row>& measured, Backtest& backtest) {
  backtest.rows += static_cast<int>(measured.rows.size() + measured.skipped.size());
  append(backtest.skipped, measured.skipped);
  append(backtest.unknown_columns, measured.unknown_columns);
}

/// Adds a table to `backtest`; `predict` adds the cells of one row.
template <class Row, class Predict>
void backtest_table(const MeasuredTable<Row>& measured, Backtest& backtest, const Predict& predict) {
  add_table_size(measured, backtest);
  for (const Row& row : measured.rows) {
    const std::size_t cells = backtest.cells.size();
    backtest.of_rows.push_back({row.id, row.assumptions});
    if (row.measured.empty())
      backtest.skipped.push_back({row.id, row.line, "missing", "the row has no measured figure"});
    else
      predict(row);
    count_assumptions(backtest.of_rows.back().assumptions, backtest);
    if (backtest.cells.size() == cells) backtest.of_rows.pop_back();
  }
  sort_assumptions(backtest);
}

/// Predictions of every row of `tables`, in their order, by fits without the rows of its group. `group_of` tells a
/// row's labels, `fit(group, others)` is the catalog fitted on the other rows of both lists, and `backtest(catalog,
/// table, to)` predicts by it.
template <class Row, class GroupOf, class Fit, class Predict>
Result<Backtest> backtest_left_out(const std::vector<MeasuredTable<Row>>& tables,
                                   const std::vector<MeasuredTable<Row>>& fitted_with, const GroupOf& group_of,
                                   const Fit& fit, const Predict& backtest) {
  using Group = std::vector<std::string>;
  std::vector<std::pair<Group, const Row*>> all;
  std::map<Group, std::vector<const Row*>> predicted;
  for (const MeasuredTable<Row>& table : tables)
    for (const Row& row : table.rows) {
      all.emplace_back(group_of(row), &row);
      predicted[all.back().first].push_back(&row);
    }
  for (const MeasuredTable<Row>& table : fitted_with)
    for (const Row& row : table.rows) all.emplace_back(group_of(row), &row);
  std::map<const Row*, Backtest> of_row;
  for (const auto& [group, rows] : predicted) {
    std::vector<const Row*> others;
    for (const auto& [of_other, row] : all)
      if (of_other != group) others.push_back(row);
    const Result<Catalog> fitted = fit(group, others);
    if (!fitted) return failure(fitted.error());
    for (const Row* row : rows) backtest(*fitted, MeasuredTable<Row>{.rows = {*row}}, of_row[row]);
  }
  Backtest in_order;
  for (const MeasuredTable<Row>& table : tables) {
    add_table_size(table, in_order);
    for (const Row& row : table.rows) {
      Backtest& one = of_row[&row];
      for (BacktestCell& cell : one.cells) in_order.cells.push_back(std::move(cell));
      for (SkippedRow& skipped : one.skipped) in_order.skipped.push_back(std::move(skipped));
      for (const AssumedOften& assumed : one.assumed)
        count_assumptions({static_cast<std::size_t>(assumed.rows), assumed.assumption}, in_order);
    }
    sort_assumptions(in_order);
  }
  return in_order;
}

/// Predicts every measured cell from the row's configuration alone and adds them to `backtest`.
void backtest_training(const Catalog& catalog, const MeasuredTraining& measured, Backtest& backtest);

/// False for rates whose FLOP convention differs between sources: they are reported, and say nothing about coverage.
bool counts_for_coverage(std::string_view metric);

/// What a list of signed relative errors comes to. Shares, not percent; zeros where there are no rows.
struct ErrorSummary {
  int rows = 0;
  double median_ape = 0;  ///< of the absolute relative errors
  double mean_ape = 0;
  double bias = 0;  ///< mean of the signed relative errors
  double p90_ape = 0;
};
ErrorSummary error_summary(const std::vector<double>& errors);

/// Errors of one metric over the rows that agree in some keys.
struct BacktestGroup {
  std::vector<std::string> keys;
  std::vector<std::string> values;  ///< one for each key
  std::string metric;
  ErrorSummary errors;
  std::optional<double> coverage_90;       ///< share of rows inside their interval; absent where none has one
  std::optional<double> median_log_error;  ///< of |ln(predicted / measured)|; latencies to the first token only
};

/// Groups by the values of all `keys` together (none: everything is one group), metrics in the order of the columns,
/// values in the order of their first row.
std::vector<BacktestGroup> backtest_groups(const std::vector<BacktestCell>& cells,
                                           const std::vector<std::string>& keys);

}  // namespace podwright
