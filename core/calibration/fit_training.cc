#include "calibration/fit_training.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "base/csv_write.h"
#include "base/math.h"
#include "base/number_text.h"
#include "base/words.h"
#include "calibration/least_squares.h"
#include "catalog/architecture_word.h"
#include "perf/training_arithmetic.h"
#include "perf/training_step.h"

namespace podwright {
namespace {

using Level = SoftwareFactor::Level;

constexpr double kTrainingNoise = 0.06;  ///< of the logarithm of a time: repeated runs differ by about this much
constexpr double kFullWeightRows = 60;   ///< of one source; more rows share the weight of so many by a square root
constexpr double kFamilySpread = 0.10;   ///< of the logarithm of a factor
constexpr double kFrameworkSpread = 0.04;
constexpr double kPeriodSpread = 0.12;
constexpr double kExpertsSpread = 0.15;
constexpr double kTrainingStep = 1e-4;  ///< of a difference quotient
constexpr int kMostTrainingIterations = 60;

/// A run with what the catalog says about its hardware.
struct Prepared {
  const MeasuredTrainingRow* row;
  double log_measured;
  LayerStack stack;
  NoTrace none;
  std::unique_ptr<TrainingRates<NoTrace>> rates;
  std::string framework;
  std::string family;
  std::string period;
};

double seconds_of(const Catalog& catalog, const TrainingEfficiency& efficiency, Prepared& run) {
  const MeasuredTrainingRow& row = *run.row;
  TrainingStepModel<NoTrace> model(run.none, catalog, efficiency, *run.rates, row.model, run.stack, row.run);
  TrainingStep<NoTrace> step;
  if (!model.layer(row.run) || !model.step(row.run, step)) return 0;
  return row.clocked(step).base_units();
}

std::vector<std::unique_ptr<Prepared>> prepare(const Catalog& catalog, const std::vector<TimedRun>& runs) {
  std::vector<std::unique_ptr<Prepared>> prepared;
  for (const TimedRun& run : runs) {
    auto entry = std::make_unique<Prepared>();
    entry->row = run.row;
    entry->log_measured = math::log(run.seconds);
    entry->stack = layer_stack(run.row->model);
    entry->rates = std::make_unique<TrainingRates<NoTrace>>(entry->none, catalog, *run.row->gpu,
                                                            run.row->system_or_null(), run.row->run.precision);
    if (const TrainingFramework* framework =
            find_training_framework(catalog.training_frameworks, run.row->run.framework)) {
      entry->framework = framework->id;
      entry->family = framework->family;
      entry->period = software_period(catalog.training_efficiency, *framework, run.row->run);
    }
    prepared.push_back(std::move(entry));
  }
  return prepared;
}

/// The parameters of a fit: logarithms of the constants, then the factors of software, then those of its experts.
class Parameters {
 public:
  Parameters(const Catalog& catalog, const std::vector<std::unique_ptr<Prepared>>& runs)
      : base_(catalog.training_efficiency) {
    base_.software.clear();
    for (std::size_t i = 0; i < kFittedEfficiencies; ++i)
      add(Kind::constant, i, math::log(base_.constants[i].prior), base_.constants[i].spread);
    std::vector<bool> has_experts;
    for (const auto& run : runs) {
      count(Level::family, run->family, "");
      count(Level::framework, run->framework, "");
      const std::size_t place = count(Level::period, run->framework, run->period);
      has_experts.resize(base_.software.size());
      if (place < has_experts.size() && run->row->model.experts > 0) has_experts[place] = true;
    }
    for (std::size_t i = 0; i < base_.software.size(); ++i) {
      const Level level = base_.software[i].level;
      add(Kind::compute, i, 0,
          level == Level::family      ? kFamilySpread
          : level == Level::framework ? kFrameworkSpread
                                      : kPeriodSpread);
    }
    for (std::size_t i = 0; i < base_.software.size(); ++i)
      if (has_experts[i]) add(Kind::experts, i, 0, kExpertsSpread);
  }

  const std::vector<double>& prior() const { return prior_; }
  const std::vector<double>& spread() const { return spread_; }

  TrainingEfficiency efficiency(const std::vector<double>& x) const {
    TrainingEfficiency efficiency = base_;
    for (std::size_t i = 0; i < prior_.size(); ++i) set(efficiency, i, x[i]);
    return efficiency;
  }
  void set(TrainingEfficiency& efficiency, std::size_t parameter, double x) const {
    const auto [kind, place] = moved_[parameter];
    if (kind == Kind::constant) efficiency.constants[place].value = math::exp(x);
    if (kind == Kind::compute) efficiency.software[place].compute = x;
    if (kind == Kind::experts) efficiency.software[place].experts = x;
  }
  /// False where the parameter cannot change the run's time.
  bool concerns(std::size_t parameter, const Prepared& run) const {
    const auto [kind, place] = moved_[parameter];
    if (kind == Kind::constant) return true;
    if (kind == Kind::experts && run.row->model.experts <= 0) return false;
    const SoftwareFactor& factor = base_.software[place];
    if (factor.level == Level::family) return factor.software == run.family;
    return factor.software == run.framework && (factor.level == Level::framework || factor.period == run.period);
  }

