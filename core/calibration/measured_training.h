#pragma once
/// Published training runs as requests: each row of a table of measured runs becomes a model, a GPU, a layout and the
/// figures that were measured. docs/method/accuracy.md#how-a-row-is-read.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calibration/measured_row.h"
#include "catalog/catalog.h"
#include "memory/training_run.h"
#include "perf/training_step.h"

namespace podwright {

/// What a step time covers: a whole optimizer step, or the forward and backward pass of the layers alone.
enum class MeasuredScope { step, layers };

struct MeasuredTrainingRow {
  std::string id;
  int line = 0;  ///< in the table, from 1
  std::string source;
  std::string gpu_id;
  std::string framework_text;  ///< as the source writes it
  std::string model_name;      ///< as the source writes it
  std::string date;
  std::string notes;
  std::string flops_convention;   ///< of tflops_per_gpu and mfu: full, causal, or empty
  bool catalog_framework = true;  ///< false: the framework is not known, and another one's habits are taken
  Model model;
  const Gpu* gpu = nullptr;
  std::optional<System> system;  ///< absent: the catalog's system with this GPU
  TrainingRun run;
  double gpu_count = 1;
  MemoryFigure memory_figure = MemoryFigure::allocated;
  MeasuredScope scope = MeasuredScope::step;
  std::vector<Measured> measured;
  std::vector<std::string> assumptions;  ///< what blank cells were taken to mean, and what had to be bent

  const System* system_or_null() const { return system ? &*system : nullptr; }
  /// Time of what the row's clock covered.
  Seconds clocked(const TrainingStep<NoTrace>& step) const {
    if (scope == MeasuredScope::step) return step.total;
    return step.compute + step.attention + step.recompute + step.tensor_comm + step.context_comm + step.expert_comm;
  }
};

using MeasuredTraining = MeasuredTable<MeasuredTrainingRow>;

/// Columns whose absence from the header makes a table no table of training runs.
const std::vector<std::string>& measured_training_columns();
/// Columns that hold measured figures.
const std::vector<std::string>& measured_training_metrics();

/// Reads a table. `file` is its name in messages. Errors: "not-csv", "missing" (a column), "wrong-type" (a cell that is
/// no number); the path is "<file>:<line>".
Result<MeasuredTraining> read_measured_training(const Catalog& catalog, std::string_view csv, std::string_view file);

}  // namespace podwright
