#include "sizing/best_layouts.h"

namespace podwright::sizing {
namespace {

bool ranks_before(const LayoutRecord& a, const LayoutRecord& b) {
  return a.step_s < b.step_s || (a.step_s == b.step_s && a.memory_bytes < b.memory_bytes);
}

bool same_shape(const LayoutRecord& a, const LayoutRecord& b) {
  return a.tensor == b.tensor && a.pipeline == b.pipeline && a.context == b.context && a.expert == b.expert &&
         a.expert_tensor == b.expert_tensor && a.precision == b.precision;
}

std::uint16_t small(double size) { return static_cast<std::uint16_t>(size); }

}  // namespace

LayoutRecord record_of(const TrainingRun& run, double step_s, double memory_bytes) {
  const TrainingParallelism& p = run.parallelism;
  LayoutRecord record{};
  record.step_s = step_s;
  record.memory_bytes = static_cast<float>(memory_bytes);
  record.tensor = small(p.tensor);
  record.pipeline = small(p.pipeline);
  record.virtual_pipeline = small(p.virtual_pipeline);
  record.context = small(p.context);
  record.expert = small(p.expert);
  record.expert_tensor = small(p.expert_tensor);
  record.micro_batch = small(run.micro_batch_size);
  record.zero_stage = static_cast<std::uint8_t>(p.zero_stage & 3);
  record.shard = p.shard == Shard::hybrid ? 1 : 0;
  record.embedding_and_loss = run.embedding_and_loss_as_layers ? 1 : 0;
  record.recompute = static_cast<std::uint8_t>(static_cast<unsigned>(run.activation_recompute) & 3U);
  record.schedule = static_cast<std::uint8_t>(static_cast<unsigned>(run.schedule) & 7U);
  record.precision = static_cast<std::uint8_t>(static_cast<unsigned>(run.precision) & 7U);
  return record;
}

void set_layout(TrainingRun& run, const LayoutRecord& record, double gpus) {
  TrainingParallelism& p = run.parallelism;
  p.tensor = record.tensor;
  p.pipeline = record.pipeline;
  p.virtual_pipeline = record.virtual_pipeline;
  p.context = record.context;
  p.expert = record.expert;
  p.expert_tensor = record.expert_tensor;
  p.data = gpus / (p.tensor * p.pipeline * p.context);
  p.sequence_parallel = p.tensor > 1;
  p.zero_stage = record.zero_stage;
  p.shard = record.shard != 0 ? Shard::hybrid : Shard::full;
  run.micro_batch_size = record.micro_batch;
  run.embedding_and_loss_as_layers = record.embedding_and_loss != 0;
  run.activation_recompute = static_cast<Recompute>(record.recompute);
  run.schedule = static_cast<Schedule>(record.schedule);
  run.precision = static_cast<Precision>(record.precision);
}

void BestLayouts::offer(const LayoutRecord& record) {
  if (records_.size() == most_ && !ranks_before(record, records_.back())) return;
  std::size_t at = 0;
  while (at < records_.size() && !same_shape(records_[at], record)) ++at;
  if (at < records_.size()) {
    if (!ranks_before(record, records_[at])) return;
  } else if (records_.size() < most_) {
    records_.push_back(record);
  } else {
    at = most_ - 1;
  }
  for (; at > 0 && ranks_before(record, records_[at - 1]); --at) records_[at] = records_[at - 1];
  records_[at] = record;
}

}  // namespace podwright::sizing