 private:
  enum class Kind { constant, compute, experts };

  void add(Kind kind, std::size_t place, double prior, double spread) {
    moved_.push_back({kind, place});
    prior_.push_back(prior);
    spread_.push_back(spread);
  }

  /// Counts a run of a software, whose place is given back; one without a name has none.
  std::size_t count(Level level, const std::string& software, const std::string& period) {
    if (software.empty() || (level == Level::period && period.empty())) return base_.software.size();
    auto found = std::find_if(base_.software.begin(), base_.software.end(), [&](const SoftwareFactor& one) {
      return one.level == level && one.software == software && one.period == period;
    });
    if (found == base_.software.end()) {
      SoftwareFactor factor;
      factor.level = level;
      factor.software = software;
      factor.period = period;
      factor.source = "training-time-fit";
      found = base_.software.insert(found, std::move(factor));
    }
    found->rows += 1;
    return static_cast<std::size_t>(found - base_.software.begin());
  }

  TrainingEfficiency base_;
  std::vector<std::pair<Kind, std::size_t>> moved_;  ///< what each parameter is: a constant, or a factor of software
  std::vector<double> prior_;
  std::vector<double> spread_;
};

std::vector<double> weights_of(const std::vector<std::unique_ptr<Prepared>>& runs) {
  std::map<std::string, double> rows;
  for (const auto& run : runs) rows[run->row->source] += 1;
  std::vector<double> weights;
  for (const auto& run : runs) weights.push_back(std::min(1.0, std::sqrt(kFullWeightRows / rows[run->row->source])));
  return weights;
}

}  // namespace

std::vector<TimedRun> timed_runs(const Catalog& catalog, const MeasuredTraining& measured) {
  std::vector<TimedRun> runs;
  for (const MeasuredTrainingRow& row : measured.rows) {
    double seconds = 0;
    for (const Measured& cell : row.measured) {
      if (cell.metric == "step_time_s") seconds = cell.value;
      if (cell.metric == "tokens_per_s_per_gpu" && seconds == 0)
        seconds = tokens_per_step(row.run.global_batch_size, row.run.sequence_length) / (cell.value * row.gpu_count);
    }
    if (seconds <= 0 || !legal_layout(row.model, row.run) || !training_time_gaps(row.run).empty()) continue;
    NoTrace none;
    const TrainingRates<NoTrace> rates(none, catalog, *row.gpu, row.system_or_null(), row.run.precision);
    if (rates.refused().empty()) runs.push_back({&row, seconds});
  }
  return runs;
}

std::string fit_label(const MeasuredTrainingRow& row, std::string_view key) {
  if (key == "hidden") return shortest_number(row.model.hidden_size);
  if (key == "gpu_id") return row.gpu_id;
  if (key == "framework") return row.run.framework;
  return row.source;
}

std::vector<double> predicted_seconds(const Catalog& catalog, const TrainingEfficiency& efficiency,
                                      const std::vector<TimedRun>& runs) {
  std::vector<double> seconds;
  for (const auto& run : prepare(catalog, runs)) seconds.push_back(seconds_of(catalog, efficiency, *run));
  return seconds;
}

TrainingEfficiency fit_training(const Catalog& catalog, const std::vector<TimedRun>& runs) {
  const auto prepared = prepare(catalog, runs);
  const Parameters parameters(catalog, prepared);
  LeastSquaresProblem problem;
  problem.weights = {.prior = parameters.prior(),
                     .spread = parameters.spread(),
                     .observations = weights_of(prepared),
                     .noise = kTrainingNoise};
  const auto residual = [&](const TrainingEfficiency& efficiency, Prepared& run) {
    const double seconds = seconds_of(catalog, efficiency, run);
    return seconds > 0 ? math::log(seconds) - run.log_measured : 0.0;
  };
  problem.residuals = [&](const std::vector<double>& x, std::vector<double>& residuals) {
    const TrainingEfficiency efficiency = parameters.efficiency(x);
    for (std::size_t i = 0; i < prepared.size(); ++i) residuals[i] = residual(efficiency, *prepared[i]);
  };
  TrainingEfficiency moved;
  problem.derivative = [&](const std::vector<double>& x, const std::vector<double>& at, std::size_t parameter,
                           std::vector<double>& derivative) {
    if (parameter == 0) moved = parameters.efficiency(x);
    parameters.set(moved, parameter, x[parameter] + kTrainingStep);
    for (std::size_t i = 0; i < prepared.size(); ++i)
      derivative[i] =
          parameters.concerns(parameter, *prepared[i]) ? (residual(moved, *prepared[i]) - at[i]) / kTrainingStep : 0.0;
    parameters.set(moved, parameter, x[parameter]);
  };
  return parameters.efficiency(fit_least_squares(problem, kMostTrainingIterations).parameters);
}

Catalog fitted_on(const Catalog& catalog, const std::vector<TimedRun>& runs) {
  Catalog fitted = catalog;
  fitted.training_efficiency = fit_training(catalog, runs);
  fitted.training_support = training_support(catalog, runs);
  return fitted;
}

std::vector<LeftOut> leave_out(const Catalog& catalog, const std::vector<TimedRun>& runs, std::string_view key,
                               const Progress& progress) {
  std::vector<LeftOut> predictions(runs.size());
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < runs.size(); ++i) groups[fit_label(*runs[i].row, key)].push_back(i);
  for (const auto& [group, places] : groups) {
    if (places.size() == runs.size()) continue;
    progress(group);
    std::vector<TimedRun> out;
    std::vector<TimedRun> rest;
    for (const TimedRun& run : runs) (fit_label(*run.row, key) == group ? out : rest).push_back(run);
    const Catalog without = fitted_on(catalog, rest);
    const std::vector<double> seconds = predicted_seconds(without, without.training_efficiency, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const MeasuredTrainingRow& row = *out[i].row;
      predictions[places[i]] = {seconds[i], training_knowledge(without, row.model, *row.gpu, row.run)};
    }
  }
  return predictions;
}

