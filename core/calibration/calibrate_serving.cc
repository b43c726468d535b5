#include "calibration/calibrate_serving.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "base/math.h"
#include "base/number_text.h"
#include "base/words.h"
#include "perf/layout_rules.h"

namespace podwright {
namespace {

constexpr int kLeastRows = 200;       ///< that a fit needs
constexpr int kLeastToTell = 15;      ///< rows that a width needs of its own
constexpr double kShare = 0.9;        ///< of errors inside the interval
constexpr double kWorstMedian = 0.6;  ///< error of tpot that a fit may have where it did not see the runs

std::vector<const MeasuredServingRow*> rows_of(const std::vector<MeasuredServing>& tables) {
  std::vector<const MeasuredServingRow*> rows;
  for (const MeasuredServing& table : tables)
    for (const MeasuredServingRow& row : table.rows) rows.push_back(&row);
  return rows;
}

/// Errors (logarithms) of a backtest by class of metric and kind of model.
using ErrorsBy = std::map<std::pair<std::string, bool>, std::vector<double>>;

ErrorsBy errors_by(const std::vector<const MeasuredServingRow*>& rows, const Backtest& backtest) {
  std::map<std::string, const MeasuredServingRow*> of_id;
  for (const MeasuredServingRow* row : rows) of_id[row->id] = row;
  ErrorsBy errors;
  for (const BacktestCell& cell : backtest.cells) {
    const auto row = of_id.find(cell.id);
    if (row == of_id.end()) continue;
    errors[{std::string(serving_metric_class(*row->second, cell.metric)), row->second->model.experts > 0}].push_back(
        math::log(cell.predicted / cell.measured));
  }
  return errors;
}

double half_width(std::vector<double> errors) {
  for (double& error : errors) error = std::fabs(error);
  std::sort(errors.begin(), errors.end());
  const double place = kShare * static_cast<double>(errors.size() - 1);
  return errors[static_cast<std::size_t>(std::ceil(place))];
}

ErrorSummary relative(const std::vector<double>& logarithms) {
  std::vector<double> errors;
  for (const double error : logarithms) errors.push_back(math::exp(error) - 1.0);
  return error_summary(errors);
}

}  // namespace

FitServing serving_fits(const Catalog& catalog, const std::vector<MeasuredServing>& tables,
                        const std::vector<MeasuredServing>& fitted_with) {
  std::vector<const MeasuredServingRow*> rows = rows_of(tables);
  for (const MeasuredServingRow* row : rows_of(fitted_with)) rows.push_back(row);
  const auto fit = std::make_shared<std::unique_ptr<ServingFit>>();
  return [&catalog, rows, fit](const std::vector<const MeasuredServingRow*>& remaining) -> Result<Catalog> {
    if (!*fit) *fit = std::make_unique<ServingFit>(catalog, rows);
    return (*fit)->without(remaining);
  };
}

Calibration calibrate_serving(const Catalog& catalog, const std::vector<MeasuredServing>& tables,
                              const Progress& progress) {
  Calibration calibration;
  for (const MeasuredServing& table : tables)
    calibration.table_rows += static_cast<int>(table.rows.size() + table.skipped.size());
  const std::vector<const MeasuredServingRow*> rows = rows_of(tables);
  progress("");
  const ServingFit fit(catalog, rows);
  calibration.fitted_rows = fit.fitted_rows();
  if (fit.fitted_rows() < kLeastRows) {
    calibration.refused = "A fit needs " + std::to_string(kLeastRows) + " rows of serving that can be expressed.";
    return calibration;
  }
  const FitServing refit = [&](const std::vector<const MeasuredServingRow*>& remaining) -> Result<Catalog> {
    return fit.without(remaining);
  };
  Backtest in_fit;
  for (const MeasuredServing& table : tables) backtest_serving(fit.whole(), table, in_fit);
  const auto without_group = left_out_serving(tables, {}, {"source", "gpu_id", "model_id"}, refit, progress);
  const auto without_engine = left_out_serving(tables, {}, {"framework"}, refit, progress);
  for (const auto* left_out : {&without_group, &without_engine})
    if (!*left_out) {
      calibration.refused = left_out->error().front().message;
      return calibration;
    }
  const std::vector<std::pair<std::string, ErrorsBy>> levels{{"run", errors_by(rows, in_fit)},
                                                             {"engine", errors_by(rows, *without_group)},
                                                             {"none", errors_by(rows, *without_engine)}};
  ServingEfficiency efficiency = fit.whole().serving_efficiency;
  std::vector<ServingSpread> spreads;
  for (const char* metric : {"tpot", "ttft", "throughput", "prompt"})
    for (const bool experts : {false, true}) {
      double before = 0;
      for (const auto& [knowledge, errors] : levels) {
        ServingSpread spread;
        spread.metric = metric;
        spread.knowledge = knowledge;
        spread.architecture = architecture_word(experts);
        spread.source = "serving-time-fit";
        auto found = errors.find({metric, experts});
        if (found == errors.end() || found->second.size() < kLeastToTell) {
          found = errors.find({metric, !experts});
          spread.note = "too few rows: that of the other kind of models";
        }
        double width = before;
        if (found != errors.end() && !found->second.empty()) {
          spread.rows = static_cast<double>(found->second.size());
          width = half_width(found->second);
        }
        if (width < before) spread.note = "not below the level before";
        spread.half_width = before = std::max(before, width);
        spreads.push_back(std::move(spread));
      }
    }
  for (const ServingSpread& spread : catalog.serving_efficiency.spreads)
    if (spread.metric == "any") spreads.push_back(spread);
  efficiency.spreads = std::move(spreads);
  for (const auto& [knowledge, errors] : levels)
    for (const auto& [group, list] : errors) {
      const std::string how = knowledge == "run"      ? "in the fit"
                              : knowledge == "engine" ? "with source, GPU and model left out"
                                                      : "with the engine left out";
      calibration.errors.push_back(
          {group.first + ", " + std::string(architecture_word(group.second)) + ", " + how, relative(list)});
      if (group.first == "tpot" && knowledge == "engine" && relative(list).median_ape > kWorstMedian)
        calibration.refused = "With source, GPU and model left out the median error of tpot is " +
                              human_number(100 * relative(list).median_ape) + " %, over " +
                              human_number(100 * kWorstMedian) + " %.";
    }
  calibration.tables = {{"serving_constants.csv", constants_csv(efficiency.constants)},
                        {"serving_software.csv", serving_software_csv(efficiency)},
                        {"serving_support.csv", serving_support_csv(efficiency)},
                        {"serving_spreads.csv", serving_spreads_csv(efficiency)}};
  return calibration;
}

}  // namespace podwright
