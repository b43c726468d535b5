#pragma once
/// Every legal layout of a training run on a number of GPUs, one after the other. docs/method/search.md#legal-layouts.
#include <cstdint>
#include <vector>

#include "catalog/model.h"
#include "memory/training_run.h"

namespace podwright::sizing {

/// Sizes that a group may have, both ends included.
struct SizeRange {
  double min = 1;
  double max = 1e9;
};

/// What TrainingLimits starts with: every value that is of its own. ZB-1p is left out: the formulas give it the numbers
/// of ZB-H1.
std::vector<Recompute> every_recompute();
std::vector<Schedule> every_schedule();
std::vector<Shard> every_shard();

/// What a search may choose from; the start values exclude nothing that is legal.
struct TrainingLimits {
  SizeRange tensor;
  SizeRange pipeline;
  SizeRange virtual_pipeline;
  SizeRange context;
  SizeRange expert;
  SizeRange expert_tensor;
  SizeRange data;
  SizeRange micro_batch_size;
  SizeRange zero_stage{0, 3};
  std::vector<Recompute> recompute = every_recompute();
  std::vector<Schedule> schedules = every_schedule();
  std::vector<Shard> shards = every_shard();
};

/// Tokens that a context rank keeps at least where usual_limits() allows more ranks than for a short sequence.
inline constexpr double kUsualTokensOfRank = 4096;

/// Limits that leave out what no run does: context parallel above 16 ranks unless each keeps kUsualTokensOfRank,
/// micro-batches of more than 8 sequences.
TrainingLimits usual_limits(double sequence_length);

/// Is shown every layout. Both calls get the same run, its fields changed in place.
class LayoutVisitor {
 public:
  LayoutVisitor() = default;
  LayoutVisitor(const LayoutVisitor&) = delete;
  LayoutVisitor& operator=(const LayoutVisitor&) = delete;
  virtual ~LayoutVisitor() = default;

  /// Tensor, context, expert, expert_tensor, micro-batch and recompute have changed; they stay until the next call.
  virtual void fixed(const TrainingRun& run) = 0;
  /// A legal layout: pipeline, virtual_pipeline, data, zero_stage, shard, schedule and
  /// embedding_and_loss_as_layers differ from the last.
  virtual void layout(const TrainingRun& run) = 0;
};

/// The space of one model; values are looked up once, so that visiting allocates nothing.
class TrainingSpace {
 public:
  /// Sequence length and global batch come from `run`. `domain_gpus` are those that direct links join: a tensor group
  /// does not leave them.
  TrainingSpace(const Model& model, const TrainingRun& run, const TrainingLimits& limits, double domain_gpus);

  /// All layouts of exactly `gpus` GPUs, each once. Every field of the layout is set in `run`; sequence_parallel is on
  /// where tensor is above 1.
  void visit(double gpus, TrainingRun& run, LayoutVisitor& visitor) const;

 private:
  using Size = std::int64_t;
  struct Fixed {
    Size gpus, tensor, context, expert, expert_tensor, micro_batch;
  };
  void pipelines(const Fixed& fixed, TrainingRun& run, LayoutVisitor& visitor) const;
  void schedules(Size micro_batches, bool hybrid, TrainingRun& run, LayoutVisitor& visitor) const;
  void shards(bool hybrid, TrainingRun& run, LayoutVisitor& visitor) const;
  bool allows(Schedule schedule) const;

  TrainingLimits limits_;
  std::vector<Size> tensors_, contexts_, experts_, expert_tensors_, micro_batches_;
  Size layers_, sequence_, global_batch_, domain_;
};

}  // namespace podwright::sizing
