#pragma once
/// The smallest cluster of one GPU type that trains a number of tokens by a deadline. Nothing is traced.
/// docs/method/search.md.
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "perf/estimate_training.h"
#include "sizing/candidates.h"
#include "sizing/workload.h"

namespace podwright::sizing {

struct TrainingCandidate {
  TrainingRun run;
  double gpus = 0;
  Seconds step;
  Seconds run_time;  ///< of all tokens, without interruptions
  PerSecond tokens_per_s;
  double mfu = 0;
  Bytes memory_per_gpu;
  Binding binding;
};

/// Columns of cluster sizes and the run time of the best layout on each; none beats another in both.
struct TrainingPareto {
  std::vector<double> gpus;
  std::vector<double> run_time_days;
  std::vector<std::string> layout;
};

struct TrainingSearch {
  std::vector<TrainingCandidate> best;  ///< fewest GPUs first, then the faster; all meet the deadline
  std::vector<Rejection> rejected;
  TrainingPareto pareto;
  double evaluated = 0;
  std::vector<std::string> assumptions;
  std::vector<std::string> not_modelled;
};

TrainingSearch search_training(const Catalog& catalog, const Model& model, const Gpu& gpu,
                               const TrainingWorkload& workload, const SearchConstraints& constraints);

}  // namespace podwright::sizing
