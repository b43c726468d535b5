#pragma once
/// Replays of published runs compared with what was measured. docs/method/replay.md#published-runs.
#include "calibration/backtest.h"
#include "calibration/measured_traffic.h"
#include "catalog/catalog.h"

namespace podwright {

/// Replays every row and adds its measured cells to `backtest`.
void backtest_traffic(const Catalog& catalog, const MeasuredTraffic& measured, Backtest& backtest);

}  // namespace podwright
