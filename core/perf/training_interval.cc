#include "perf/training_interval.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "base/number_text.h"
#include "base/words.h"
#include "catalog/architecture_word.h"
#include "perf/bounds.h"
#include "perf/ceilings.h"
#include "perf/host_kernels.h"
#include "perf/layout_rules.h"
#include "perf/training_rates.h"
#include "perf/training_software.h"

namespace podwright {
namespace {

/// Widths within this factor of those of published runs are theirs.
constexpr double kSameWidth = 1.5;
/// Parameters that a step reads and writes besides products stand in 16 bit or more.
constexpr double kWideBits = 16;

/// "9" of "9.0".
std::string_view major(std::string_view compute_capability) {
  return compute_capability.substr(0, compute_capability.find('.'));
}

/// Of base 2: how far `value` lies outside.
double doublings_outside(double value, double least, double most) {
  const double beyond = std::max(value / most, least / value);
  return beyond > 1 ? math::log2(beyond) : 0;
}

GpuKnowledge gpu_knowledge(const Catalog& catalog, const Gpu& gpu, const TrainingRun& run) {
  bool vendor = false;
  bool family = false;
  for (const TrainingSupport& entry : catalog.training_support) {
    const auto found = find_gpu(catalog, entry.gpu);
    if (!found) continue;
    const Gpu* seen = *found;
    if (seen->id == gpu.id) return GpuKnowledge::rows;
    const bool same_vendor = seen->vendor == gpu.vendor;
    vendor = vendor || same_vendor;
    family = family || (same_vendor && !gpu.compute_capability.empty() &&
                        major(seen->compute_capability) == major(gpu.compute_capability));
  }
  if (family) return GpuKnowledge::family;
  if (!vendor) return GpuKnowledge::other_vendor;
  const std::string precision = gemm_precision(gpu, training_gemm_precision(run.precision));
  return measured_gemm(catalog, gpu, precision) ? GpuKnowledge::generation : GpuKnowledge::data_sheet;
}

double width_of(const TrainingEfficiency& efficiency, std::string_view knowledge, std::string_view of) {
  const PredictionSpread* spread = efficiency.spread(knowledge, of);
  return spread == nullptr ? 0 : spread->half_width;
}

ToldKernels told_kernels(const TrainingKnowledge& knowledge) {
  switch (knowledge.gpu) {
    case GpuKnowledge::rows:
      return knowledge.software == SoftwareKnowledge::run ? ToldKernels::same_software : ToldKernels::other_software;
    case GpuKnowledge::family:
      return ToldKernels::family;
    case GpuKnowledge::generation:
      return ToldKernels::generation;
    default:
      return ToldKernels::data_sheet;
  }
}

/// What a GPU without rows adds: the steps of the transfer rule that apply, as independent errors.
double gpu_width(const TrainingEfficiency& efficiency, GpuKnowledge knowledge) {
  switch (knowledge) {
    case GpuKnowledge::rows:
      return 0;
    case GpuKnowledge::family:
      return width_of(efficiency, "gpu-family", "any");
    case GpuKnowledge::generation:
      return width_of(efficiency, "gpu-generation", "any");
    case GpuKnowledge::data_sheet:
      return width_of(efficiency, "gpu-data-sheet", "any");
    case GpuKnowledge::other_vendor: {
      const double sheet = width_of(efficiency, "gpu-data-sheet", "any");
      const double generation = width_of(efficiency, "gpu-generation", "any");
      const double library = width_of(efficiency, "other-library", "any");
      return std::sqrt(sheet * sheet + generation * generation + library * library);
    }
  }
  return 0;
}

std::string rows_text(double rows, const std::string& of) {
  return human_number(rows, 6) + (rows == 1 ? " published row of " : " published rows of ") + of;
}

}  // namespace

TrainingKnowledge training_knowledge(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                     const TrainingRun& run) {
  TrainingKnowledge knowledge;
  knowledge.experts = model.experts > 0;
  knowledge.gpu = gpu_knowledge(catalog, gpu, run);
  const TrainingFramework* framework = find_training_framework(catalog.training_frameworks, run.framework);
  const std::string id = framework == nullptr ? std::string() : framework->id;
  const std::string period =
      framework == nullptr ? std::string() : software_period(catalog.training_efficiency, *framework, run);
  const std::string_view architecture = architecture_word(knowledge.experts);
  const std::string_view precision = word_of(run.precision, kPrecisionWords);
  double least[3] = {0, 0, 0};
  double most[3] = {0, 0, 0};
  for (const TrainingSupport& entry : catalog.training_support) {
    if (entry.gpu == gpu.id) knowledge.gpu_rows += entry.rows;
    if (entry.architecture == architecture) {
      const double low[3] = {entry.hidden_size, entry.sequence_least, entry.gpus_least};
      const double high[3] = {entry.hidden_size, entry.sequence_most, entry.gpus_most};
      for (int i = 0; i < 3; ++i) {
        least[i] = least[i] > 0 ? std::min(least[i], low[i]) : low[i];
        most[i] = std::max(most[i], high[i]);
      }
    }
    if (id.empty() || entry.framework != id) continue;
    knowledge.framework_rows += entry.rows;
    if (entry.period != period) continue;
    knowledge.period_rows += entry.rows;
    const bool same_width =
        doublings_outside(model.hidden_size, entry.hidden_size / kSameWidth, entry.hidden_size * kSameWidth) == 0;
    if (entry.gpu == gpu.id && entry.precision == precision && entry.architecture == architecture && same_width)
      knowledge.run_rows += entry.rows;
  }
  knowledge.software = knowledge.run_rows > 0         ? SoftwareKnowledge::run
                       : knowledge.period_rows > 0    ? SoftwareKnowledge::period
                       : knowledge.framework_rows > 0 ? SoftwareKnowledge::framework
                                                      : SoftwareKnowledge::none;
  const double values[3] = {model.hidden_size, run.attention_tokens > 0 ? run.attention_tokens : run.sequence_length,
                            gpus_of(run.parallelism)};
  for (int i = 0; i < 3; ++i)
    if (most[i] > 0) knowledge.doublings += doublings_outside(values[i], least[i], most[i]);
  knowledge.tensor_doublings = doublings_outside(run.parallelism.tensor, 1, node_gpus(catalog, gpu));
  knowledge.measured_kernels = measured_kernels(
      catalog, gpu.id, gemm_precision(gpu, training_gemm_precision(run.precision)), streaming_precision(kWideBits));
  knowledge.told_kernels = told_kernels_width(catalog, told_kernels(knowledge));
  return knowledge;
}

double transfer_width(const TrainingEfficiency& efficiency, const TrainingKnowledge& knowledge) {
  const double gpu = gpu_width(efficiency, knowledge.gpu);
  const double shape = knowledge.doublings * width_of(efficiency, "shape-doubling", "any");
  const double tensor = knowledge.tensor_doublings * width_of(efficiency, "tensor-doubling", "any");
  return std::sqrt(gpu * gpu + shape * shape + tensor * tensor);
}

std::optional<double> time_half_width(const TrainingEfficiency& efficiency, const TrainingKnowledge& knowledge) {
  const PredictionSpread* software =
      efficiency.spread(word_of(knowledge.software, kSoftwareKnowledgeWords), architecture_word(knowledge.experts));
  if (software == nullptr) return {};
  const double transfer = transfer_width(efficiency, knowledge);
  const double half = std::sqrt(software->half_width * software->half_width + transfer * transfer);
  return width_on_machine(half, knowledge.told_kernels, knowledge.measured_kernels);
}

std::optional<double> memory_half_width(const TrainingEfficiency& efficiency, std::string_view stack) {
  const PredictionSpread* spread = efficiency.spread("memory", stack);
  if (spread == nullptr) spread = efficiency.spread("memory", "any");
  if (spread == nullptr) return {};
  return spread->half_width;
}

std::vector<std::string> interval_basis(const TrainingEfficiency& efficiency, const TrainingKnowledge& knowledge,
                                        const Gpu& gpu, const TrainingRun& run) {
  std::vector<std::string> basis;
  const std::string version = run.framework + (run.framework_version.empty() ? "" : " " + run.framework_version);
  const std::string all = rows_text(knowledge.gpu_rows, gpu.name) + " and " +
                          human_number(knowledge.framework_rows, 6) + " of " + run.framework;
  basis.push_back("The interval of the time is based on " +
                  (knowledge.software == SoftwareKnowledge::run
                       ? rows_text(knowledge.run_rows,
                                   "this software on this GPU, in this precision, of models of "
                                   "this kind and about this width, among ") +
                             all
                       : all) +
                  ".");
  if (knowledge.software == SoftwareKnowledge::none)
    basis.push_back("No published run of " + run.framework +
                    " is among the rows: its interval is that of software that a fit has not seen.");
  else if (knowledge.software == SoftwareKnowledge::framework)
    basis.push_back("No published run of " + version + " is among the rows, only other versions.");
  else if (knowledge.software == SoftwareKnowledge::period)
    basis.push_back("Those of " + version + " have another GPU, precision, kind of model or width.");
  const auto percent = [](double width) { return human_number(100 * width, 2) + " %"; };
  const auto why = [&]() -> std::string {
    switch (knowledge.gpu) {
      case GpuKnowledge::rows:
        return "";
      case GpuKnowledge::family:
        return "No row of " + gpu.name + ", only of its generation";
      case GpuKnowledge::generation:
        return "No row of " + gpu.name + " or its generation";
      case GpuKnowledge::data_sheet:
        return "Uncalibrated: " + gpu.name + " is known by its data sheet only";
      case GpuKnowledge::other_vendor:
        return "Uncalibrated: no row is of a GPU of " + gpu.vendor;
    }
    return "";
  }();
  const auto adds = [&](double width) { return ": that adds an error of " + percent(width) + "."; };
  if (!why.empty()) basis.push_back(why + adds(gpu_width(efficiency, knowledge.gpu)));
  if (knowledge.tensor_doublings > 0)
    basis.push_back("Tensor ranks are spread over nodes" +
                    adds(knowledge.tensor_doublings * width_of(efficiency, "tensor-doubling", "any")));
  if (knowledge.doublings > 0)
    basis.push_back("Width, sequence or number of GPUs lies outside what the rows span, by " +
                    human_number(knowledge.doublings, 2) + " doublings in all" +
                    adds(knowledge.doublings * width_of(efficiency, "shape-doubling", "any")));
  return basis;
}

}  // namespace podwright
