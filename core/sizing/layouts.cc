#include "sizing/layouts.h"

#include <algorithm>

#include "perf/ceilings.h"
#include "perf/layout_rules.h"

namespace podwright::sizing {
namespace {

constexpr double kMostNodesOfExperts = 8;

}  // namespace

std::vector<ServingParallelism> serving_layouts(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                                double max_gpus) {
  std::vector<ServingParallelism> layouts;
  const double node = node_gpus(catalog, gpu);
  ServingRun run;
  const auto keep = [&](const ServingParallelism& layout) {
    run.parallelism = layout;
    if (gpus_of(layout) <= max_gpus && legal_layout(model, run)) layouts.push_back(layout);
  };
  for (double tensor = 1; tensor <= node; tensor *= 2) {
    keep({.tensor = tensor});
    if (tensor * 2 > node || tensor == 8)
      for (double pipeline = 2; pipeline <= 16; pipeline *= 2) keep({.tensor = tensor, .pipeline = pipeline});
    if (model.experts <= 0) continue;
    if (tensor > 1) keep({.tensor = tensor, .expert = tensor});
    for (double attention_data = 2; tensor * attention_data <= node; attention_data *= 2)
      keep({.tensor = tensor, .expert = tensor * attention_data, .attention_data = attention_data});
  }
  if (model.experts > 0)
    for (double ranks = 2 * node; ranks <= kMostNodesOfExperts * node; ranks *= 2)
      keep({.tensor = 1, .expert = ranks, .attention_data = ranks});
  return layouts;
}

std::vector<double> gpu_counts(double node, double from, double to) {
  std::vector<double> counts;
  double power_of_two = 1;
  while (power_of_two * 2 <= node) power_of_two *= 2;
  const bool even = power_of_two == node;
  for (double count = 1; even ? count < node : count <= to; count *= 2)
    if (count >= from && count <= to) counts.push_back(count);
  for (double nodes = 1; nodes * node <= to;) {
    if (nodes * node >= from) counts.push_back(nodes * node);
    double power = 1;
    while (power * 2 <= nodes) power *= 2;
    nodes = nodes < 2 ? nodes + 1 : (nodes == power ? power * 1.5 : power * 2);  // 1, 2, 3, 4, 6, 8, 12, 16 ...
  }
  std::sort(counts.begin(), counts.end());
  return counts;
}

std::vector<std::string> serving_precisions(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                            const ServingWorkload& workload) {
  if (!workload.weight_precisions.empty()) return workload.weight_precisions;
  std::vector<std::string> precisions{"bf16"};
  if (gpu.peak_dense_flops.count("fp8") > 0) precisions.push_back("fp8");
  // "mxfp4 experts / bf16": a format that keeps the rest in 16 bit is named first.
  const std::string native = model.native_dtype.substr(0, model.native_dtype.find(' '));
  if (find_weight_format(catalog.weight_formats, native) != nullptr &&
      std::find(precisions.begin(), precisions.end(), native) == precisions.end() && native != "fp16" &&
      native != "fp32")
    precisions.push_back(native);
  return precisions;
}

}  // namespace podwright::sizing
