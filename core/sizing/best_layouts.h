#pragma once
/// The fastest layouts of one cluster, kept while a search runs; nothing is allocated after the start.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/training_run.h"

namespace podwright::sizing {

/// A layout with its step time, in 32 bytes.
struct LayoutRecord {
  double step_s = 0;
  float memory_bytes = 0;
  std::uint16_t tensor = 1, pipeline = 1, virtual_pipeline = 1, context = 1, expert = 1, expert_tensor = 1;
  std::uint16_t micro_batch = 1;
  std::uint8_t zero_stage : 2, shard : 1, embedding_and_loss : 1, recompute : 2;
  std::uint8_t schedule : 3, precision : 3;
};
static_assert(sizeof(LayoutRecord) == 32);

LayoutRecord record_of(const TrainingRun& run, double step_s, double memory_bytes);
/// Sets the layout of `run` to that of the record; `gpus` gives its data size.
void set_layout(TrainingRun& run, const LayoutRecord& record, double gpus);

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
