#include "calibration/calibration.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/number_text.h"
#include "calibration/fit_training.h"
#include "calibration/training_spread.h"
#include "catalog/architecture_word.h"

namespace podwright {
namespace {

/// Acceptance of a fit: docs/method/accuracy.md#fits.
constexpr std::size_t kLeastHeldRows = 12;
constexpr double kMostMedianError = 0.15;

std::vector<TimedRun> timed_runs_of(const Catalog& catalog, const std::vector<MeasuredTraining>& tables) {
  std::vector<TimedRun> runs;
  for (const MeasuredTraining& table : tables)
    for (const TimedRun& run : timed_runs(catalog, table)) runs.push_back(run);
  return runs;
}

std::vector<double> seconds_of(const std::vector<LeftOut>& predictions) {
  std::vector<double> seconds;
  for (const LeftOut& one : predictions) seconds.push_back(one.seconds);
  return seconds;
}

/// Relative errors of the runs that are predicted and that `counts` admits.
template <class Counts>
ErrorSummary errors_of_time(const std::vector<TimedRun>& runs, const std::vector<double>& seconds,
                            const Counts& counts) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (seconds[i] > 0 && counts(*runs[i].row)) errors.push_back(seconds[i] / runs[i].seconds - 1);
  return error_summary(errors);
}

FitErrors fit_errors(const std::string& rows_of, const std::vector<TimedRun>& runs, const std::vector<double>& seconds,
                     bool experts) {
  return {rows_of + ", " + std::string(architecture_word(experts)),
          errors_of_time(runs, seconds,
                         [&](const MeasuredTrainingRow& row) { return (row.model.experts > 0) == experts; })};
}

/// What speaks against a fit whose predictions of left-out sources are these; empty: nothing.
std::string refusal(const ErrorSummary& without_source) {
  if (without_source.rows == 0) return "All rows are of one source, so that none can be left out.";
  if (without_source.median_ape <= kMostMedianError) return "";
  return "With each source left out the median error is " + human_number(100 * without_source.median_ape) +
         " %, over " + human_number(100 * kMostMedianError) + " %.";
}

}  // namespace

Result<Backtest> left_out_training(const Catalog& catalog, const std::vector<MeasuredTraining>& tables,
                                   const std::vector<MeasuredTraining>& fitted_with, std::string_view key,
                                   const Progress& progress) {
  std::vector<TimedRun> runs = timed_runs_of(catalog, tables);
  for (const TimedRun& run : timed_runs_of(catalog, fitted_with)) runs.push_back(run);
  std::optional<Catalog> by_all;  // of groups without a timed run: no constant stands on them
  const auto without = [&](const std::vector<std::string>& group,
                           const std::vector<const MeasuredTrainingRow*>& others) -> Result<Catalog> {
    const std::set<const MeasuredTrainingRow*> kept(others.begin(), others.end());
    std::vector<TimedRun> rest;
    for (const TimedRun& run : runs)
      if (kept.count(run.row) > 0) rest.push_back(run);
    if (rest.size() == runs.size()) {
      if (!by_all) by_all = fitted_on(catalog, runs);
      return *by_all;
    }
    if (rest.empty())
      return failure({"conflict", "/leave_out",
                      "Every row that gives a time has the " + std::string(key) + " \"" + group.front().substr(0, 60) +
                          "\", so that nothing remains to fit without it.",
                      "Leave out by another key, or add tables of other runs to the fits."});
    progress(group.front());
    return fitted_on(catalog, rest);
  };
  return backtest_left_out(
      tables, fitted_with,
      [&](const MeasuredTrainingRow& row) { return std::vector<std::string>{fit_label(row, key)}; }, without,
      backtest_training);
}

Calibration calibrate_training(const Catalog& catalog, const std::vector<MeasuredTraining>& tables,
                               const Progress& progress) {
  Calibration calibration;
  for (const MeasuredTraining& table : tables)
    calibration.table_rows += static_cast<int>(table.rows.size() + table.skipped.size());
  const std::vector<TimedRun> runs = timed_runs_of(catalog, tables);
  calibration.fitted_rows = static_cast<int>(runs.size());
  if (runs.size() < kLeastHeldRows) {
    calibration.refused = "A fit needs " + std::to_string(kLeastHeldRows) + " rows with a time that can be expressed.";
    return calibration;
  }
  progress("");
  const Catalog fitted = fitted_on(catalog, runs);
  const std::vector<double> in_fit = predicted_seconds(fitted, fitted.training_efficiency, runs);
  const std::vector<std::vector<LeftOut>> left_out{leave_out(catalog, runs, "source", progress),
                                                   leave_out(catalog, runs, "hidden", progress)};
  const std::vector<double> without_source = seconds_of(left_out[0]);
  const std::vector<double> without_hidden = seconds_of(left_out[1]);
  for (const bool experts : {false, true}) {
    calibration.errors.push_back(fit_errors("in the fit", runs, in_fit, experts));
    calibration.errors.push_back(fit_errors("with their source left out", runs, without_source, experts));
    calibration.errors.push_back(fit_errors("with their hidden size left out", runs, without_hidden, experts));
  }
  calibration.refused = refusal(errors_of_time(runs, without_source, [](const MeasuredTrainingRow&) { return true; }));

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
  calibration.tables = {{"training_constants.csv", constants_csv(fitted.training_efficiency.constants)},
                        {"training_software.csv", training_software_csv(fitted.training_efficiency)},
                        {"training_support.csv", training_support_csv(fitted.training_support)},
                        {"training_spreads.csv", training_spreads_csv(spreads)}};
  return calibration;
}

}  // namespace podwright
