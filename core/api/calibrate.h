#pragma once
/// Fits on tables of measured runs. For the command line: no request of the page leads here, so that its engine
/// carries no fit.
#include <string_view>
#include <vector>

#include "api/outcome.h"
#include "base/result.h"
#include "calibration/calibration.h"
#include "catalog/catalog.h"

namespace podwright {

/// The kind `backtest` with the constants fitted anew without each group of `key`: for training runs one of
/// leave_out_keys(), for serving runs any of backtest_keys(), several with commas between them. Rows of
/// `fitted_with` are in the fits, as far as their group is, and are not predicted.
Answer answer_backtest_leaving_out(const Catalog& catalog, std::string_view request, std::string_view key,
                                   const std::vector<MeasuredFile>& fitted_with, const Progress& progress);

/// Reads the tables and calibrates on them: training runs, serving runs. Errors: those of the tables.
Result<std::vector<Calibration>> calibrate_on_tables(const Catalog& catalog, const std::vector<MeasuredFile>& files,
                                                     const Progress& progress);

}  // namespace podwright
