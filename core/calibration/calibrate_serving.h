#pragma once
/// Fits the step model of serving on tables of measured runs, and says how wide its intervals must be.
/// docs/method/serving_time.md#fit.
#include <string>
#include <vector>

#include "calibration/backtest_serving.h"
#include "calibration/calibration.h"
#include "calibration/fit_serving.h"
#include "calibration/serving_spread.h"

namespace podwright {

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
