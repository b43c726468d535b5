#pragma once
/// What a log of a training run says of its speed. docs/method/probes.md#imports.
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "measure/import_foreign.h"

namespace podwright {

struct TrainingMeasurement {
  std::string tool;     ///< mlperf-training
  std::string model;    ///< as the catalog's readers of tables know it
  std::string adapter;  ///< lora; empty where all weights are trained
  std::optional<double> adapter_rank;
  double global_batch = 0;     ///< sequences
  double sequence_tokens = 0;  ///< of a sequence
  double samples = 0;          ///< sequences that were trained
  double train_s = 0;          ///< without the evaluations
  double step_time_s = 0;      ///< mean
  std::string note;            ///< what must be known of it, a sentence; may be empty
};

/// The result file of an MLPerf training run, lines ":::MLLOG". Error paths are ":<line>"; those of the whole text are
/// empty.
Result<TrainingMeasurement> import_mlperf_training(std::string_view text);
FileFields mlperf_training_fields(std::string_view text);

}  // namespace podwright
