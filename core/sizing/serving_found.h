#pragma once
/// A deployment on its way through a search: what was chosen of it, before it is estimated as a whole.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "catalog/mig_profile.h"
#include "memory/serving_run.h"
#include "sizing/workload.h"

namespace podwright::sizing {

/// Goal of what is not possible.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

struct FoundDeployment {
  std::uint32_t offer = 0;
  std::uint32_t engine = 0;  ///< of the workload's
  std::string precision;
  ServingParallelism layout;           ///< of one replica
  double step_tokens = 0;              ///< 0: the engine's default
  double draft_tokens = 0;             ///< 0: no draft
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

}  // namespace podwright::sizing
