#pragma once
/// Fits on tables of measured runs, what they come to, and predictions by fits that did not see a group of rows.
/// docs/method/accuracy.md#fits, docs/method/serving_time.md#fit.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calibration/backtest_serving.h"
#include "calibration/serving_spread.h"
#include "catalog/efficiency_constant.h"

namespace podwright {

/// Errors of predictions over some rows.
struct FitErrors {
  std::string rows_of;  ///< kind of model, of figure, and whether the fit saw the rows
  ErrorSummary errors;
};

struct Calibration {
  struct Table {
    std::string file;  ///< name in the catalog's folder
    std::string text;
  };
  std::vector<Table> tables;
  int table_rows = 0;   ///< of the measured tables
  int fitted_rows = 0;  ///< that tell what is fitted and can be expressed
  std::vector<FitErrors> errors;
  std::string refused;  ///< why the fit must not be used; empty: it may
};

/// A table of constants as read_efficiency_constants() reads it.
std::string constants_csv(std::span<const EfficiencyConstant> constants);

/// `table` with the column `note` of the one that it replaces, row by row by their first cells: what a constant is does
/// not change with its value, and the program does not carry it.
std::string with_notes(const std::string& table, std::string_view replaced);

/// Predictions of every row of `tables`, in their order, by the fit without its group of `key` (leave_out_keys()). Rows
/// of `fitted_with` are in the fits, as far as their group is, and are not predicted. Error "conflict" where a group
/// holds every row that gives a time: nothing remains to fit without it.
Result<Backtest> left_out_training(const Catalog& catalog, const std::vector<MeasuredTraining>& tables,
                                   const std::vector<MeasuredTraining>& fitted_with, std::string_view key,
                                   const Progress& progress);

/// Fits the training constants, and leaves out every source and every hidden size in turn for the widths of intervals.
Calibration calibrate_training(const Catalog& catalog, const std::vector<MeasuredTraining>& tables,
                               const Progress& progress);

/// The fits of left_out_serving(): one fit on all rows of both lists, refitted for each group.
FitServing serving_fits(const Catalog& catalog, const std::vector<MeasuredServing>& tables,
                        const std::vector<MeasuredServing>& fitted_with);

/// Why a fit with these misses of left-out groups must not be used; empty: it may.
std::string serving_fit_refusal(const ServingMisses& left_out);

/// Fits the constants and factors, and leaves out every group of source, GPU and model, and every engine, in turn for
/// the widths of intervals.
Calibration calibrate_serving(const Catalog& catalog, const std::vector<MeasuredServing>& tables,
                              const Progress& progress);

}  // namespace podwright
