#pragma once
/// What a search is asked for, and what it may use.
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "memory/training_run.h"

namespace podwright::sizing {

struct ServingWorkload {
  double peak_requests_per_s = 0;
  double input_tokens = 0;
  double output_tokens = 0;
  std::optional<Seconds> ttft_max;  ///< compared with the mean: percentiles are not modelled
  std::optional<Seconds> tpot_max;  ///< the same
  std::string engine = "vllm";
  std::vector<std::string> weight_precisions;  ///< ids of weight formats; empty: 16 bit, fp8 where the GPU computes it
};

struct TrainingWorkload {
  TrainingMethod method = TrainingMethod::full;
  double tokens = 0;
  Seconds deadline;
  double sequence_length = 4096;
  double global_batch_size = 256;
  Precision precision = Precision::bf16;
  std::string framework = "megatron-core";
};

struct SearchConstraints {
  double max_gpus = 16384;
  double top = 5;  ///< candidates to return
};

}  // namespace podwright::sizing
