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

/// The parameters of a fit: logarithms of the constants, then the factors of software.
class Parameters {
 public:
  Parameters(const Catalog& catalog, const std::vector<std::unique_ptr<Prepared>>& runs)
      : base_(catalog.training_efficiency) {
    base_.software.clear();
    base_.spreads = catalog.training_efficiency.spreads;
    for (std::size_t i = 0; i < kFittedEfficiencies; ++i) {
      prior_.push_back(math::log(base_.constants[i].prior));
      spread_.push_back(base_.constants[i].spread);
    }
    const auto add = [&](Level level, const std::string& software, const std::string& period, bool experts) {
      if (software.empty() || (level == Level::period && period.empty())) return;
      std::size_t i = 0;
      while (i < base_.software.size() &&
             !(base_.software[i].level == level && base_.software[i].software == software &&
               base_.software[i].period == period))
        ++i;
      if (i == base_.software.size()) {
        SoftwareFactor factor;
        factor.level = level;
        factor.software = software;
        factor.period = period;
        factor.source = "training-time-fit";
        base_.software.push_back(std::move(factor));
        has_experts_.push_back(false);
      }
      base_.software[i].rows += 1;
      if (experts) has_experts_[i] = true;
    };
    for (const auto& run : runs) {
      add(Level::family, run->family, "", false);
      add(Level::framework, run->framework, "", false);
      add(Level::period, run->framework, run->period, run->row->model.experts > 0);
    }
    for (const SoftwareFactor& factor : base_.software) {
      prior_.push_back(0);
      spread_.push_back(factor.level == Level::family      ? kFamilySpread
                        : factor.level == Level::framework ? kFrameworkSpread
                                                           : kPeriodSpread);
    }
    for (std::size_t i = 0; i < base_.software.size(); ++i) {
      if (!has_experts_[i]) continue;
      experts_of_.push_back(i);
      prior_.push_back(0);
      spread_.push_back(kExpertsSpread);
    }
  }

  const std::vector<double>& prior() const { return prior_; }
  const std::vector<double>& spread() const { return spread_; }

  TrainingEfficiency efficiency(const std::vector<double>& x) const {
    TrainingEfficiency efficiency = base_;
    for (std::size_t i = 0; i < prior_.size(); ++i) set(efficiency, i, x[i]);
    return efficiency;
  }
  void set(TrainingEfficiency& efficiency, std::size_t parameter, double x) const {
    if (parameter < kFittedEfficiencies) {
      efficiency.constants[parameter].value = math::exp(x);
    } else if (parameter < kFittedEfficiencies + base_.software.size()) {
      efficiency.software[parameter - kFittedEfficiencies].compute = x;
    } else {
      efficiency.software[experts_of_[parameter - kFittedEfficiencies - base_.software.size()]].experts = x;
    }
  }
  /// False where the parameter cannot change the run's time.
  bool concerns(std::size_t parameter, const Prepared& run) const {
    if (parameter < kFittedEfficiencies) return true;
    const bool of_experts = parameter >= kFittedEfficiencies + base_.software.size();
    const SoftwareFactor& factor =
        base_.software[of_experts ? experts_of_[parameter - kFittedEfficiencies - base_.software.size()]
                                  : parameter - kFittedEfficiencies];
    if (of_experts && run.row->model.experts <= 0) return false;
    switch (factor.level) {
      case Level::family:
        return factor.software == run.family;
      case Level::framework:
        return factor.software == run.framework;
      case Level::period:
        return factor.software == run.framework && factor.period == run.period;
    }
    return true;
  }

 private:
  TrainingEfficiency base_;
  std::vector<bool> has_experts_;
  std::vector<std::size_t> experts_of_;
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

void each_left_out(const Catalog& catalog, const std::vector<TimedRun>& runs, std::string_view key,
                   const std::set<std::string>& groups, const Progress& progress,
                   const std::function<void(const Catalog&, const std::vector<std::size_t>&)>& use) {
  std::map<std::string, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string label = fit_label(*runs[i].row, key);
    if (groups.empty() || groups.count(label) > 0) places[label].push_back(i);
  }
  Catalog without = catalog;
  for (const auto& [group, left_out] : places) {
    if (left_out.size() == runs.size()) continue;
    progress(group);
    std::vector<TimedRun> rest;
    std::size_t next = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (next < left_out.size() && left_out[next] == i)
        ++next;
      else
        rest.push_back(runs[i]);
    }
    without.training_efficiency = fit_training(catalog, rest);
    without.training_support = training_support(catalog, rest);
    use(without, left_out);
  }
}

std::vector<LeftOut> leave_out(const Catalog& catalog, const std::vector<TimedRun>& runs, std::string_view key,
                               const Progress& progress) {
  std::vector<LeftOut> predictions(runs.size());
  each_left_out(catalog, runs, key, {}, progress,
                [&](const Catalog& without, const std::vector<std::size_t>& left_out) {
                  std::vector<TimedRun> out;
                  for (const std::size_t i : left_out) out.push_back(runs[i]);
                  const std::vector<double> seconds = predicted_seconds(without, without.training_efficiency, out);
                  for (std::size_t i = 0; i < out.size(); ++i) {
                    const MeasuredTrainingRow& row = *out[i].row;
                    predictions[left_out[i]] = {seconds[i], training_knowledge(without, row.model, *row.gpu, row.run)};
                  }
                });
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
    text += std::string(word_of(factor.level, SoftwareFactor::kLevelWords)) + "," + factor.software + "," +
            factor.period + "," + fixed_number(factor.compute, 4) + "," + fixed_number(factor.experts, 4) + "," +
            shortest_number(factor.rows) + "," + csv_cell(factor.source) + ",\n";
  return text;
}

std::string training_support_csv(const std::vector<TrainingSupport>& support) {
  std::string text =
      "framework,period,gpu,precision,architecture,hidden_size,rows,sequence_least,sequence_most,gpus_least,"
      "gpus_most,source\n";
  for (const TrainingSupport& entry : support) {
    for (const std::string* word : {&entry.framework, &entry.period, &entry.gpu, &entry.precision, &entry.architecture})
      text += csv_cell(*word) + ",";
    for (const double number :
         {entry.hidden_size, entry.rows, entry.sequence_least, entry.sequence_most, entry.gpus_least, entry.gpus_most})
      text += shortest_number(number) + ",";
    text += csv_cell(entry.source) + "\n";
  }
  return text;
}

}  // namespace podwright
