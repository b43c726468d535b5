#pragma once
/// The smallest deployment on one GPU type that carries a serving workload. Nothing is traced: run the chosen layout
/// again with a tracer (perf/estimate_serving.h) to explain it. docs/method/search.md.
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "perf/estimate_serving.h"
#include "sizing/candidates.h"
#include "sizing/workload.h"

namespace podwright::sizing {

/// A deployment that meets the workload. Times are means at the peak rate.
struct ServingCandidate {
  ServingRun run;  ///< `load` is the peak request rate
  double gpus = 0;
  Seconds ttft;
  std::optional<Seconds> tpot;  ///< absent with fewer than two output tokens
  Seconds request;
  double in_flight = 0;
  PerSecond max_requests_per_s;   ///< that still meets every limit
  PerSecond output_tokens_per_s;  ///< at the peak rate
  Bytes memory_per_gpu;
  Binding binding;
};

/// Columns of points that no other point beats in GPUs and tpot, by rising `tpot_s`.
struct ServingPareto {
  std::vector<double> tpot_s;
  std::vector<double> ttft_s;
  std::vector<double> gpus;
  std::vector<double> output_tokens_per_s_per_gpu;
  std::vector<double> tensor;
  std::vector<std::string> weight_precision;
  std::vector<std::string> layout;  ///< for people
};

struct ServingSearch {
  std::vector<ServingCandidate> best;  ///< fewest GPUs first, then the cheaper, then the smaller tpot
  std::vector<Rejection> rejected;
  ServingPareto pareto;
  double evaluated = 0;                  ///< layouts
  std::vector<std::string> assumptions;  ///< of all that was tried, each once
  std::vector<std::string> not_modelled;
};

ServingSearch search_serving(const Catalog& catalog, const Model& model, const Gpu& gpu,
                             const ServingWorkload& workload, const SearchConstraints& constraints);

}  // namespace podwright::sizing
