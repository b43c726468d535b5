#pragma once
/// Fits on tables of measured training runs, and predictions by fits that did not see a group of them.
/// docs/method/accuracy.md#fits.
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calibration/backtest.h"
#include "calibration/calibration.h"
#include "calibration/measured_training.h"
#include "catalog/catalog.h"

namespace podwright {

/// Predictions of every row of `tables`, in their order, by the fit without its group of `key` (leave_out_keys()). Rows
/// of `fitted_with` are in the fits, as far as their group is, and are not predicted. Error "conflict" where a group
/// holds every row that gives a time: nothing remains to fit without it.
Result<Backtest> left_out_training(const Catalog& catalog, const std::vector<MeasuredTraining>& tables,
                                   const std::vector<MeasuredTraining>& fitted_with, std::string_view key,
                                   const Progress& progress);

/// Fits the training constants, and leaves out every source and every hidden size in turn for the widths of intervals.
Calibration calibrate_training(const Catalog& catalog, const std::vector<MeasuredTraining>& tables,
                               const Progress& progress);

}  // namespace podwright
