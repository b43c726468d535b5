#pragma once
/// Fits the constants of the training time model on published runs. docs/method/training_time.md#fit.
#include <string>
#include <string_view>
#include <vector>

#include "calibration/backtest.h"
#include "catalog/catalog.h"
#include "perf/training_interval.h"

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

/// The catalog with the constants and the support of the runs.
Catalog fitted_on(const Catalog& catalog, const std::vector<TimedRun>& runs);

/// A prediction of a run by a fit that did not see its group; 0 seconds where there is none.
struct LeftOut {
  double seconds = 0;
  TrainingKnowledge knowledge;  ///< of that fit
};
/// Leaves out each group of a key (source, hidden, gpu_id, framework) in turn, of which `progress` is told. A group
/// without which nothing remains is passed over.
std::vector<LeftOut> leave_out(const Catalog& catalog, const std::vector<TimedRun>& runs, std::string_view key,
                               const Progress& progress);

/// Runs grouped by software, GPU, precision, kind of model and width, in the order of their first row.
std::vector<TrainingSupport> training_support(const Catalog& catalog, const std::vector<TimedRun>& runs);

/// Keys that groups can be left out by.
const std::vector<std::string>& leave_out_keys();

/// The catalog's tables besides that of the constants as text, ready to be written.
std::string training_software_csv(const TrainingEfficiency& efficiency);
std::string training_support_csv(const std::vector<TrainingSupport>& support);

}  // namespace podwright