std::vector<TrainingSupport> training_support(const Catalog& catalog, const std::vector<TimedRun>& runs) {
  std::vector<TrainingSupport> support;
  for (const TimedRun& run : runs) {
    const MeasuredTrainingRow& row = *run.row;
    TrainingSupport entry;
    if (const TrainingFramework* framework = find_training_framework(catalog.training_frameworks, row.run.framework)) {
      entry.framework = framework->id;
      entry.period = software_period(catalog.training_efficiency, *framework, row.run);
    }
    entry.gpu = row.gpu->id;
    entry.precision = word_of(row.run.precision, kPrecisionWords);
    entry.architecture = architecture_word(row.model.experts > 0);
    entry.hidden_size = row.model.hidden_size;
    entry.source = "training-time-fit";
    const auto same = [&](const TrainingSupport& other) {
      return other.framework == entry.framework && other.period == entry.period && other.gpu == entry.gpu &&
             other.precision == entry.precision && other.architecture == entry.architecture &&
             other.hidden_size == entry.hidden_size;
    };
    auto found = std::find_if(support.begin(), support.end(), same);
    const double sequence = row.run.sequence_length;
    if (found == support.end()) {
      entry.sequence_least = entry.sequence_most = sequence;
      entry.gpus_least = entry.gpus_most = row.gpu_count;
      found = support.insert(found, std::move(entry));
    }
    found->rows += 1;
    found->sequence_least = std::min(found->sequence_least, sequence);
    found->sequence_most = std::max(found->sequence_most, sequence);
    found->gpus_least = std::min(found->gpus_least, row.gpu_count);
    found->gpus_most = std::max(found->gpus_most, row.gpu_count);
  }
  return support;
}

const std::vector<std::string>& leave_out_keys() {
  static const std::vector<std::string> keys{"source", "hidden", "gpu_id", "framework"};
  return keys;
}

std::string training_software_csv(const TrainingEfficiency& efficiency) {
  std::string text = "level,software,period,compute,experts,rows,source,note\n";
  for (const SoftwareFactor& factor : efficiency.software)
    text += csv_line({std::string(word_of(factor.level, SoftwareFactor::kLevelWords)), factor.software, factor.period,
                      fixed_number(factor.compute, 4), fixed_number(factor.experts, 4), shortest_number(factor.rows),
                      factor.source, ""});
  return text;
}

std::string training_support_csv(const std::vector<TrainingSupport>& support) {
  std::string text =
      "framework,period,gpu,precision,architecture,hidden_size,rows,sequence_least,sequence_most,gpus_least,"
      "gpus_most,source\n";
  for (const TrainingSupport& entry : support)
    text += csv_line({entry.framework, entry.period, entry.gpu, entry.precision, entry.architecture,
                      shortest_number(entry.hidden_size), shortest_number(entry.rows),
                      shortest_number(entry.sequence_least), shortest_number(entry.sequence_most),
                      shortest_number(entry.gpus_least), shortest_number(entry.gpus_most), entry.source});
  return text;
}

}  // namespace podwright
