#pragma once
/// How wide the intervals of serving predictions must be. docs/method/accuracy.md#intervals-of-serving.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "calibration/backtest.h"
#include "calibration/measured_serving.h"
#include "catalog/serving_efficiency.h"
#include "perf/serving_interval.h"

namespace podwright {

/// Logarithms of predicted over measured values, by the width that holds for a figure and by whether the model has
/// experts. The rates of a row follow from each other and count once, so do its energies; rows of schedulers that are
/// not modelled tell nothing of those that are. `as_installed`: of runs of software as it comes, else of all others;
/// power and energy are those of both.
using ServingMisses = std::map<std::pair<ServingWidth, bool>, std::vector<double>>;
ServingMisses serving_misses(const std::vector<const MeasuredServingRow*>& rows, const Backtest& backtest,
                             bool as_installed = false);

/// Misses of predictions that knew as much as `level` says: run, engine, none; as-installed.
struct ServingMissesAt {
  std::string level;
  ServingMisses misses;
};

/// Half widths that hold 90 % of the misses, for every width, level and kind of model; `levels` from the best known to
/// the least. No width is below that of the level before, nor below what repeated runs differ by. Where one kind of
/// model has too few misses the other's count; error "missing" where both have too few at the first level, but power
/// and energy are left out then.
Result<std::vector<ServingSpread>> serving_spreads(const std::vector<ServingMissesAt>& levels);

std::string serving_spreads_csv(const ServingEfficiency& efficiency);

}  // namespace podwright
