#pragma once
/// Layouts of one workload on one GPU, and what more or fewer GPUs would buy. docs/method/search.md.
/// Training by its deadline with the failures, checkpoints and restarts that it will see.
/// docs/method/decision.md#training.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/infeasible.h"
#include "catalog/catalog.h"
#include "plan/plan_demand.h"
#include "plan/plan_request.h"
#include "sizing/workload.h"

namespace podwright {

/// Training as the search takes it: every size of cluster is judged with the share of time in which it moves on.
/// All but the result's copy of numbers must outlive it.
sizing::TrainingWorkload training_need(const Catalog& catalog, const PlanRequest& request, const PlanWorkload& workload,
                                       const Gpu& gpu);

struct LateRun {
  std::size_t workload = 0;  ///< in the request
  Infeasible reason;
};
/// The first run that ends after its deadline on the network of the chosen design, or shares the GPUs too long.
std::optional<LateRun> late_run(const PlanRequest& request, const std::vector<PlacedWorkload>& placed,
                                const PlanDemand<NoTrace>& demand);

/// A point of the trade between speed, cost and power, over all GPUs and layouts.
struct ParetoPoint {
  std::string gpu = {};
  double gpu_count = 0;
  std::string layout = {};
  std::optional<double> tpot_s = {};
  std::optional<double> ttft_s = {};  ///< of a request that need not wait for a place
  std::optional<double> run_s = {};   ///< of one training run
  std::optional<double> rent_usd_per_hour = {};
  std::optional<double> it_power_kw = {};  ///< the GPUs' share of their machines at full load
};

struct Placements {
  std::vector<PlacedWorkload> deployments;  ///< each may be the cheapest; that of the fewest GPUs first
  std::optional<Infeasible> reason;         ///< why there is none
  std::vector<ParetoPoint> front;           ///< every point needs fewer GPUs than the faster ones
  std::vector<std::string> assumptions;
  std::vector<std::string> not_modelled;
};

/// Of the workload with this index; `arrangement` is that of serving.
Placements place(const Catalog& catalog, const PlanRequest& request, std::size_t index, const Gpu& gpu,
                 sizing::Arrangement arrangement = sizing::Arrangement::aggregated);

}  // namespace podwright
