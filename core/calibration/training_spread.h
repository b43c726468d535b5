#pragma once
/// How wide the intervals of training predictions must be. docs/method/accuracy.md#intervals.
#include <string>
#include <vector>

#include "calibration/backtest.h"
#include "calibration/fit_training.h"
#include "catalog/catalog.h"

namespace podwright {

/// Half widths by what is known of the software, for dense models and for mixtures of experts: of rows in the fit, and
/// of rows that fits did not see (`left_out`: by source, by hidden size). Widths of what no row tells (GPUs, shapes)
/// are those of `known`.
std::vector<PredictionSpread> training_spreads(const std::vector<TimedRun>& runs, const std::vector<double>& fitted,
                                               const std::vector<std::vector<LeftOut>>& left_out,
                                               const std::vector<PredictionSpread>& known);

/// Half widths of memory by stack of training_recipes.json, and of all stacks together ("any").
std::vector<PredictionSpread> memory_spreads(const Backtest& backtest);

std::string training_spreads_csv(const std::vector<PredictionSpread>& spreads);

}  // namespace podwright
