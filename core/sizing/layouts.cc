#include "sizing/layouts.h"

#include <algorithm>
#include <cmath>

#include "perf/ceilings.h"
#include "perf/layout_rules.h"

namespace podwright::sizing {
namespace {

bool whole(double x) { return x == std::floor(x); }

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
  return layouts;
}

std::vector<TrainingRun> training_layouts(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                          const TrainingWorkload& workload, double gpus) {
  std::vector<TrainingRun> runs;
  const double node = std::min(8.0, node_gpus(catalog, gpu));
  TrainingRun run;
  run.sequence_length = workload.sequence_length;
  run.global_batch_size = workload.global_batch_size;
  run.precision = workload.precision;
  run.method = workload.method;
  run.framework = workload.framework;
  const bool experts = model.experts > 0;
  for (double tensor = 1; tensor <= std::min(node, gpus); tensor *= 2) {
    for (double pipeline = 1; tensor * pipeline <= gpus && pipeline <= model.layers; pipeline += 1) {
      const double data = gpus / (tensor * pipeline);
      if (!whole(data) || !whole(model.layers / pipeline)) continue;
      for (const double expert : experts ? std::vector<double>{1, 2, 4, 8, 16, 32, 64} : std::vector<double>{1}) {
        for (const int zero_stage : {1, 3}) {
          if (zero_stage == 3 && (data == 1 || pipeline > 1)) continue;
          for (const double micro_batch : {1.0, 2.0, 4.0}) {
            for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
              run.parallelism = {.tensor = tensor,
                                 .pipeline = pipeline,
                                 .expert = expert,
                                 .data = data,
                                 .sequence_parallel = true,
                                 .zero_stage = zero_stage};
              run.micro_batch_size = micro_batch;
              run.activation_recompute = recompute;
              run.schedule = Schedule::one_f_one_b;
              if (legal_layout(model, run)) runs.push_back(run);
              if (pipeline == 1) continue;
              run.schedule = Schedule::interleaved;
              run.parallelism.virtual_pipeline = 2;
              if (whole(model.layers / (pipeline * 2)) && legal_layout(model, run)) runs.push_back(run);
            }
          }
        }
      }
    }
  }
  return runs;
}

std::vector<double> gpu_counts(double node, double from, double to) {
  std::vector<double> counts;
  for (double count = 1; count < node; count *= 2)
    if (count >= from && count <= to) counts.push_back(count);
  for (double nodes = 1; nodes * node <= to;) {
    if (nodes * node >= from) counts.push_back(nodes * node);
    double power = 1;
    while (power * 2 <= nodes) power *= 2;
    nodes = nodes < 2 ? nodes + 1 : (nodes == power ? power * 1.5 : power * 2);  // 1, 2, 3, 4, 6, 8, 12, 16 ...
  }
  return counts;
}

std::vector<std::string> serving_precisions(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                            const ServingWorkload& workload) {
  if (!workload.weight_precisions.empty()) return workload.weight_precisions;
  std::vector<std::string> precisions{"bf16"};
  if (gpu.peak_dense_flops.count("fp8") > 0) precisions.push_back("fp8");
  if (find_weight_format(catalog.weight_formats, model.native_dtype) != nullptr &&
      std::find(precisions.begin(), precisions.end(), model.native_dtype) == precisions.end() &&
      model.native_dtype != "fp16" && model.native_dtype != "fp32")
    precisions.push_back(model.native_dtype);
  return precisions;
}

}  // namespace podwright::sizing
