#pragma once
/// How far predictions are from somebody's own runs, and what to set so that the next ones fit.
/// docs/method/accuracy.md#your-own-runs.
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "base/patch.h"
#include "calibration/backtest.h"
#include "calibration/measured_serving.h"
#include "calibration/measured_serving_memory.h"
#include "calibration/measured_traffic.h"
#include "calibration/measured_training.h"

namespace podwright {

/// The tables of a request, as their columns tell them apart.
struct MeasuredTables {
  std::vector<MeasuredTraining> training;
  std::vector<MeasuredServing> serving;
  std::vector<MeasuredServingMemory> serving_memory;
  std::vector<MeasuredTraffic> traffic;
};

/// Predictions of all rows.
Backtest backtest_all(const Catalog& catalog, const MeasuredTables& tables);

/// A setting of a request, and how far off the predictions are with it.
struct TriedSetting {
  Patch set;
  double median_error = 0;
  int changed = 0;  ///< rows that it changes: those of which the table does not say it
};

/// What to multiply predictions of one metric by.
struct PlainFactor {
  std::string metric;
  double factor = 1;
  double low = 1;  ///< a tenth of the rows is below
  double high = 1;
  int rows = 0;
};

/// What somebody's runs say of the predictions of one kind of figure.
struct OwnRuns {
  std::string_view figures;  ///< training, serving: times and rates; memory
  int rows = 0;
  int cells = 0;
  int intervals = 0;        ///< cells whose prediction has one
  int inside = 0;           ///< of their intervals
  double median_error = 0;  ///< the median factor between predicted and measured, less 1
  double median_ratio = 1;  ///< measured over predicted, of times and memory; the inverse of rates
  Message says;
  Message advice;
  std::vector<Patch> set;            ///< the setting that is advised, or none
  std::vector<TriedSetting> tried;   ///< nearest first
  std::vector<PlainFactor> factors;  ///< where a factor is advised
};

/// `as_is`: backtest_all() of the tables.
std::vector<OwnRuns> own_runs(const Catalog& catalog, const MeasuredTables& tables, const Backtest& as_is);

}  // namespace podwright
