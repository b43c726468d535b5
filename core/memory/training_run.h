#pragma once
/// One fully specified training run: the contract's `training` request without the names of model and GPU.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/training_framework.h"
#include "catalog/tuning.h"
#include "model/layers.h"
#include "model/linear_weights.h"

namespace podwright {

enum class Precision { fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4 };
inline constexpr std::array<std::string_view, 7> kPrecisionWords{"fp32", "tf32",  "fp16", "bf16",
                                                                 "fp8",  "mxfp8", "nvfp4"};
enum class TrainingMethod { full, lora, qlora };
inline constexpr std::array<std::string_view, 3> kTrainingMethodWords{"full", "lora", "qlora"};
enum class Schedule { gpipe, one_f_one_b, interleaved, zb_h1, zb_1p, zb_2p };
inline constexpr std::array<std::string_view, 6> kScheduleWords{"gpipe", "1f1b",  "interleaved",
                                                                "zb-h1", "zb-1p", "zb-2p"};
enum class Shard { full, hybrid };
inline constexpr std::array<std::string_view, 2> kShardWords{"full", "hybrid"};
enum class Optimizer { adamw, sgd };
inline constexpr std::array<std::string_view, 2> kOptimizerWords{"adamw", "sgd"};
/// optimizer: its states, and sharded gradients where the framework moves them along. parameters: all states.
/// activations: what is kept of the layers. all: all of it.
enum class Offload { none, optimizer, parameters, activations, optimizer_and_activations, all };
inline constexpr std::array<std::string_view, 6> kOffloadWords{
    "none", "optimizer", "parameters", "activations", "optimizer-and-activations", "all"};
enum class OffloadTarget { cpu, nvme };
inline constexpr std::array<std::string_view, 2> kOffloadTargetWords{"cpu", "nvme"};
constexpr bool offloads_parameters(Offload offload) {
  return offload == Offload::parameters || offload == Offload::all;
}
constexpr bool offloads_optimizer(Offload offload) {
  return offload == Offload::optimizer || offload == Offload::optimizer_and_activations || offloads_parameters(offload);
}
constexpr bool offloads_activations(Offload offload) {
  return offload == Offload::activations || offload == Offload::optimizer_and_activations || offload == Offload::all;
}

/// ring: keys and values pass round. heads: an all-to-all changes from a split of the sequence to a split of the heads.
enum class ContextExchange { ring, heads };
inline constexpr std::array<std::string_view, 2> kContextExchangeWords{"ring", "heads"};

/// Sizes of the parallel groups. GPUs of a run = tensor x pipeline x context x data.
struct TrainingParallelism {
  double tensor = 1;
  double pipeline = 1;
  double virtual_pipeline = 1;  ///< model chunks per pipeline stage
  double context = 1;
  double expert = 1;  ///< divides tensor x context x data together with expert_tensor
  double expert_tensor = 1;
  double data = 1;
  bool sequence_parallel = true;
  int zero_stage = 1;  ///< 0 none, 1 optimizer, 2 and gradients, 3 and parameters
  Shard shard = Shard::full;
};

/// Largest part of `count` ranks that divides it and is at most `room`: those of a group that one node holds.
inline double ranks_inside(double count, double room) {
  double ranks = std::max(1.0, std::min(count, std::floor(room)));
  while (ranks > 1 && count - ranks * std::floor(count / ranks) > 0) ranks -= 1;
  return ranks;
}

struct TrainingRun {
  double sequence_length = 0;    ///< tokens
  double micro_batch_size = 1;   ///< sequences per replica and micro-batch
  double global_batch_size = 1;  ///< sequences per optimizer step
  Precision precision = Precision::bf16;
  Fp8Recipe fp8_recipe = Fp8Recipe::delayed;
  Optimizer optimizer = Optimizer::adamw;
  TrainingParallelism parallelism;
  Schedule schedule = Schedule::one_f_one_b;
  bool embedding_and_loss_as_layers = false;
  Recompute activation_recompute = Recompute::none;
  TrainingMethod method = TrainingMethod::full;
  double lora_rank = 16;
  std::vector<LoraTarget> lora_targets;  ///< empty: all linear layers
  Offload offload = Offload::none;
  OffloadTarget offload_target = OffloadTarget::cpu;
  std::string framework = "megatron-core";
  std::string framework_version;
  std::string framework_date;  ///< ISO, possibly shortened: of the framework where it has no version
  Tuning tuning = Tuning::typical;
  double multi_token_depths = 0;      ///< multi-token prediction modules trained along
  double attention_tokens = 0;        ///< of packed documents: sum of squared lengths over their sum; 0: the sequence
  double expert_imbalance = 1;        ///< tokens of the busiest expert rank over the mean
  bool overlap = true;                ///< exchanges of tensor and data ranks run behind computation
  bool narrow_dispatch = false;       ///< tokens travel to their experts in 8 bit
  bool in_network_reduction = false;  ///< switches add up all-reduces between nodes (SHARP)
  ContextExchange context_exchange = ContextExchange::ring;
};

/// How a run's layers are cut into pipeline stages.
inline StageSplit stage_split(const TrainingRun& run) {
  return {.pipeline = run.parallelism.pipeline,
          .virtual_pipeline = run.parallelism.virtual_pipeline,
          .embedding_and_loss_as_layers = run.embedding_and_loss_as_layers};
}

}  // namespace podwright
