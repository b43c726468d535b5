#pragma once
/// Fits the constants of the training time model on published runs. docs/method/training_time.md#fit.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/measured_training.h"
#include "catalog/catalog.h"

namespace podwright {

/// A published run with its measured time, ready to be predicted many times.
struct TimedRun {
  const MeasuredTrainingRow* row = nullptr;
  double seconds = 0;  ///< measured: of a step, or of what the row's clock covered
};

/// Rows that tell a step time (or a rate of tokens) and that the model can express.
std::vector<TimedRun> timed_runs(const Catalog& catalog, const MeasuredTraining& measured);

/// What a group of rows is left out by.
std::string fit_label(const MeasuredTrainingRow& row, std::string_view key);

/// Predicted time of every run with given constants; 0 where it cannot be told.
std::vector<double> predicted_seconds(const Catalog& catalog, const TrainingEfficiency& efficiency,
                                      const std::vector<TimedRun>& runs);

/// Constants and software factors of the runs; priors, spreads, sources and notes are those of the catalog. What no run
/// speaks of stays at its prior, factors of software that no run used are left out.
TrainingEfficiency fit_training(const Catalog& catalog, const std::vector<TimedRun>& runs);

/// A prediction of a run by a fit that did not see its group.
struct LeftOut {
  double seconds = 0;
  std::string knowledge;  ///< what the fit knew of the run's software: period, framework, none
};

/// Leaves out every group of a key (source, hidden, gpu_id, ...) in turn. `progress` is told each group.
std::vector<LeftOut> leave_out(const Catalog& catalog, const std::vector<TimedRun>& runs, std::string_view key,
                               const std::function<void(const std::string&)>& progress);

/// Interval widths from predictions in the fit and with sources left out.
std::vector<PredictionSpread> training_spreads(const std::vector<TimedRun>& runs, const std::vector<double>& fitted,
                                               const std::vector<LeftOut>& left_out);

/// The catalog's tables as text, ready to be written.
std::string constants_csv(const TrainingEfficiency& efficiency);
std::string software_csv(const TrainingEfficiency& efficiency);
std::string spreads_csv(const TrainingEfficiency& efficiency);

}  // namespace podwright
