#pragma once
/// Predictions of training runs compared with what was measured. docs/method/accuracy.md.
#include "calibration/backtest.h"
#include "calibration/measured_training.h"
#include "catalog/catalog.h"

namespace podwright {

/// Predicts every measured cell from the row's configuration alone and adds them to `backtest`.
void backtest_training(const Catalog& catalog, const MeasuredTraining& measured, Backtest& backtest);

}  // namespace podwright
