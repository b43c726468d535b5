#pragma once
/// Predictions of serving runs and of serving engines' memory compared with what was measured. docs/method/accuracy.md.
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calibration/backtest.h"
#include "calibration/measured_serving.h"
#include "calibration/measured_serving_memory.h"
#include "catalog/catalog.h"
#include "perf/estimate_serving.h"
#include "perf/serving_interval.h"

namespace podwright {

/// Predicts every measured cell from the row's configuration alone and adds them to `backtest`.
void backtest_serving(const Catalog& catalog, const MeasuredServing& measured, Backtest& backtest);
void backtest_serving_memory(const Catalog& catalog, const MeasuredServingMemory& measured, Backtest& backtest);

/// The estimate that a row's figures are compared with. A run that ran had the memory it needed: where the estimate
/// says otherwise its GPUs are taken to have more. `with_energy`: also power and energy, which take longer.
ServingEstimate<NoTrace> estimate_of(const Catalog& catalog, const MeasuredServingRow& row, bool with_energy = false);

/// What an estimate with a performance says of one measured figure, in the unit that the metric's name ends in; absent
/// where it tells none.
std::optional<double> predicted_figure(const Catalog& catalog, const MeasuredServingRow& row,
                                       const ServingEstimate<NoTrace>& estimate, std::string_view metric);

/// A request rate close to what the deployment is expected to complete, where a small error of capacity is a large one
/// of waits: such rows are compared, but neither fitted nor counted in widths.
bool near_limit(const MeasuredServingRow& row, const ServingPerformance<NoTrace>& performance);
/// Their label `load_kind`.
inline constexpr std::string_view kNearLimit = "request_rate_near_limit";

/// What rows of serving runs can be grouped by. `performance`: what is expected of it, where it is.
std::vector<std::string> serving_run_labels(const Catalog& catalog, const MeasuredServingRow& row,
                                            const std::optional<ServingPerformance<NoTrace>>& performance);

/// What a measured column is a figure of.
ServingFigure measured_figure(std::string_view metric);

/// Mean time from a request's arrival to its admission in a run of `requests` that arrive at an even rate faster than
/// they are completed, where `in_flight` are admitted at once and one more with each that completes.
Seconds mean_admission_wait(double requests, double in_flight, PerSecond arrivals, PerSecond completions);

/// A catalog with the serving constants fitted on some rows.
using FitServing = std::function<Result<Catalog>(const std::vector<const MeasuredServingRow*>& rows)>;

/// Predictions of every row of `tables`, in their order, by the fit without the rows that agree with it in all `keys`.
/// Rows of `fitted_with` are in the fits, as far as their group is, and are not predicted. Error "conflict" where a
/// group holds every row: nothing remains to fit without it.
Result<Backtest> left_out_serving(const std::vector<MeasuredServing>& tables,
                                  const std::vector<MeasuredServing>& fitted_with, const std::vector<std::string>& keys,
                                  const FitServing& fit, const Progress& progress);

}  // namespace podwright
