#include "sizing/training_space.h"

#include <algorithm>

#include "model/layers.h"

namespace podwright::sizing {
namespace {

using Size = std::int64_t;

/// Beyond it no group is looked at.
constexpr Size kLargest = 65535;

bool inside(SizeRange range, Size size) {
  return static_cast<double>(size) >= range.min && static_cast<double>(size) <= range.max;
}

/// Divisors of `whole` in `range`, rising.
std::vector<Size> divisors(Size whole, SizeRange range) {
  std::vector<Size> found;
  for (Size part = 1; part * part <= whole; ++part) {
    if (whole % part != 0) continue;
    if (inside(range, part) && part <= kLargest) found.push_back(part);
    if (part * part != whole && inside(range, whole / part) && whole / part <= kLargest) found.push_back(whole / part);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Size count(double number) { return static_cast<Size>(number); }

bool divides(Size part, double whole) { return whole <= 0 || count(whole) % part == 0; }

}  // namespace

std::vector<Recompute> every_recompute() { return {Recompute::none, Recompute::selective, Recompute::full}; }

std::vector<Schedule> every_schedule() {
  return {Schedule::gpipe, Schedule::one_f_one_b, Schedule::interleaved, Schedule::zb_h1, Schedule::zb_2p};
}

std::vector<Shard> every_shard() { return {Shard::full, Shard::hybrid}; }

TrainingLimits usual_limits(double sequence_length) {
  TrainingLimits limits;
  limits.context.max = std::max(16.0, sequence_length / kUsualTokensOfRank);
  limits.micro_batch_size.max = 8;
  return limits;
}

TrainingSpace::TrainingSpace(const Model& model, const TrainingRun& run, const TrainingLimits& limits,
                             double domain_gpus)
    : limits_(limits),
      layers_(count(model.layers)),
      sequence_(count(run.sequence_length)),
      global_batch_(count(run.global_batch_size)),
      domain_(std::max<Size>(1, count(domain_gpus))) {
  for (const Size tensor : divisors(count(model.attention_heads), limits.tensor)) {
    const Size kv_heads = count(model.kv_heads);
    const bool kv = kv_heads <= 0 || kv_heads % tensor == 0 || tensor % kv_heads == 0;
    if (tensor <= domain_ && kv && divides(tensor, model.ffn_hidden_size)) tensors_.push_back(tensor);
  }
  if (inside(limits.context, 1)) contexts_.push_back(1);
  if (sequence_ % 2 == 0)
    for (const Size context : divisors(sequence_ / 2, limits.context))
      if (context > 1) contexts_.push_back(context);
  const bool has_experts = model.experts > 0;
  experts_ = divisors(has_experts ? count(model.experts) : 1, limits.expert);
  expert_tensors_ = divisors(has_experts ? std::max<Size>(1, count(model.moe_ffn_hidden_size)) : 1,
                             {limits.expert_tensor.min, std::min(limits.expert_tensor.max, domain_gpus)});
  micro_batches_ = divisors(global_batch_, limits.micro_batch_size);
}

bool TrainingSpace::allows(Schedule schedule) const {
  return std::find(limits_.schedules.begin(), limits_.schedules.end(), schedule) != limits_.schedules.end();
}

void TrainingSpace::visit(double gpus, TrainingRun& run, LayoutVisitor& visitor) const {
  Fixed fixed{};
  fixed.gpus = count(gpus);
  TrainingParallelism& p = run.parallelism;
  for (const Size tensor : tensors_) {
    if (fixed.gpus % tensor != 0) continue;
    fixed.tensor = tensor;
    p.tensor = static_cast<double>(tensor);
    p.sequence_parallel = tensor > 1;
    for (const Size context : contexts_) {
      if (fixed.gpus % (tensor * context) != 0 || (sequence_ / context) % tensor != 0) continue;
      fixed.context = context;
      p.context = static_cast<double>(context);
      for (const Size expert : experts_) {
        for (const Size expert_tensor : expert_tensors_) {
          // The experts of a pipeline stage lie inside its GPUs, each of them inside a tensor group.
          if (tensor % expert_tensor != 0 || fixed.gpus % (expert * expert_tensor) != 0) continue;
          fixed.expert = expert;
          fixed.expert_tensor = expert_tensor;
          p.expert = static_cast<double>(expert);
          p.expert_tensor = static_cast<double>(expert_tensor);
          for (const Size micro_batch : micro_batches_) {
            fixed.micro_batch = micro_batch;
            run.micro_batch_size = static_cast<double>(micro_batch);
            for (const Recompute recompute : limits_.recompute) {
              run.activation_recompute = recompute;
              visitor.fixed(run);
              pipelines(fixed, run, visitor);
            }
          }
        }
      }
    }
  }
}

void TrainingSpace::pipelines(const Fixed& fixed, TrainingRun& run, LayoutVisitor& visitor) const {
  TrainingParallelism& p = run.parallelism;
  const Size rest = fixed.gpus / (fixed.tensor * fixed.context);
  const Size most = std::min({rest, layer_slots(layers_, true), count(limits_.pipeline.max)});
  for (Size pipeline = std::max<Size>(1, count(limits_.pipeline.min)); pipeline <= most; ++pipeline) {
    if (rest % pipeline != 0) continue;
    const Size data = rest / pipeline;
    if (!inside(limits_.data, data) || global_batch_ % (fixed.micro_batch * data) != 0) continue;
    const Size ranks = fixed.tensor * fixed.context * data;
    if (ranks % (fixed.expert * fixed.expert_tensor) != 0) continue;
    p.pipeline = static_cast<double>(pipeline);
    p.data = static_cast<double>(data);
    // Where no one holds the same states there is nothing to share out.
    const Size copies = fixed.context * data;
    const bool alone = copies == 1 && ranks == fixed.expert * fixed.expert_tensor;
    const bool hybrid = copies * fixed.tensor > domain_;
    for (int zero_stage = static_cast<int>(limits_.zero_stage.min); zero_stage <= limits_.zero_stage.max;
         ++zero_stage) {
      if (zero_stage > 0 && alone) break;
      p.zero_stage = zero_stage;
      schedules(global_batch_ / (fixed.micro_batch * data), hybrid && zero_stage == 3, run, visitor);
    }
  }
}

void TrainingSpace::schedules(Size micro_batches, bool hybrid, TrainingRun& run, LayoutVisitor& visitor) const {
  TrainingParallelism& p = run.parallelism;
  const Size pipeline = count(p.pipeline);
  run.embedding_and_loss_as_layers = false;
  p.virtual_pipeline = 1;
  if (pipeline == 1) {
    run.schedule = Schedule::one_f_one_b;
    if (inside(limits_.virtual_pipeline, 1)) shards(hybrid, run, visitor);
    return;
  }
  // Embedding and loss take the place of a layer each where that makes the stages even.
  run.embedding_and_loss_as_layers = layers_ % pipeline != 0 && layer_slots(layers_, true) % pipeline == 0;
  const Size slots = layer_slots(layers_, run.embedding_and_loss_as_layers);
  if (pipeline > slots) return;
  if (inside(limits_.virtual_pipeline, 1)) {
    for (const Schedule schedule : limits_.schedules) {
      if (schedule == Schedule::interleaved) continue;
      run.schedule = schedule;
      shards(hybrid, run, visitor);
    }
  }
  if (slots % pipeline != 0 || micro_batches % pipeline != 0 || !allows(Schedule::interleaved)) return;
  run.schedule = Schedule::interleaved;
  const Size stage = slots / pipeline;
  for (Size chunks = 2; chunks <= stage; ++chunks) {
    if (stage % chunks != 0 || !inside(limits_.virtual_pipeline, chunks)) continue;
    p.virtual_pipeline = static_cast<double>(chunks);
    shards(hybrid, run, visitor);
  }
}

void TrainingSpace::shards(bool hybrid, TrainingRun& run, LayoutVisitor& visitor) const {
  for (const Shard shard : limits_.shards) {
    if (shard == Shard::hybrid && !hybrid) continue;
    run.parallelism.shard = shard;
    visitor.layout(run);
  }
}

}  // namespace podwright::sizing
