#include "calibration/fit_training.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "base/math.h"
#include "base/number_text.h"
#include "calibration/least_squares.h"
#include "perf/training_step.h"

namespace podwright {
namespace {

using Level = SoftwareFactor::Level;

constexpr double kNoise = 0.06;         ///< of the logarithm of a time: repeated runs differ by about this much
constexpr double kFullWeightRows = 60;  ///< of one source; more rows share the weight of so many by a square root
constexpr double kFamilySpread = 0.08;  ///< of the logarithm of a factor
constexpr double kFrameworkSpread = 0.05;
constexpr double kPeriodSpread = 0.08;
constexpr double kExpertsSpread = 0.15;
constexpr double kStep = 1e-4;  ///< of a difference quotient
constexpr int kMostIterations = 60;

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
    for (const EfficiencyConstant& constant : base_.constants) {
      prior_.push_back(math::log(constant.prior));
      spread_.push_back(constant.spread);
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
    if (parameter < kEfficiencies) {
      efficiency.constants[parameter].value = math::exp(x);
    } else if (parameter < kEfficiencies + base_.software.size()) {
      efficiency.software[parameter - kEfficiencies].compute = x;
    } else {
      efficiency.software[experts_of_[parameter - kEfficiencies - base_.software.size()]].experts = x;
    }
  }
  /// False where the parameter cannot change the run's time.
  bool concerns(std::size_t parameter, const Prepared& run) const {
    if (parameter < kEfficiencies) return true;
    const bool of_experts = parameter >= kEfficiencies + base_.software.size();
    const SoftwareFactor& factor =
        base_.software[of_experts ? experts_of_[parameter - kEfficiencies - base_.software.size()]
                                  : parameter - kEfficiencies];
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

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

double quantile_of(std::vector<double> values, double share) { return math::quantile(std::move(values), share); }

}  // namespace

std::vector<TimedRun> timed_runs(const Catalog& catalog, const MeasuredTraining& measured) {
  std::vector<TimedRun> runs;
  for (const MeasuredTrainingRow& row : measured.rows) {
    double seconds = 0;
    for (const Measured& cell : row.measured) {
      if (cell.metric == "step_time_s") seconds = cell.value;
      if (cell.metric == "tokens_per_s_per_gpu" && seconds == 0)
        seconds = row.run.global_batch_size * row.run.sequence_length / (cell.value * row.gpu_count);
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
  problem.observations = prepared.size();
  problem.prior = parameters.prior();
  problem.spread = parameters.spread();
  problem.weights = weights_of(prepared);
  problem.noise = kNoise;
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
    parameters.set(moved, parameter, x[parameter] + kStep);
    for (std::size_t i = 0; i < prepared.size(); ++i)
      derivative[i] =
          parameters.concerns(parameter, *prepared[i]) ? (residual(moved, *prepared[i]) - at[i]) / kStep : 0.0;
    parameters.set(moved, parameter, x[parameter]);
  };
  return parameters.efficiency(fit_least_squares(problem, kMostIterations).parameters);
}

std::vector<LeftOut> leave_out(const Catalog& catalog, const std::vector<TimedRun>& runs, std::string_view key,
                               const std::function<void(const std::string&)>& progress) {
  std::vector<std::string> labels;
  for (const TimedRun& run : runs) labels.push_back(fit_label(*run.row, key));
  std::vector<std::string> groups = labels;
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  std::vector<LeftOut> left_out(runs.size());
  for (const std::string& group : groups) {
    progress(group);
    std::vector<TimedRun> rest;
    std::vector<TimedRun> out;
    for (std::size_t i = 0; i < runs.size(); ++i) (labels[i] == group ? out : rest).push_back(runs[i]);
    if (rest.empty()) continue;
    const TrainingEfficiency efficiency = fit_training(catalog, rest);
    const std::vector<double> seconds = predicted_seconds(catalog, efficiency, out);
    std::size_t next = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (labels[i] != group) continue;
      const SoftwareTraits traits = software_traits(catalog, efficiency, runs[i].row->model, runs[i].row->run);
      left_out[i] = {seconds[next++], software_knowledge(traits)};
    }
  }
  return left_out;
}

std::vector<PredictionSpread> training_spreads(const std::vector<TimedRun>& runs, const std::vector<double>& fitted,
                                               const std::vector<LeftOut>& left_out) {
  std::vector<PredictionSpread> spreads;
  const auto add = [&](const std::string& knowledge, const std::string& architecture, std::vector<double> misses,
                       const std::string& note) {
    if (misses.empty()) return;
    PredictionSpread spread;
    spread.knowledge = knowledge;
    spread.architecture = architecture;
    spread.rows = static_cast<double>(misses.size());
    spread.half_width = quantile_of(std::move(misses), 0.9);
    spread.source = "training-time-fit";
    spread.note = note;
    spreads.push_back(std::move(spread));
  };
  for (const bool experts : {false, true}) {
    const std::string architecture = experts ? "moe" : "dense";
    std::vector<double> known;
    std::vector<double> unknown;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if ((runs[i].row->model.experts > 0) != experts) continue;
      const double measured = math::log(runs[i].seconds);
      if (fitted[i] > 0) known.push_back(std::fabs(math::log(fitted[i]) - measured));
      if (left_out[i].seconds > 0) unknown.push_back(std::fabs(math::log(left_out[i].seconds) - measured));
    }
    add("period", architecture, known, "rows in the fit");
    add("framework", architecture, unknown, "rows of a source that the fit did not see");
  }
  std::map<std::string, std::vector<double>> gpus;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (fitted[i] > 0) gpus[runs[i].row->gpu->id].push_back(std::fabs(math::log(fitted[i] / runs[i].seconds)));
  for (auto& [gpu, misses] : gpus) add("gpu", gpu, std::move(misses), "rows in the fit");
  return spreads;
}

std::string constants_csv(const TrainingEfficiency& efficiency) {
  std::string text = "id,value,prior,spread,source,note\n";
  for (std::size_t i = 0; i < kEfficiencies; ++i) {
    const EfficiencyConstant& constant = efficiency.constants[i];
    text += std::string(efficiency_word(static_cast<Efficiency>(i))) + "," + human_number(constant.value, 5) + "," +
            shortest_number(constant.prior) + "," + shortest_number(constant.spread) + "," + cell(constant.source) +
            "," + cell(constant.note) + "\n";
  }
  return text;
}

std::string software_csv(const TrainingEfficiency& efficiency) {
  std::string text = "level,software,period,compute,experts,rows,source,note\n";
  for (const SoftwareFactor& factor : efficiency.software)
    text += std::string(factor.level == Level::family      ? "family"
                        : factor.level == Level::framework ? "framework"
                                                           : "period") +
            "," + factor.software + "," + factor.period + "," + fixed_number(factor.compute, 4) + "," +
            fixed_number(factor.experts, 4) + "," + shortest_number(factor.rows) + "," + cell(factor.source) + ",\n";
  return text;
}

std::string spreads_csv(const TrainingEfficiency& efficiency) {
  std::string text = "knowledge,architecture,half_width,rows,source,note\n";
  for (const PredictionSpread& spread : efficiency.spreads)
    text += spread.knowledge + "," + spread.architecture + "," + fixed_number(spread.half_width, 4) + "," +
            shortest_number(spread.rows) + "," + cell(spread.source) + "," + cell(spread.note) + "\n";
  return text;
}

}  // namespace podwright
