#include "api/calibrate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "api/field_reader.h"
#include "base/json_read.h"
#include "base/math.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "calibration/fit_training.h"
#include "calibration/training_spread.h"

namespace podwright {
namespace {

/// Acceptance of a fit: docs/method/accuracy.md#fits.
constexpr std::size_t kLeastRows = 12;
constexpr double kMostMedianError = 0.15;

std::vector<TimedRun> timed_runs_of(const Catalog& catalog, const std::vector<MeasuredTraining>& tables) {
  std::vector<TimedRun> runs;
  for (const MeasuredTraining& table : tables)
    for (const TimedRun& run : timed_runs(catalog, table)) runs.push_back(run);
  return runs;
}

FitErrors errors_of(const std::string& rows_of, const std::vector<TimedRun>& runs, const std::vector<double>& seconds,
                    std::string_view architecture) {
  FitErrors errors{.rows_of = rows_of + ", " + std::string(architecture)};
  std::vector<double> misses;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (seconds[i] <= 0 || (runs[i].row->model.experts > 0) != (architecture == "moe")) continue;
    misses.push_back(std::fabs(seconds[i] / runs[i].seconds - 1));
    errors.mean_ape += misses.back();
  }
  errors.rows = static_cast<int>(misses.size());
  if (misses.empty()) return errors;
  errors.mean_ape /= static_cast<double>(misses.size());
  errors.median_ape = math::quantile(misses, 0.5);
  errors.p90_ape = math::quantile(misses, 0.9);
  return errors;
}

std::vector<double> seconds_of(const std::vector<LeftOut>& predictions) {
  std::vector<double> seconds;
  for (const LeftOut& one : predictions) seconds.push_back(one.seconds);
  return seconds;
}

/// Absent where nothing is predicted.
std::optional<double> median_of_all(const std::vector<TimedRun>& runs, const std::vector<double>& seconds) {
  std::vector<double> misses;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (seconds[i] > 0) misses.push_back(std::fabs(seconds[i] / runs[i].seconds - 1));
  if (misses.empty()) return {};
  return math::quantile(std::move(misses), 0.5);
}

/// Predictions of every row of `tables` by the fit without its group, in their order.
Backtest left_out_backtest(const Catalog& catalog, const std::vector<MeasuredTraining>& tables,
                           const std::vector<MeasuredTraining>& fitted_with, std::string_view key,
                           const Progress& progress) {
  std::map<std::string, std::vector<const MeasuredTrainingRow*>> groups;
  for (const MeasuredTraining& table : tables)
    for (const MeasuredTrainingRow& row : table.rows) groups[fit_label(row, key)].push_back(&row);
  std::map<const MeasuredTrainingRow*, Backtest> of_row;
  const auto predict = [&](const Catalog& by, const std::string& group) {
    for (const MeasuredTrainingRow* row : groups[group])
      backtest_training(by, MeasuredTraining{.rows = {*row}, .skipped = {}}, of_row[row]);
    groups.erase(group);
  };
  std::set<std::string> labels;
  for (const auto& [label, rows] : groups) labels.insert(label);
  std::vector<TimedRun> runs = timed_runs_of(catalog, tables);
  for (const TimedRun& run : timed_runs_of(catalog, fitted_with)) runs.push_back(run);
  each_left_out(catalog, runs, key, labels, progress,
                [&](const Catalog& without, const std::vector<std::size_t>& left_out) {
                  predict(without, fit_label(*runs[left_out.front()].row, key));
                });
  if (!groups.empty()) {  // without a timed run: no constant stands on them
    Catalog all = catalog;
    all.training_efficiency = fit_training(catalog, runs);
    all.training_support = training_support(catalog, runs);
    while (!groups.empty()) {
      const std::string group = groups.begin()->first;
      predict(all, group);
    }
  }

  Backtest backtest;
  for (const MeasuredTraining& table : tables) {
    backtest_training(catalog, MeasuredTraining{.rows = {}, .skipped = table.skipped}, backtest);
    for (const MeasuredTrainingRow& row : table.rows) {
      Backtest& one = of_row[&row];
      std::move(one.cells.begin(), one.cells.end(), std::back_inserter(backtest.cells));
      std::move(one.skipped.begin(), one.skipped.end(), std::back_inserter(backtest.skipped));
      backtest.rows += 1;
    }
    add_assumptions(table.rows, backtest);
  }
  return backtest;
}

}  // namespace

