#pragma once
/// Replays of published runs compared with what was measured. docs/method/replay.md#published-runs.
#include <vector>

#include "calibration/backtest.h"
#include "calibration/measured_traffic.h"
#include "catalog/catalog.h"

namespace podwright {

/// Replays the rows and adds their measured cells to `backtest`; those beyond a million requests are skipped.
void backtest_traffic(const Catalog& catalog, const std::vector<MeasuredTraffic>& tables, Backtest& backtest);

}  // namespace podwright
