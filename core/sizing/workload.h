#pragma once
/// What a search is asked for, and what it may use.
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "catalog/gpu.h"
#include "catalog/system.h"
#include "memory/serving_run.h"
#include "memory/training_run.h"
#include "sizing/latency_limit.h"
#include "sizing/training_space.h"

namespace podwright::sizing {

/// aggregated: every replica computes prompts and answers. disaggregated: pools of their own for each.
enum class Arrangement { aggregated, disaggregated };
inline constexpr std::array<std::string_view, 2> kArrangementWords{"aggregated", "disaggregated"};

/// An engine that was started with its defaults, and how many tokens its KV cache came to hold.
struct MeasuredDeployment {
  std::string gpu;  ///< id
  std::string engine;
  std::string weight_precision;
  ServingParallelism parallelism;  ///< of one replica
  double kv_cache_tokens = 0;      ///< of one rank of attention data parallelism
};

struct ServingWorkload {
  double peak_requests_per_s = 0;  ///< 0: as many as the GPUs carry
  double input_tokens = 0;
  double output_tokens = 0;
  double input_tokens_cv = 0;   ///< standard deviation over mean
  double output_tokens_cv = 0;  ///< the same
  double prefix_hit_ratio = 0;
  std::optional<TrafficPattern> traffic;  ///< what prefix_hit_ratio follows from, where it is not given
  std::vector<LatencyLimit> limits;
  double confidence = 0.5;  ///< probability with which each limit is kept at the peak; 0.5: as predicted
  std::vector<Arrangement> arrangements{Arrangement::aggregated};
  std::optional<Speculative> draft;  ///< beside running without one; its draft_tokens are chosen
  std::vector<double> draft_tokens;  ///< to choose from
  std::vector<std::string> engines{"vllm"};
  Tuning tuning = Tuning::typical;
  std::vector<std::string> weight_precisions;  ///< ids of weight formats; empty: 16 bit, fp8 where the GPU computes it
  std::vector<MeasuredDeployment> measured;    ///< count in place of what is computed of the same deployments
};

struct TrainingWorkload {
  TrainingMethod method = TrainingMethod::full;
  double tokens = 0;          ///< of the whole run; 0: not told, layouts are compared by their step
  Seconds deadline;           ///< 0: none
  double deadline_share = 1;  ///< that a run may take as predicted, so that it keeps the deadline for sure enough
  double memory_share = 1;    ///< of a GPU's memory that a layout takes as predicted, so that it fits for sure enough
  double sequence_length = 4096;
  double global_batch_size = 256;
  std::vector<Precision> precisions{Precision::bf16};
  Fp8Recipe fp8_recipe = Fp8Recipe::delayed;
  Optimizer optimizer = Optimizer::adamw;
  double lora_rank = 16;
  std::vector<LoraTarget> lora_targets;
  std::string framework = "megatron-core";
  std::string framework_version;
  Tuning tuning = Tuning::typical;
  /// Time of an undisturbed run over that of a real one on so many GPUs, 0 to 1: failures, checkpoints, stragglers.
  /// Absent: nothing disturbs.
  std::function<double(double gpus)> effective_share;
};

struct SearchConstraints {
  double max_gpus = 16384;
  double top = 5;                  ///< candidates to return
  bool each_replica_size = false;  ///< of serving: also smaller replicas, which take more GPUs in all
  double mean_share = 1;           ///< of serving: mean load over peak
};

/// What GPUs do.
inline constexpr std::array<std::string_view, 2> kWorkloadTypeWords{"serving", "training"};

/// What makes a deployment better. cost: the lowest price of its GPUs. gpus: the fewest. Without a peak rate the one
/// that carries most requests comes first.
enum class ServingObjective { cost, gpus };
inline constexpr std::array<std::string_view, 2> kServingObjectiveWords{"cost", "gpus"};

/// full: step limits of the engine beside its default, the edge of the limits to half a percent. coarse: the default
/// alone, the edge to a few percent.
enum class Effort { full, coarse };
inline constexpr std::array<std::string_view, 2> kEffortWords{"full", "coarse"};

struct ServingConstraints {
  double max_gpus = 16384;
  ServingObjective objective = ServingObjective::cost;
  Effort effort = Effort::full;
  double top = 5;                  ///< candidates to return
  bool each_replica_size = false;  ///< also the best of smaller replicas, where larger ones take fewer GPUs
  double mean_share = 1;           ///< mean load over peak: where each size is asked for, also the fewest GPUs at it
};

/// time: the shortest run. gpus: the fewest that meet the deadline. cost, energy: the least of the whole run.
enum class Objective { time, gpus, cost, energy };
inline constexpr std::array<std::string_view, 4> kObjectiveWords{"time", "gpus", "cost", "energy"};

/// A GPU type that may be used. Everything it points to must outlive the search.
struct GpuOffer {
  const Gpu* gpu = nullptr;
  const System* system = nullptr;  ///< that holds it; null: one of the catalog
  std::optional<UsdPerSecond> price_per_gpu;
  std::optional<Watts> power_per_gpu;
  /// Of a GPU in a training job of so many, whose machines need a network between them; empty: price_per_gpu.
  std::function<std::optional<UsdPerSecond>(double gpus)> price_in_job = {};
};

struct TrainingConstraints {
  std::vector<double> gpu_counts;  ///< to try; empty: powers of two and whole nodes up to `max_gpus`
  double max_gpus = 16384;
  Objective objective = Objective::time;
  double top = 5;  ///< candidates to return
  TrainingLimits limits;
  /// Also evaluates the layouts that the framework does not launch, to tell what they would bring.
  bool every_layout = false;
};

/// A run of the workload before its layout is chosen.
ServingRun serving_run(const ServingWorkload& workload);
TrainingRun training_run(const TrainingWorkload& workload);

}  // namespace podwright::sizing
