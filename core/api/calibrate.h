#pragma once
/// Fits on tables of measured runs, and predictions by fits that did not see a group of them. For the command line: no
/// request of the page leads here, so that its engine carries no fit.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/answer.h"
#include "api/backtest.h"
#include "base/result.h"
#include "catalog/catalog.h"

namespace podwright {

using Progress = std::function<void(const std::string& group)>;

/// The kind `backtest` with the constants fitted anew without each group of `key` (leave_out_keys()). Rows of
/// `fitted_with` are in the fits, as far as their group is, and are not predicted.
Answer answer_backtest_leaving_out(const Catalog& catalog, std::string_view request, std::string_view key,
                                   const std::vector<BacktestFile>& fitted_with, const Progress& progress);

/// Errors of predicted times over some rows; shares, not percent.
struct FitErrors {
  std::string rows_of;  ///< in the fit, with their source or hidden size left out; dense, moe
  int rows = 0;
  double median_ape = 0;
  double mean_ape = 0;
  double p90_ape = 0;
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
/// Errors: those of the tables.
Result<TrainingCalibration> calibrate_training(const Catalog& catalog, const std::vector<BacktestFile>& files,
                                               const Progress& progress);

}  // namespace podwright
