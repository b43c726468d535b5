#pragma once
/// What a serving search is asked, as its parts share it, and a deployment on its way through it.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "catalog/catalog.h"
#include "catalog/mig_profile.h"
#include "memory/serving_run.h"
#include "model/layers.h"
#include "sizing/workload.h"

namespace podwright::sizing {

/// All must outlive the search.
struct ServingQuestion {
  const Catalog& catalog;
  const Model& model;
  const LayerStack& stack;
  const std::vector<GpuOffer>& offers;
  const ServingWorkload& workload;
  const ServingConstraints& constraints;

  bool has_peak() const { return workload.peak_requests_per_s > 0; }
  bool coarse() const { return constraints.effort == Effort::coarse; }
  bool tries(Arrangement arrangement) const {
    const auto& asked = workload.arrangements;
    return std::find(asked.begin(), asked.end(), arrangement) != asked.end();
  }
  /// What one GPU adds to a goal: its price; 1 where GPUs are counted or no price is given.
  double goal_of_gpu(std::uint32_t offer) const {
    const auto& price = offers[offer].price_per_gpu;
    return constraints.objective == ServingObjective::gpus || !price ? 1.0 : price->base_units();
  }
  /// Added to goals, so that what has no price comes behind all that has one.
  double behind_prices(std::uint32_t offer) const {
    constexpr double kBeyondEveryPrice = 1e15;
    const bool ranked = !has_peak() || constraints.objective == ServingObjective::gpus;
    return ranked || offers[offer].price_per_gpu ? 0 : kBeyondEveryPrice;
  }
};

/// Goal of what is not possible.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

struct FoundDeployment {
  std::uint32_t offer = 0;
  std::uint32_t engine = 0;  ///< of the workload's
  std::string precision;
  ServingParallelism layout;           ///< of one replica
  double step_tokens = 0;              ///< 0: the engine's default
  double draft_tokens = 0;             ///< 0: no draft
  double prefix_hits = 0;              ///< of described traffic under the load of a replica, with `shared`
  std::optional<SharedPrefix> shared;  ///< absent: the workload's
  std::optional<HostLoads> loads;      ///< with `shared`
  const MigProfile* slice = nullptr;   ///< every replica has one; null: whole GPUs
  std::optional<Disaggregated> pools;  ///< with all their replicas; `layout` is then that of a decode replica
  double rate = 0;                     ///< requests/s of a replica at most, with pools of both together
  double replicas = 0;                 ///< 1 with pools
  double goal = kNever;                ///< smaller is better
};

/// Of equal goals the simpler one, then the one that carries more.
inline bool better(const FoundDeployment& a, const FoundDeployment& b) {
  if (a.goal != b.goal) return a.goal < b.goal;
  if (a.pools.has_value() != b.pools.has_value()) return b.pools.has_value();
  return a.rate * a.replicas > b.rate * b.replicas;
}

/// The run of a deployment at no load: layout, engine and format are those of `found`.
ServingRun run_of(const FoundDeployment& found, const ServingWorkload& workload);

/// Gives the run the KV cache that was measured of the same deployment on this GPU, or none. Engines with a draft, with
/// pools of their own or with another limit of a step than their default were not measured.
void take_measured(ServingRun& run, std::string_view gpu_id, const ServingWorkload& workload);

}  // namespace podwright::sizing
