#include "calibration/fit_serving.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/csv_write.h"
#include "base/math.h"
#include "base/number_text.h"
#include "base/words.h"
#include "calibration/backtest_serving.h"
#include "calibration/fit_power.h"
#include "calibration/serving_levels.h"

namespace podwright {
namespace {

constexpr double kServingNoise = 0.08;  ///< of the logarithm of a figure: repeated runs differ by more
constexpr double kServingGroupPower =
    0.25;                              ///< rows of one source, GPU and model share weight by this power of their number
constexpr double kTtftWeight = 0.35;   ///< time to first token follows the load generator as much as the engine
constexpr double kServingStep = 1e-4;  ///< of a difference quotient
constexpr double kMostOfGroup = 24;    ///< rows of one source, GPU, model and load: more tell nothing new
constexpr int kMostServingIterations = 30;
constexpr double kLeastServingGain = 3e-4;  ///< of the cost by a step
constexpr int kRefitIterations = 8;
/// Share of the weights beyond which a group is left out by a fit from the priors: steps from the whole fit would stay
/// in the valley that the group itself has dug.
constexpr double kMuch = 0.02;
/// Of a figure's logarithm by a constant's: what moves by more than the fifth power jumps, as a first token does where
/// requests begin to wait, and gives no slope.
constexpr double kMostDerivative = 5;

/// Of all requests of a run at a rate: where more are in flight, by Little's law, filling and emptying the engine is
/// much of the run, and its figures are not those of a steady stream.
constexpr double kMostInFlight = 0.1;
bool short_stream(const MeasuredServingRow& row) {
  if (row.run.load.kind != LoadKind::request_rate || !row.requests) return false;
  const auto milliseconds_of = [&](std::string_view metric) {
    double value = 0;
    for (const Measured& measured : row.measured)
      if (measured.metric == metric) value = measured.value;
    return value;
  };
  const double request_s =
      (milliseconds_of("ttft_ms") + row.run.output_tokens * milliseconds_of("tpot_or_itl_ms")) / 1e3;
  return row.run.load.value * request_s > kMostInFlight * *row.requests;
}

/// Step of a request rate for its steepness.
constexpr double kRateStep = 0.02;
/// A figure whose error is more times that of the steps says too little of them, and drags the fit about where a step
/// of it crosses the capacity.
constexpr double kSteepest = 2;

/// How many times the error of all steps' times the error of a figure is: at a request rate a slower engine holds more
/// sequences, and more slow it down. At least 1; absent where the deployment is nearly full.
std::optional<double> steepness(const Catalog& catalog, const MeasuredServingRow& row, std::string_view metric,
                                double predicted) {
  if (row.run.load.kind != LoadKind::request_rate) return 1;
  MeasuredServingRow faster = row;
  faster.run.load.value *= 1 + kRateStep;
  const ServingEstimate<NoTrace> estimate = estimate_of(catalog, faster);
  const auto then = estimate.performance ? predicted_figure(catalog, faster, estimate, metric) : std::nullopt;
  if (!then || !(*then > 0)) return std::nullopt;
  return std::max(1.0, 1 + math::log(*then / predicted) / math::log(1 + kRateStep));
}

/// Standard deviations of levels.
constexpr double kLevelSpread = 0.10;
constexpr double kTtftLevelSpread = 0.20;
/// Times these: what differs from machine to machine of runs that their own makers did not tune.
constexpr std::array<double, kTuningWords.size()> kLevelSpreads{1, 1.5, 3};

/// Standard deviations of the engines' factors.
constexpr std::array<double, kEngineFactors> kFactorSpreads{0.06, 0.05, 0.10, 0.30, 0.35, 0.30, 0.25};

double prior_factor(const EngineSoftware& software, std::size_t which) {
  const auto factor = static_cast<EngineFactor>(which);
  return factor == EngineFactor::host_step || factor == EngineFactor::host_sequence ? software.host_prior : 0;
}

/// A documented factor is a range of models and loads.
constexpr double kDocumentedSpread = 0.6;

/// Sets a factor of a row; that of a period with a prior is counted from the period of the next row, and moves with it.
void set_factor(std::vector<EngineSoftware>& software, std::size_t row, std::size_t which, double value) {
  double& factor = software[row].factors[which];
  const double start = prior_factor(software[row], which) != 0 ? software[row + 1].factors[which] : 0;
  const double moved = start + value - factor;
  factor = start + value;
  if (row > 0 && prior_factor(software[row - 1], which) != 0) software[row - 1].factors[which] += moved;
}

/// Of a row's figures those that say something of their own.
std::vector<const Measured*> own_figures(const MeasuredServingRow& row) {
  const auto has = [&](std::string_view metric) {
    return std::any_of(row.measured.begin(), row.measured.end(),
                       [&](const Measured& measured) { return measured.metric == metric; });
  };
  std::vector<const Measured*> figures;
  bool rate = has("tpot_or_itl_ms");
  for (const Measured& measured : row.measured) {
    const ServingFigure figure = measured_figure(measured.metric);
    const bool is_rate = figure == ServingFigure::rate;
    if (figure == ServingFigure::power || figure == ServingFigure::energy || (is_rate && rate)) continue;
    figures.push_back(&measured);
    if (is_rate) rate = true;
  }
  return figures;
}

/// One more run of an engine, a GPU and a model. `period` may be null.
void add_support(const MeasuredServingRow& row, const EngineSoftware* period, std::vector<ServingSupport>& support) {
  const std::string word = period != nullptr ? period->period : std::string();
  auto found = std::find_if(support.begin(), support.end(), [&](const ServingSupport& s) {
    return s.engine == row.run.engine && s.period == word && s.gpu == row.gpu->id && s.model == row.model.id;
  });
  if (found == support.end()) {
    ServingSupport entry;
    entry.engine = row.run.engine;
    entry.period = word;
    entry.gpu = row.gpu->id;
    entry.model = row.model.id;
    entry.source = "serving-time-fit";
    found = support.insert(found, std::move(entry));
  }
  found->rows += 1;
}

}  // namespace

std::string_view serving_metric_class(const MeasuredServingRow& row, std::string_view metric) {
  if (metric == "ttft_ms") return "ttft";
  if (metric == "tpot_or_itl_ms") return "tpot";
  return row.prompt_only ? "prompt" : "throughput";
}

ServingFit::ServingFit(const Catalog& catalog, const std::vector<const MeasuredServingRow*>& rows)
    : catalog_(catalog), whole_(catalog) {
  choose_observations(rows);
  choose_parameters();
  choose_levels();
  for (const Observation& observation : observations_) weights_.observations.push_back(observation.weight);
  weights_.noise = kServingNoise;
  solve();
  std::set<const MeasuredServingRow*> fitted;
  for (const Run& run : runs_) fitted.insert(run.row);
  whole_ = supported(point_.parameters, fitted);
}

void ServingFit::solve() {
  Catalog moved = catalog_;
  const LeastSquaresProblem whole = problem(weights_, moved);
  point_ = fit_least_squares(whole, kMostServingIterations);
  derivatives_ = derivatives_at(whole, point_);
}

LeastSquaresProblem ServingFit::problem(LeastSquaresWeights weights, Catalog& moved) const {
  LeastSquaresProblem problem;
  problem.weights = std::move(weights);
  problem.least_gain = kLeastServingGain;
  problem.residuals = [&](const std::vector<double>& x, std::vector<double>& residuals) {
    all_residuals(x, residuals);
  };
  problem.derivative = [&](const std::vector<double>& x, const std::vector<double>& at_point, std::size_t parameter,
                           std::vector<double>& derivative) {
    if (parameter == 0) moved = at(x);
    derivative_of(x, at_point, parameter, moved, derivative);
  };
  return problem;
}

void ServingFit::choose_observations(const std::vector<const MeasuredServingRow*>& rows) {
  using Counts = std::map<std::tuple<std::string, std::string, std::string, LoadKind>, double>;
  Counts members;
  const auto group = [](const MeasuredServingRow& row) {
    return std::make_tuple(row.source, row.gpu_id, row.model.id, row.run.load.kind);
  };
  const Catalog priors = at_priors();
  Counts sizes;
  for (const MeasuredServingRow* row : rows)
    if (row->as_it_ran() && !short_stream(*row)) sizes[group(*row)] += 1;
  Counts passed;
  for (const MeasuredServingRow* row : rows) {
    if (!row->as_it_ran() || short_stream(*row)) continue;
    const double every = std::max(1.0, sizes[group(*row)] / kMostOfGroup);
    const double place = passed[group(*row)]++;
    if (std::floor(place / every) == std::floor((place - 1.0) / every)) continue;
    const ServingEstimate<NoTrace> estimate = estimate_of(priors, *row);
    if (!estimate.performance || near_limit(*row, *estimate.performance)) continue;
    Run run{row, {}};
    for (const Measured* figure : own_figures(*row)) {
      const auto predicted = predicted_figure(priors, *row, estimate, figure->metric);
      if (!predicted || !(*predicted > 0) || !(figure->value > 0)) continue;
      const auto steep = steepness(priors, *row, figure->metric, *predicted);
      if (!steep || *steep > kSteepest) continue;
      run.observations.push_back(observations_.size());
      observations_.push_back(
          {runs_.size(), figure->metric, math::log(figure->value), figure->metric == "ttft_ms" ? kTtftWeight : 1.0});
    }
    if (run.observations.empty()) continue;
    members[group(*row)] += 1;
    runs_.push_back(std::move(run));
  }
  for (Observation& observation : observations_)
    observation.weight *= math::pow(members[group(*runs_[observation.run].row)], -kServingGroupPower);
}

void ServingFit::choose_parameters() {
  for (const EfficiencyConstant& constant : catalog_.serving_efficiency.constants) {
    weights_.prior.push_back(math::log(constant.prior));
    weights_.spread.push_back(constant.spread);
  }
  std::set<const EngineSoftware*> used;
  for (const Run& run : runs_) {
    used.insert(catalog_.serving_efficiency.engine(run.row->run.engine));
    used.insert(catalog_.serving_efficiency.period(run.row->run.engine, run.row->run.engine_version));
  }
  for (std::size_t i = 0; i < catalog_.serving_efficiency.software.size(); ++i) {
    if (used.count(&catalog_.serving_efficiency.software[i]) == 0) continue;
    for (std::size_t which = 0; which < kEngineFactors; ++which) {
      factors_.push_back({i, which});
      weights_.prior.push_back(prior_factor(catalog_.serving_efficiency.software[i], which));
      const bool documented = weights_.prior.back() != 0;
      weights_.spread.push_back(documented ? kDocumentedSpread : kFactorSpreads[which]);
    }
  }
}

void ServingFit::choose_levels() {
  std::map<std::vector<std::string>, std::size_t> levels;
  for (Observation& observation : observations_) {
    const MeasuredServingRow& row = *runs_[observation.run].row;
    const EngineSoftware* period = catalog_.serving_efficiency.period(row.run.engine, row.run.engine_version);
    const std::string of_class(serving_metric_class(row, observation.metric));
    const auto [place, added] = levels.try_emplace({of_class, row.source, row.gpu_id, row.model.id, row.run.engine,
                                                    period != nullptr ? period->period : std::string()},
                                                   weights_.prior.size());
    if (added) {
      weights_.prior.push_back(0);
      weights_.spread.push_back((of_class == "ttft" ? kTtftLevelSpread : kLevelSpread) *
                                kLevelSpreads[static_cast<std::size_t>(row.run.tuning)]);
    }
    observation.level = place->second;
  }
}

bool may_move(ServingConstant constant, const MeasuredServingRow& row) {
  const std::string_view word = serving_constant_word(constant);
  if (word.starts_with("power_")) return false;  // fit_power() fits them when times are known
  if (word.starts_with("file_")) return row.run.engine == "llama.cpp";
  const bool of_experts = word.find("expert") != std::string_view::npos || constant == ServingConstant::routing_spread;
  return !of_experts || row.model.experts > 0;
}

bool ServingFit::concerns(std::size_t parameter, const Run& run) const {
  const MeasuredServingRow& row = *run.row;
  if (parameter < kServingConstants) return may_move(static_cast<ServingConstant>(parameter), row);
  const Factor& factor = factors_[parameter - kServingConstants];
  const std::vector<EngineSoftware>& all = catalog_.serving_efficiency.software;
  const EngineSoftware& software = all[factor.software];
  if (software.engine != row.run.engine) return false;
  if (software.level == EngineSoftware::Level::engine) return true;
  const EngineSoftware* const period = catalog_.serving_efficiency.period(row.run.engine, row.run.engine_version);
  return period == &software ||
         (factor.software > 0 && period == &all[factor.software - 1] && prior_factor(*period, factor.which) != 0);
}

void ServingFit::set(Catalog& catalog, std::size_t parameter, double value) const {
  if (parameter < kServingConstants) {
    catalog.serving_efficiency.constants[parameter].value = math::exp(value);
  } else {
    const Factor& factor = factors_[parameter - kServingConstants];
    set_factor(catalog.serving_efficiency.software, factor.software, factor.which, value);
  }
}

Catalog ServingFit::at_priors() const {
  Catalog catalog = catalog_;
  for (EfficiencyConstant& constant : catalog.serving_efficiency.constants) constant.value = constant.prior;
  for (EngineSoftware& software : catalog.serving_efficiency.software)
    for (std::size_t which = 0; which < kEngineFactors; ++which)
      software.factors[which] = prior_factor(software, which);
  catalog.serving_efficiency.levels.clear();
  return catalog;
}

Catalog ServingFit::at(const std::vector<double>& parameters) const {
  Catalog catalog = at_priors();
  for (std::size_t i = 0; i < first_level(); ++i) set(catalog, i, parameters[i]);
  return catalog;
}

void ServingFit::residuals_of(const Catalog& catalog, const std::vector<double>& parameters, const Run& run,
                              std::vector<double>& residuals) const {
  const ServingEstimate<NoTrace> estimate = estimate_of(catalog, *run.row);
  for (const std::size_t i : run.observations) {
    const auto predicted =
        estimate.performance ? predicted_figure(catalog, *run.row, estimate, observations_[i].metric) : std::nullopt;
    residuals[i] = predicted && *predicted > 0
                       ? math::log(*predicted) + parameters[observations_[i].level] - observations_[i].log_measured
                       : kUntold;
  }
}

void ServingFit::all_residuals(const std::vector<double>& parameters, std::vector<double>& residuals) const {
  const Catalog catalog = at(parameters);
  for (const Run& run : runs_) residuals_of(catalog, parameters, run, residuals);
}

void ServingFit::derivative_of(const std::vector<double>& parameters, const std::vector<double>& at_point,
                               std::size_t parameter, Catalog& moved, std::vector<double>& derivative) const {
  std::fill(derivative.begin(), derivative.end(), 0.0);
  if (parameter >= first_level()) {
    for (std::size_t i = 0; i < observations_.size(); ++i)
      if (observations_[i].level == parameter) derivative[i] = 1;
    return;
  }
  set(moved, parameter, parameters[parameter] + kServingStep);
  for (const Run& run : runs_) {
    if (!concerns(parameter, run)) continue;
    residuals_of(moved, parameters, run, derivative);
    for (const std::size_t i : run.observations)
      derivative[i] = std::clamp((derivative[i] - at_point[i]) / kServingStep, -kMostDerivative, kMostDerivative);
  }
  set(moved, parameter, parameters[parameter]);
}

Result<Catalog> ServingFit::without(const std::vector<const MeasuredServingRow*>& remaining) const {
  const std::set<const MeasuredServingRow*> kept(remaining.begin(), remaining.end());
  const LeastSquaresPoint point = refitted(kept);
  if (!point.solved)
    return failure({"not-solved", "", "A fit without some of the rows has no solution: its equations are singular.",
                    "Constants need a prior with a spread above 0."});
  return supported(point.parameters, kept);
}

LeastSquaresPoint ServingFit::refitted(const std::set<const MeasuredServingRow*>& kept) const {
  LeastSquaresWeights weights = weights_;
  double left_out = 0;
  double sum = 0;
  for (std::size_t i = 0; i < observations_.size(); ++i) {
    sum += weights.observations[i];
    if (kept.count(runs_[observations_[i].run].row) > 0) continue;
    left_out += weights.observations[i];
    weights.observations[i] = 0;
  }
  if (!(left_out > 0) || !point_.solved) return point_;
  Catalog moved = catalog_;
  const LeastSquaresProblem rest = problem(std::move(weights), moved);
  if (left_out > kMuch * sum) return fit_least_squares(rest, kMostServingIterations);
  return refit_least_squares(rest.weights, rest.residuals, derivatives_, point_, kRefitIterations);
}

Catalog ServingFit::supported(const std::vector<double>& parameters,
                              const std::set<const MeasuredServingRow*>& kept) const {
  Catalog catalog = at(parameters);
  ServingEfficiency& efficiency = catalog.serving_efficiency;
  std::vector<LevelOfFigure> levels;
  std::vector<const MeasuredServingRow*> with_power;
  efficiency.support.clear();
  for (EngineSoftware& software : efficiency.software) software.rows = 0;
  for (const Run& run : runs_) {
    if (kept.count(run.row) == 0) continue;
    const MeasuredServingRow& row = *run.row;
    if (row.tells_energy()) with_power.push_back(&row);
    const EngineSoftware* of_period = efficiency.period(row.run.engine, row.run.engine_version);
    ServingLevel group;
    group.engine = row.run.engine;
    group.period = of_period == nullptr ? std::string() : of_period->period;
    group.gpu = row.gpu->id;
    group.model = row.model.id;
    group.source = "serving-time-fit";
    for (const std::size_t i : run.observations)
      levels.push_back(
          {group, row.source, serving_metric_class(row, observations_[i].metric), parameters[observations_[i].level]});
    for (EngineSoftware& software : efficiency.software)
      if (&software == of_period ||
          (software.level == EngineSoftware::Level::engine && software.engine == row.run.engine))
        software.rows += 1;
    add_support(row, of_period, efficiency.support);
  }
  efficiency.levels = serving_levels(levels);
  fit_power(catalog, with_power);
  return catalog;
}

std::string serving_software_csv(const ServingEfficiency& efficiency) {
  std::string text = "level,engine,period,from_version,from_year";
  for (const std::string_view word : kEngineFactorWords) text += "," + std::string(word);
  text += ",host_prior,rows,source,note\n";
  for (const EngineSoftware& row : efficiency.software) {
    std::vector<std::string> cells{std::string(word_of(row.level, EngineSoftware::kLevelWords)), row.engine, row.period,
                                   row.from_version, row.from_year > 0 ? shortest_number(row.from_year) : ""};
    for (const double factor : row.factors) cells.push_back(fixed_number(factor, 4));
    cells.insert(cells.end(), {shortest_number(row.host_prior), shortest_number(row.rows), row.source, row.note});
    text += csv_line(cells);
  }
  return text;
}

std::string serving_levels_csv(const ServingEfficiency& efficiency) {
  std::string text = "engine,period,gpu,model,time,prompts,rows,source\n";
  for (const ServingLevel& row : efficiency.levels)
    text += csv_line({row.engine, row.period, row.gpu, row.model, fixed_number(row.time, 3),
                      fixed_number(row.prompts, 3), shortest_number(row.rows), row.source});
  return text;
}

std::string serving_support_csv(const ServingEfficiency& efficiency) {
  std::string text = "engine,period,gpu,model,rows,source\n";
  for (const ServingSupport& row : efficiency.support)
    text += csv_line({row.engine, row.period, row.gpu, row.model, shortest_number(row.rows), row.source});
  return text;
}

}  // namespace podwright
