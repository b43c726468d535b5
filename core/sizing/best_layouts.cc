#include "sizing/best_layouts.h"

namespace podwright::sizing {
namespace {

bool ranks_before(const LayoutRecord& a, const LayoutRecord& b) {
  return a.step_s < b.step_s || (a.step_s == b.step_s && a.memory_bytes < b.memory_bytes);
}

bool same_shape(const LayoutRecord& a, const LayoutRecord& b) {
  const TrainingParallelism& p = a.parallelism;
  const TrainingParallelism& q = b.parallelism;
  return p.tensor == q.tensor && p.pipeline == q.pipeline && p.context == q.context && p.expert == q.expert &&
         p.expert_tensor == q.expert_tensor && a.precision == b.precision;
}

}  // namespace

LayoutRecord record_of(const TrainingRun& run, double step_s, double memory_bytes) {
  return {.step_s = step_s,
          .memory_bytes = static_cast<float>(memory_bytes),
          .parallelism = run.parallelism,
          .micro_batch_size = run.micro_batch_size,
          .precision = run.precision,
          .schedule = run.schedule,
          .recompute = run.activation_recompute,
          .embedding_and_loss_as_layers = run.embedding_and_loss_as_layers};
}

void set_layout(TrainingRun& run, const LayoutRecord& record) {
  run.parallelism = record.parallelism;
  run.micro_batch_size = record.micro_batch_size;
  run.precision = record.precision;
  run.schedule = record.schedule;
  run.activation_recompute = record.recompute;
  run.embedding_and_loss_as_layers = record.embedding_and_loss_as_layers;
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
