#pragma once
/// How sure a predicted serving figure is: half the width of the 90 % prediction interval of its logarithm, from how
/// near the published runs behind the constants stand. docs/method/accuracy.md#intervals.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "memory/serving_run.h"

namespace podwright {

/// What the published runs say of a deployment.
struct ServingKnowledge {
  std::string level;      ///< run: of this engine, GPU and model; engine: of this engine otherwise; none
  double rows = 0;        ///< of that level
  bool gpu_known = true;  ///< its kernels are measured, or runs on it are in the fit
  bool vendor_known = true;
};
ServingKnowledge serving_knowledge(const Catalog& catalog, const Model& model, const Gpu& gpu, const ServingRun& run);

/// Half widths of the logarithms. Absent where no fit tells any.
struct ServingWidths {
  double ttft = 0;
  double tpot = 0;
  double throughput = 0;
  double prompt = 0;  ///< rates of prompts without answers
};
std::optional<ServingWidths> serving_widths(const ServingEfficiency& efficiency, const ServingKnowledge& knowledge,
                                            bool experts);

/// Which rows support the figures, and what widens their intervals: sentences for the reader of an answer.
std::vector<std::string> serving_interval_basis(const ServingKnowledge& knowledge, const Model& model, const Gpu& gpu,
                                                const ServingRun& run);

}  // namespace podwright
