#pragma once
/// Published training runs as requests: each row of a table of measured runs becomes a model, a GPU, a layout and the
/// figures that were measured. docs/method/accuracy.md#how-a-row-is-read.
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "calibration/measured_table.h"
#include "catalog/catalog.h"
#include "memory/training_run.h"
#include "perf/training_step.h"

namespace podwright {

/// What a step time covers: a whole optimizer step, or the forward and backward pass of the layers alone.
enum class MeasuredScope { step, layers };

struct MeasuredTrainingRow : MeasuredRow {
  std::string flops_convention;   ///< of tflops_per_gpu and mfu: full, causal, or empty
  bool counts_recompute = false;  ///< tflops_per_gpu and mfu count recomputed work too
  bool catalog_framework = true;  ///< false: the framework is not known, and another one's habits are taken
  std::optional<System> system;   ///< absent: the catalog's system with this GPU
  TrainingRun run;
  MemoryFigure memory_figure = MemoryFigure::allocated;
  MeasuredScope scope = MeasuredScope::step;
  double counted_tokens = 1;               ///< of the tokens that a run computes; the rest is padding
  std::optional<double> longest_sequence;  ///< of the batches that peaks of memory are of, tokens
  bool overlap_given = false;              ///< the row says whether exchanges overlap

  const System* system_or_null() const { return system ? &*system : nullptr; }
  /// Time of what the row's clock covered.
  Seconds clocked(const TrainingStep<NoTrace>& step) const {
    if (scope == MeasuredScope::step) return step.total;
    return step.compute + step.attention + step.recompute + step.tensor_comm + step.context_comm + step.expert_comm;
  }
};

using MeasuredTraining = MeasuredTable<MeasuredTrainingRow>;

const MeasuredColumns& measured_training_columns();

/// Reads a table. `file` is its name in messages. Errors: those of checked_table().
Result<MeasuredTraining> read_measured_training(const Catalog& catalog, std::string_view csv, std::string_view file);

}  // namespace podwright
