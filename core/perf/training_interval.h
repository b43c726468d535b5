#pragma once
/// How sure a predicted training time is: half the width of the 90 % prediction interval of its logarithm, from how
/// near the published runs behind the constants stand. docs/method/accuracy.md#intervals.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "memory/training_run.h"
#include "perf/host_kernels.h"

namespace podwright {

/// What the fit saw of a run's software. run: its version on this GPU, precision and kind of model, at this width.
/// period: its version elsewhere. framework: other versions. none: none of them.
enum class SoftwareKnowledge { run, period, framework, none };
inline constexpr std::array<std::string_view, 4> kSoftwareKnowledgeWords{"run", "period", "framework", "none"};

/// What the fit saw of a run's GPU. rows: itself. family: one of the same major compute capability. generation: none,
/// but its matrix products are measured. data_sheet: not even that. other_vendor: no GPU of its vendor.
enum class GpuKnowledge { rows, family, generation, data_sheet, other_vendor };

struct TrainingKnowledge {
  SoftwareKnowledge software = SoftwareKnowledge::none;
  GpuKnowledge gpu = GpuKnowledge::rows;
  bool experts = false;
  double doublings = 0;         ///< of width, sequence and GPUs beyond what the rows of the same kind of model span
  double tensor_doublings = 0;  ///< of tensor ranks beyond a node
  double run_rows = 0;
  double period_rows = 0;
  double framework_rows = 0;
  double gpu_rows = 0;
  MeasuredKernels measured_kernels;  ///< by the machine's own probes
  double told_kernels = 0;           ///< what the width holds for kernels that other machines told
};
TrainingKnowledge training_knowledge(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                     const TrainingRun& run);

/// Half width of the logarithm of the time: of the software, of the GPU and of the shape, as independent errors. Absent
/// where the catalog has no spreads.
std::optional<double> time_half_width(const TrainingEfficiency& efficiency, const TrainingKnowledge& knowledge);
/// What GPU and shape alone add: 0 where rows of both are there.
double transfer_width(const TrainingEfficiency& efficiency, const TrainingKnowledge& knowledge);
/// Half width of the logarithm of the memory of the fullest GPU with a stack of training_recipes.json; absent where the
/// catalog has no spreads.
std::optional<double> memory_half_width(const TrainingEfficiency& efficiency, std::string_view stack);

/// Which rows support a prediction, and what widens its interval: sentences for the reader of an answer.
std::vector<std::string> interval_basis(const TrainingEfficiency& efficiency, const TrainingKnowledge& knowledge,
                                        const Gpu& gpu, const TrainingRun& run);

}  // namespace podwright
