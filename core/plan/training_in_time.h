#pragma once
/// Training by its deadline with the failures, checkpoints and restarts that it will see.
/// docs/method/decision.md#training.
#include <cstddef>
#include <optional>

#include "base/infeasible.h"
#include "catalog/catalog.h"
#include "plan/plan_demand.h"
#include "plan/plan_request.h"
#include "sizing/workload.h"

namespace podwright {

/// Training as the search takes it: every size of cluster is judged with the share of time in which it moves on.
/// All but the result's copy of numbers must outlive it.
sizing::TrainingWorkload training_need(const Catalog& catalog, const PlanEconomics& economics,
                                       const PlanWorkload& workload, const Gpu& gpu);

struct LateRun {
  std::size_t workload = 0;  ///< in the request
  Infeasible reason;
};
/// The first run that ends after its deadline on the network of the chosen design, or shares the GPUs too long.
std::optional<LateRun> late_run(const PlanRequest& request, const std::vector<PlacedWorkload>& placed,
                                const PlanDemand<NoTrace>& demand);

}  // namespace podwright
