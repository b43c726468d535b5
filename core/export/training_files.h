#pragma once
/// Files that start a training run, and that prove its memory on one GPU, by the names that requests ask for.
/// docs/method/serving_launch.md#training-files.
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "catalog/gpu.h"
#include "catalog/model.h"
#include "export/export_file.h"
#include "memory/training_run.h"
#include "sizing/launch_names.h"
#include "sizing/training_launch.h"

namespace podwright {

enum class TrainingExport { torchrun, slurm, kubeflow, megatron, memory_proof };
inline constexpr std::array<std::string_view, 5> kTrainingExportWords{"torchrun", "slurm", "kubeflow", "megatron",
                                                                      "memory-proof"};

/// Whose memory is proved: the arguments are those of Megatron-LM itself, and other software that is built on it keeps
/// other values.
inline constexpr std::string_view kProofFramework = "megatron-core";

/// A training run whose files are wanted.
struct TrainingJob {
  const Model& model;
  const Gpu& gpu;
  const TrainingRun& run;
  double gpus = 8;
  double node_gpus = 8;
  sizing::TrainingLength length = {};
  std::optional<int> fullest_stage = {};  ///< of the pipeline, 0-based; absent where the memory is not known
  sizing::TrainingNames names = {};
};

/// In the order of the enumeration. What a program or a format cannot express is a sentence instead.
ExportFiles training_files(const TrainingJob& job, std::span<const TrainingExport> wanted);

/// The rank of Megatron-LM that is the first of a pipeline stage: its ranks are numbered over tensor, context, data and
/// then pipeline (order "tp-cp-ep-dp-pp" of initialize_model_parallel).
inline double first_rank_of_stage(const TrainingParallelism& p, int stage) {
  return stage * p.tensor * p.context * p.data;
}
/// The stage of a rank.
inline int stage_of_rank(const TrainingParallelism& p, double rank) {
  return static_cast<int>(rank / (p.tensor * p.context * p.data));
}

}  // namespace podwright
