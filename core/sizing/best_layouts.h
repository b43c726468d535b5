#pragma once
/// The fastest layouts of one cluster, kept while a search runs; nothing is allocated after the start.
#include <cstddef>
#include <vector>

#include "memory/training_run.h"

namespace podwright::sizing {

/// A layout with its step time.
struct LayoutRecord {
  double step_s = 0;
  float memory_bytes = 0;
  TrainingParallelism parallelism;
  double micro_batch_size = 1;
  Precision precision = Precision::bf16;
  Schedule schedule = Schedule::one_f_one_b;
  Recompute recompute = Recompute::none;
  bool embedding_and_loss_as_layers = false;
};

LayoutRecord record_of(const TrainingRun& run, double step_s, double memory_bytes);
/// Sets the layout of `run` to that of the record.
void set_layout(TrainingRun& run, const LayoutRecord& record);

/// Keeps the fastest few of different shape: of layouts that agree in precision, tensor, pipeline, context, expert and
/// expert_tensor only the best one. Of equal times the one that needs less memory, then the earlier.
class BestLayouts {
 public:
  explicit BestLayouts(std::size_t most) : most_(most) { records_.reserve(most); }
  void offer(const LayoutRecord& record);
  /// Fastest first.
  const std::vector<LayoutRecord>& records() const { return records_; }

 private:
  std::size_t most_;
  std::vector<LayoutRecord> records_;
};

}  // namespace podwright::sizing
