#pragma once
/// Fits on tables of measured runs, and predictions by fits that did not see a group of them.
/// docs/method/accuracy.md#fits.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calibration/backtest.h"
#include "calibration/measured_training.h"
#include "catalog/catalog.h"

namespace podwright {

using Progress = std::function<void(const std::string& group)>;

/// Predictions of every row of `tables`, in their order, by the fit without its group of `key` (leave_out_keys()). Rows
/// of `fitted_with` are in the fits, as far as their group is, and are not predicted. Error "conflict" where a group
/// holds every row that tells a time: nothing remains to fit without it.
Result<Backtest> left_out_backtest(const Catalog& catalog, const std::vector<MeasuredTraining>& tables,
                                   const std::vector<MeasuredTraining>& fitted_with, std::string_view key,
                                   const Progress& progress);

/// Errors of predicted times over some rows.
struct FitErrors {
  std::string rows_of;  ///< in the fit, with their source or hidden size left out; dense, moe
  ErrorSummary of_time;
};

struct TrainingCalibration {
  struct Table {
    std::string file;  ///< name in the catalog's folder
    std::string text;
  };
  std::vector<Table> tables;
  int table_rows = 0;   ///< of the measured tables
  int fitted_rows = 0;  ///< that tell a time and can be expressed
  std::vector<FitErrors> errors;
  std::string refused;  ///< why the fit must not be used; empty: it may
};

/// Fits the training constants, and leaves out every source and every hidden size in turn for the widths of intervals.
TrainingCalibration calibrate_training(const Catalog& catalog, const std::vector<MeasuredTraining>& tables,
                                       const Progress& progress);

}  // namespace podwright
