#include "perf/serving_interval.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "catalog/architecture_word.h"
#include "perf/bounds.h"
#include "perf/ceilings.h"
#include "perf/host_kernels.h"
#include "perf/layout_rules.h"
#include "perf/step_rates.h"

namespace podwright {

ServingKnowledge serving_knowledge(const Catalog& catalog, const Model& model, const Gpu& gpu, const ServingRun& run) {
  double of_engine = 0;
  double of_run = 0;
  bool on_gpu = false;
  for (const ServingSupport& entry : catalog.serving_efficiency.support) {
    if (entry.gpu == gpu.id) on_gpu = true;
    if (entry.engine != run.engine) continue;
    of_engine += entry.rows;
    if (entry.gpu == gpu.id && entry.model == model.id) of_run += entry.rows;
  }
  ServingKnowledge knowledge;
  knowledge.level = run.disaggregated ? "none" : of_run > 0 ? "run" : of_engine > 0 ? "engine" : "none";
  knowledge.rows = of_run > 0 ? of_run : of_engine;
  knowledge.as_installed = run.tuning == Tuning::as_installed;
  knowledge.gpu_known = on_gpu || find_kernel_rate(catalog, gpu.id, "weight-streaming", "bf16") != nullptr;
  knowledge.vendor_known = measured_vendor(catalog, gpu);
  if (const WeightFormat* format = weight_format_of(catalog.weight_formats, run)) {
    const std::string gemm = gemm_precision(gpu, format->compute_precision);
    const double bits = streamed_bits(*format, LinearRole::mlp, model.experts > 0);
    knowledge.measured_kernels = measured_kernels(catalog, gpu.id, gemm, streaming_precision(bits));
    knowledge.told_kernels = told_kernels_width(catalog, !knowledge.vendor_known    ? ToldKernels::data_sheet
                                                         : knowledge.level == "run" ? ToldKernels::same_software
                                                                                    : ToldKernels::other_software);
  }
  return knowledge;
}

std::optional<ServingWidths> serving_widths(const ServingEfficiency& efficiency, const ServingKnowledge& knowledge,
                                            bool experts) {
  const auto width = [&](std::string_view metric) -> std::optional<double> {
    const ServingSpread* spread = efficiency.spread(metric, knowledge.level, architecture_word(experts));
    if (spread == nullptr) return {};
    double half = spread->half_width;
    const ServingSpread* installed =
        knowledge.as_installed ? efficiency.spread(metric, "as-installed", architecture_word(experts)) : nullptr;
    if (installed != nullptr) half = std::max(half, installed->half_width);
    const auto widen = [&](std::string_view what) {
      if (const ServingSpread* more = efficiency.spread("any", what, "any"))
        half = std::sqrt(half * half + more->half_width * more->half_width);
    };
    if (!knowledge.gpu_known) widen("gpu");
    if (!knowledge.vendor_known) widen("roofline");
    return width_on_machine(half, knowledge.told_kernels, knowledge.measured_kernels);
  };
  const auto ttft = width("ttft");
  const auto tpot = width("tpot");
  const auto throughput = width("throughput");
  const auto prompt = width("prompt");
  const auto power = width("power");
  const auto energy = width("energy");
  if (!ttft || !tpot || !throughput || !prompt) return {};
  return ServingWidths{.ttft = *ttft,
                       .tpot = *tpot,
                       .throughput = *throughput,
                       .prompt = *prompt,
                       .power = power.value_or(0),
                       .energy = energy.value_or(0)};
}

std::vector<std::string> serving_interval_basis(const ServingKnowledge& knowledge, const Model& model, const Gpu& gpu,
                                                const ServingRun& run) {
  std::vector<std::string> sentences;
  const std::string rows = human_number(knowledge.rows, 4);
  if (knowledge.level == "run")
    sentences.push_back("Intervals: " + rows + " published runs of " + model.name + " with " + run.engine + " on " +
                        gpu.name + " are in the fit.");
  else if (knowledge.level == "engine")
    sentences.push_back("Intervals: " + rows + " published runs of " + run.engine + " are in the fit, none of " +
                        model.name + " on " + gpu.name + ".");
  else if (run.disaggregated)
    sentences.push_back(
        "Intervals: no published run with pools of their own for prompts and answers is in the fit; they are as wide "
        "as "
        "those of an engine without runs.");
  else
    sentences.push_back("Intervals: no published run of " + run.engine + " is in the fit.");
  if (!knowledge.gpu_known) sentences.push_back("Intervals are wider: no kernel of " + gpu.name + " is measured.");
  return sentences;
}

}  // namespace podwright