Answer answer_backtest_leaving_out(const Catalog& catalog, std::string_view request, std::string_view key,
                                   const std::vector<BacktestFile>& fitted_with, const Progress& progress) {
  const auto wrong = [](const Errors& errors) { return Answer{errors_json(errors), Outcome::wrong_input}; };
  const std::vector<std::string>& keys = leave_out_keys();
  if (std::find(keys.begin(), keys.end(), key) == keys.end())
    return wrong(
        {{"out-of-range", "/leave_out", "\"" + std::string(key.substr(0, 60)) + "\" is no key to leave out by.",
          did_you_mean(key, keys, "Legal: " + joined(keys) + ".")}});
  const auto document = parse_json(request);
  if (!document) return wrong(document.error());
  ErrorList errors;
  BacktestRequest read;
  FieldReader reader(*document, catalog, errors);
  describe(reader, catalog, read);
  reader.finish();
  if (!errors.empty()) return wrong(errors.take());
  std::vector<MeasuredTraining> others;
  for (const BacktestFile& file : fitted_with) {
    Result<MeasuredTraining> table = read_measured_training(catalog, file.csv, file.name);
    if (!table) return wrong(table.error());
    others.push_back(std::move(*table));
  }
  return answer_backtest(catalog, read, reader.assumptions(), "fitted anew without each " + std::string(key),
                         [&](const std::vector<MeasuredTraining>& tables) {
                           return left_out_backtest(catalog, tables, others, key, progress);
                         });
}

Result<TrainingCalibration> calibrate_training(const Catalog& catalog, const std::vector<BacktestFile>& files,
                                               const Progress& progress) {
  std::vector<MeasuredTraining> tables;
  TrainingCalibration calibration;
  for (const BacktestFile& file : files) {
    Result<MeasuredTraining> table = read_measured_training(catalog, file.csv, file.name);
    if (!table) return failure(table.error());
    calibration.table_rows += static_cast<int>(table->rows.size() + table->skipped.size());
    tables.push_back(std::move(*table));
  }
  const std::vector<TimedRun> runs = timed_runs_of(catalog, tables);
  calibration.fitted_rows = static_cast<int>(runs.size());
  if (runs.size() < kLeastRows) {
    calibration.refused = "A fit needs " + std::to_string(kLeastRows) + " rows with a time that can be expressed.";
    return calibration;
  }
  progress("all rows");
  Catalog fitted = catalog;
  fitted.training_efficiency = fit_training(catalog, runs);
  fitted.training_support = training_support(catalog, runs);
  const std::vector<double> in_fit = predicted_seconds(fitted, fitted.training_efficiency, runs);
  const std::vector<std::vector<LeftOut>> left_out{leave_out(catalog, runs, "source", progress),
                                                   leave_out(catalog, runs, "hidden", progress)};
  const std::vector<double> without_source = seconds_of(left_out[0]);
  for (const char* architecture : {"dense", "moe"}) {
    calibration.errors.push_back(errors_of("in the fit", runs, in_fit, architecture));
    calibration.errors.push_back(errors_of("with their source left out", runs, without_source, architecture));
    calibration.errors.push_back(
        errors_of("with their hidden size left out", runs, seconds_of(left_out[1]), architecture));
  }
  const std::optional<double> median = median_of_all(runs, without_source);
  if (!median)
    calibration.refused = "All rows are of one source, so that none can be left out.";
  else if (*median > kMostMedianError)
    calibration.refused = "With each source left out the median error is " + human_number(100 * *median) + " %, over " +
                          human_number(100 * kMostMedianError) + " %.";

  Backtest memory;
  for (const MeasuredTraining& table : tables) backtest_training(fitted, table, memory);
  std::vector<PredictionSpread> spreads = training_spreads(runs, in_fit, left_out, catalog.training_efficiency.spreads);
  for (PredictionSpread& spread : memory_spreads(memory)) {
    const auto same = [&](const PredictionSpread& other) {
      return other.knowledge == spread.knowledge && other.architecture == spread.architecture;
    };
    spreads.erase(std::remove_if(spreads.begin(), spreads.end(), same), spreads.end());
    spreads.push_back(std::move(spread));
  }
  calibration.tables = {{"training_constants.csv", constants_csv(fitted.training_efficiency)},
                        {"training_software.csv", software_csv(fitted.training_efficiency)},
                        {"training_support.csv", support_csv(fitted.training_support)},
                        {"training_spreads.csv", spreads_csv(spreads)}};
  return calibration;
}

}  // namespace podwright
