#pragma once
/// What a search for the layout of a training run gives. docs/method/search.md.
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "perf/estimate_training.h"
#include "sizing/candidates.h"

namespace podwright::sizing {

struct TrainingCandidate {
  TrainingRun run;
  const Gpu* gpu = nullptr;  ///< of the offer, as the system
  const System* system = nullptr;
  double gpus = 0;
  Seconds step;
  std::optional<Seconds> run_time;  ///< of all tokens; with interruptions where the workload tells them
  PerSecond tokens_per_s;
  double mfu = 0;
  Bytes memory_per_gpu;
  std::optional<Usd> cost;
  std::optional<Joules> energy;
  Binding binding;
  std::vector<std::string> why;  ///< sentences: what binds the best, what the others lack
};

/// Columns of the best layout of each cluster that no other beats in GPUs, time, cost and energy together; by rising
/// GPUs. Time is that of the whole run, or of a step where the tokens are not told. Cost and energy are absent without
/// a price or power.
struct TrainingPareto {
  std::vector<std::string> gpu;
  std::vector<double> gpus;
  std::vector<Seconds> time;
  std::vector<std::optional<double>> cost_usd;
  std::vector<std::optional<double>> energy_kwh;
  std::vector<std::string> layout;
};

struct SizedRun {
  TrainingRun run;
  double gpus = 0;
};

struct TrainingSearch {
  std::vector<TrainingCandidate> best;  ///< by the objective; all meet the deadline
  std::vector<SizedRun> in_time;        ///< the fastest of each size of cluster and precision that meets the deadline
  std::vector<Rejection> rejected;
  TrainingPareto pareto;
  double visited = 0;    ///< legal layouts
  double evaluated = 0;  ///< those whose memory was computed, and where it fits their time and throughput
  std::vector<std::string> assumptions;
  std::vector<std::string> not_modelled;
};

}  // namespace podwright::sizing
