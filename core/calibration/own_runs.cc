#include "calibration/own_runs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

#include "base/math.h"
#include "base/stable_sort.h"
#include "base/words.h"
#include "calibration/backtest_serving.h"

namespace podwright {
namespace {

constexpr std::array<std::string_view, 3> kFigureWords{"training", "serving", "memory"};
/// Of the median error that is left with a setting or a factor which is advised.
constexpr double kClearlyLower = 0.75;
constexpr int kLeastForSetting = 3;
constexpr int kLeastForFactor = 5;

bool is_a_time(std::string_view metric) { return metric == "step_time_s" || metric.ends_with("_ms"); }

bool holds_metric(const std::vector<std::string>& metrics, const std::string& metric) {
  return std::find(metrics.begin(), metrics.end(), metric) != metrics.end();
}

/// Empty where a cell belongs to none of kFigureWords.
std::string_view figures_of(const BacktestCell& cell) {
  if (cell.given || !counts_for_coverage(cell.metric)) return "";
  if (cell.metric == "memory_gib_per_gpu" || holds_metric(measured_serving_memory_columns().metrics, cell.metric))
    return "memory";
  return holds_metric(measured_training_columns().metrics, cell.metric) ? "training" : "serving";
}

/// Above 1: the run took longer, or more memory, than predicted.
double ratio_of(const BacktestCell& cell) {
  const bool rate = figures_of(cell) != "memory" && !is_a_time(cell.metric);
  return rate ? cell.predicted / cell.measured : cell.measured / cell.predicted;
}

using Cells = std::vector<BacktestCell>;

bool is_throughput(const BacktestCell& cell) {
  return figures_of(cell) == "serving" && cell.metric.find("_per_s") != std::string::npos;
}

/// Throughput that a run gives in tokens, requests and by GPU is one figure: its first counts.
Cells cells_of(const Backtest& backtest, std::string_view figures) {
  Cells cells;
  for (const BacktestCell& cell : backtest.cells) {
    const auto of_same_run =
        std::find_if_not(cells.rbegin(), cells.rend(), [&](const BacktestCell& known) { return known.id == cell.id; });
    const bool again = is_throughput(cell) && std::any_of(cells.rbegin(), of_same_run, is_throughput);
    if (figures_of(cell) == figures && !again) cells.push_back(cell);
  }
  return cells;
}

/// As a factor less 1, the same for half as much as for twice as much: else every smaller prediction would be better.
double median_error(const Cells& cells) {
  std::vector<double> logs;
  for (const BacktestCell& cell : cells) logs.push_back(std::fabs(math::log(cell.predicted / cell.measured)));
  return math::exp(math::quantile(logs, 0.5)) - 1;
}

/// A setting that runs may have had where their table does not say. The changes return whether they alter the row.
struct Alternative {
  Patch set;
  std::function<bool(MeasuredTrainingRow&)> of_training = [](MeasuredTrainingRow&) { return false; };
  std::function<bool(MeasuredServingRow&)> of_serving = [](MeasuredServingRow&) { return false; };
};

template <class Value>
bool change(Value& from, const Value& to) {
  if (from == to) return false;
  from = to;
  return true;
}

std::vector<Alternative> alternatives(const Catalog& catalog) {
  std::vector<Alternative> all;
  for (std::size_t i = 0; i < kTuningWords.size(); ++i) {
    const auto set = [tuning = static_cast<Tuning>(i)](auto& row) { return change(row.run.tuning, tuning); };
    all.push_back({Patch("/tuning", kTuningWords[i]), set, set});
  }
  all.push_back({Patch("/overlap", false),
                 [](MeasuredTrainingRow& row) { return !row.overlap_given && change(row.run.overlap, false); }});
  for (const TrainingFramework& framework : catalog.training_frameworks)
    for (const FrameworkVersion& known : framework.versions)
      all.push_back({Patch("/framework_version", known.version), [&](MeasuredTrainingRow& row) {
                       return row.run.framework == framework.id && row.framework_version.empty() &&
                              change(row.run.framework_version, known.version);
                     }});
  const auto serving = [&](Patch set, auto apply) {
    all.push_back({std::move(set), [](MeasuredTrainingRow&) { return false; }, std::move(apply)});
  };
  for (const EngineSoftware& software : catalog.serving_efficiency.software)
    if (software.level == EngineSoftware::Level::period)
      serving(Patch("/engine_version", software.period), [&](MeasuredServingRow& row) {
        return row.run.engine == software.engine && row.framework_version.empty() &&
               change(row.run.engine_version, software.period);
      });
  for (const double tokens : {512.0, 2048.0, 8192.0, 16384.0})
    serving(Patch("/max_batched_tokens", tokens), [tokens](MeasuredServingRow& row) {
      return !row.run.max_batched_tokens && change(row.run.max_batched_tokens, std::optional(tokens));
    });
  for (const double sequences : {32.0, 128.0, 512.0})
    serving(Patch("/max_batch_size", sequences), [sequences](MeasuredServingRow& row) {
      return !row.run.max_batch_size && change(row.run.max_batch_size, std::optional(sequences));
    });
  return all;
}

/// Adds the ids of the rows that the change alters.
template <class Row, class Change>
void apply(std::vector<MeasuredTable<Row>>& tables, const Change& change, std::set<std::string>& changed) {
  for (MeasuredTable<Row>& table : tables)
    for (Row& row : table.rows)
      if (change(row)) changed.insert(row.id);
}

/// How many of the rows are predicted.
int rows_among(const Cells& cells, const std::set<std::string>& rows) {
  std::set<std::string> found;
  for (const BacktestCell& cell : cells)
    if (rows.count(cell.id) > 0) found.insert(cell.id);
  return static_cast<int>(found.size());
}

std::vector<PlainFactor> plain_factors(const Cells& cells) {
  std::vector<PlainFactor> factors;
  for (const std::string& metric : backtest_metrics()) {
    std::vector<double> ratios;
    for (const BacktestCell& cell : cells)
      if (cell.metric == metric) ratios.push_back(cell.measured / cell.predicted);
    if (static_cast<int>(ratios.size()) < kLeastForFactor) continue;
    factors.push_back({metric, math::quantile(ratios, 0.5), math::quantile(ratios, 0.1), math::quantile(ratios, 0.9),
                       static_cast<int>(ratios.size())});
  }
  return factors;
}

double median_error_with(const std::vector<PlainFactor>& factors, Cells cells) {
  for (BacktestCell& cell : cells)
    for (const PlainFactor& factor : factors)
      if (factor.metric == cell.metric) cell.predicted *= factor.factor;
  return median_error(cells);
}

std::string_view direction(const OwnRuns& own) {
  const bool memory = own.figures == "memory";
  if (own.median_ratio > 1 + kRepeats) return memory ? "larger" : "slower";
  if (own.median_ratio < 1 - kRepeats) return memory ? "smaller" : "faster";
  return memory ? "as-large" : "as-fast";
}

/// The setting that leaves clearly less of the error, unless factors leave clearly less than it does; else factors,
/// else why there is nothing to set.
void advise(const Cells& cells, OwnRuns& own) {
  const double clearly = kClearlyLower * own.median_error;
  std::vector<PlainFactor> factors = plain_factors(cells);
  const double after = median_error_with(factors, cells);
  if (own.median_error <= kRepeats) {
    own.advice = say("own-runs/good", "repeats"_v = kRepeats);
    return;
  }
  if (own.rows >= kLeastForSetting && !own.tried.empty() && own.tried.front().median_error <= clearly &&
      after > kClearlyLower * own.tried.front().median_error) {
    const TriedSetting& best = own.tried.front();
    own.set = {best.set};
    const auto setting = "setting"_v = best.set.text();
    const auto without = "before"_v = own.median_error;
    const auto with = "after"_v = best.median_error;
    own.advice = best.changed < own.rows
                     ? say("own-runs/set-some", setting, "without"_v = static_cast<double>(best.changed),
                           "rows"_v = static_cast<double>(own.rows), without, with)
                     : say("own-runs/set", setting, without, with);
    return;
  }
  if (factors.empty()) {
    own.advice = say("own-runs/few", "least"_v = static_cast<double>(kLeastForFactor));
  } else if (after <= clearly) {
    std::vector<Message> each;
    for (const PlainFactor& one : factors)
      each.push_back(say("own-runs/one-factor", "metric"_v = one.metric, "factor"_v = one.factor, "low"_v = one.low,
                         "high"_v = one.high));
    own.factors = std::move(factors);
    own.advice =
        say("own-runs/factor", "factors"_v = std::move(each), "before"_v = own.median_error, "after"_v = after);
  } else {
    own.advice = say("own-runs/scattered");
  }
}

OwnRuns measured_against(const Cells& cells, std::string_view figures) {
  OwnRuns own{.figures = figures, .cells = static_cast<int>(cells.size()), .median_error = median_error(cells)};
  std::set<std::string> rows;
  std::vector<double> ratios;
  for (const BacktestCell& cell : cells) {
    rows.insert(cell.id);
    ratios.push_back(ratio_of(cell));
    own.intervals += cell.covered() ? 1 : 0;
    own.inside += cell.covered().value_or(false) ? 1 : 0;
  }
  own.rows = static_cast<int>(rows.size());
  own.median_ratio = math::quantile(ratios, 0.5);
  const auto count = "rows"_v = static_cast<double>(own.rows);
  const auto are = "direction"_v = say_word<"own-runs-are">(direction(own));
  const auto error = "error"_v = own.median_error;
  own.says = own.intervals == 0 ? say("own-runs/no-interval", count, are, error)
                                : say("own-runs/off", count, are, error, "inside"_v = static_cast<double>(own.inside),
                                      "figures"_v = static_cast<double>(own.intervals));
  return own;
}

}  // namespace

Backtest backtest_all(const Catalog& catalog, const MeasuredTables& tables) {
  Backtest backtest;
  for (const auto& table : tables.training) backtest_training(catalog, table, backtest);
  for (const auto& table : tables.serving) backtest_serving(catalog, table, backtest);
  for (const auto& table : tables.serving_memory) backtest_serving_memory(catalog, table, backtest);
  return backtest;
}

std::vector<OwnRuns> own_runs(const Catalog& catalog, const MeasuredTables& tables, const Backtest& as_is) {
  struct Changed {
    Patch set;
    Backtest backtest;
    std::set<std::string> rows;
  };
  std::vector<Changed> changed;
  for (const Alternative& alternative : alternatives(catalog)) {
    MeasuredTables with = tables;
    std::set<std::string> rows;
    apply(with.training, alternative.of_training, rows);
    apply(with.serving, alternative.of_serving, rows);
    if (!rows.empty()) changed.push_back({alternative.set, backtest_all(catalog, with), std::move(rows)});
  }
  std::vector<OwnRuns> all;
  for (const std::string_view figures : kFigureWords) {
    const Cells cells = cells_of(as_is, figures);
    if (cells.empty()) continue;
    OwnRuns own = measured_against(cells, figures);
    for (const Changed& one : changed) {
      const Cells other = cells_of(one.backtest, figures);
      // With a setting that lacks predictions the runs could not have run; one that moves nothing says nothing.
      const auto same = [](const BacktestCell& a, const BacktestCell& b) { return a.predicted == b.predicted; };
      if (other.size() != cells.size() || std::equal(cells.begin(), cells.end(), other.begin(), same)) continue;
      own.tried.push_back({one.set, median_error(other), rows_among(cells, one.rows)});
    }
    sort_stably(own.tried,
                [](const TriedSetting& a, const TriedSetting& b) { return a.median_error < b.median_error; });
    advise(cells, own);
    all.push_back(std::move(own));
  }
  return all;
}

}  // namespace podwright
