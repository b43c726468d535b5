#include "calibration/calibration.h"

#include <memory>
#include <utility>

#include "base/append.h"
#include "base/math.h"
#include "base/number_text.h"
#include "base/words.h"
#include "calibration/fit_serving.h"
#include "catalog/architecture_word.h"

namespace podwright {
namespace {

/// Acceptance of a fit: docs/method/serving_time.md#fit.
constexpr int kLeastServingRows = 200;
constexpr double kWorstMedian = 0.25;  ///< error of tpot where the fit did not see the runs

std::vector<const MeasuredServingRow*> rows_of(const std::vector<MeasuredServing>& tables) {
  std::vector<const MeasuredServingRow*> rows;
  for (const MeasuredServing& table : tables)
    for (const MeasuredServingRow& row : table.rows) rows.push_back(&row);
  return rows;
}

/// Rows that tell what an engine without runs may do: not those of a period that is documented to be unlike others.
std::vector<const MeasuredServingRow*> undocumented(const Catalog& catalog,
                                                    std::vector<const MeasuredServingRow*> rows) {
  std::erase_if(rows, [&](const MeasuredServingRow* row) {
    const EngineSoftware* period = catalog.serving_efficiency.period(row->run.engine, row->run.engine_version);
    return period != nullptr && period->host_prior != 0;
  });
  return rows;
}

ErrorSummary relative(const std::vector<double>& logarithms) {
  std::vector<double> errors;
  for (const double error : logarithms) errors.push_back(math::exp(error) - 1.0);
  return error_summary(errors);
}

std::vector<FitErrors> errors_at(const std::vector<ServingMissesAt>& levels) {
  std::vector<FitErrors> errors;
  for (const ServingMissesAt& level : levels) {
    const std::string how = level.level == "run"      ? "in the fit"
                            : level.level == "engine" ? "with source, GPU and model left out"
                                                      : "with the engine left out";
    for (const auto& [group, misses] : level.misses)
      errors.push_back({std::string(word_of(group.first, kServingWidthWords)) + ", " +
                            std::string(architecture_word(group.second)) + ", " + how,
                        relative(misses)});
  }
  return errors;
}

}  // namespace

std::string serving_fit_refusal(const ServingMisses& left_out) {
  for (const bool experts : {false, true}) {
    const auto tpot = left_out.find({ServingWidth::tpot, experts});
    if (tpot == left_out.end() || tpot->second.empty()) continue;
    const double median = relative(tpot->second).median_ape;
    if (median > kWorstMedian)
      return "With source, GPU and model left out the median error of tpot of " +
             std::string(architecture_word(experts)) + " models is " + human_number(100 * median) + " %, over " +
             human_number(100 * kWorstMedian) + " %.";
  }
  return "";
}

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
  if (fit.fitted_rows() < kLeastServingRows) {
    calibration.refused =
        "A fit needs " + std::to_string(kLeastServingRows) + " rows of serving that can be expressed.";
    return calibration;
  }
  if (!fit.solved()) {
    calibration.refused = "The fit has no solution: its equations are singular.";
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
  const std::vector<ServingMissesAt> levels{{"run", serving_misses(rows, in_fit)},
                                            {"engine", serving_misses(rows, *without_group)},
                                            {"none", serving_misses(undocumented(catalog, rows), *without_engine)}};
  calibration.errors = errors_at(levels);
  Result<std::vector<ServingSpread>> spreads = serving_spreads(levels);
  calibration.refused = !spreads ? spreads.error().front().message : serving_fit_refusal(levels[1].misses);
  if (!calibration.refused.empty()) return calibration;
  ServingEfficiency efficiency = fit.whole().serving_efficiency;
  efficiency.spreads = std::move(*spreads);
  if (auto of_installed = serving_spreads({{"as-installed", serving_misses(rows, *without_group, true)}}))
    append(efficiency.spreads, std::move(*of_installed));
  for (const ServingSpread& spread : catalog.serving_efficiency.spreads)
    if (spread.metric == "any") efficiency.spreads.push_back(spread);
  calibration.tables = {{"serving_constants.csv", constants_csv(efficiency.constants)},
                        {"serving_software.csv", serving_software_csv(efficiency)},
                        {"serving_levels.csv", serving_levels_csv(efficiency)},
                        {"serving_support.csv", serving_support_csv(efficiency)},
                        {"serving_spreads.csv", serving_spreads_csv(efficiency)}};
  return calibration;
}

}  // namespace podwright
