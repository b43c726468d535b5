#include "sizing/workload.h"

namespace podwright::sizing {

ServingRun serving_run(const ServingWorkload& workload) {
  ServingRun run;
  run.input_tokens = workload.input_tokens;
  run.output_tokens = workload.output_tokens;
  run.input_tokens_cv = workload.input_tokens_cv;
  run.output_tokens_cv = workload.output_tokens_cv;
  run.prefix_hit_ratio = workload.prefix_hit_ratio;
  run.traffic = workload.traffic;
  run.tuning = workload.tuning;
  run.load = {LoadKind::request_rate, workload.peak_requests_per_s};
  return run;
}

TrainingRun training_run(const TrainingWorkload& workload) {
  TrainingRun run;
  run.sequence_length = workload.sequence_length;
  run.global_batch_size = workload.global_batch_size;
  run.precision = workload.precisions.front();
  run.fp8_recipe = workload.fp8_recipe;
  run.optimizer = workload.optimizer;
  run.method = workload.method;
  run.lora_rank = workload.lora_rank;
  run.lora_targets = workload.lora_targets;
  run.framework = workload.framework;
  run.framework_version = workload.framework_version;
  run.tuning = workload.tuning;
  return run;
}

}  // namespace podwright::sizing
