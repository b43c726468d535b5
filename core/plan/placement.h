#pragma once
/// Layouts of one workload on one GPU, and what more or fewer GPUs would buy. docs/method/search.md.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/infeasible.h"
#include "catalog/catalog.h"
#include "plan/plan_demand.h"
#include "plan/plan_request.h"

namespace podwright {

/// A point of the trade between speed, cost and power, over all GPUs and layouts.
struct ParetoPoint {
  std::string gpu = {};
  double gpu_count = 0;
  std::string layout = {};
  std::optional<double> tpot_s = {};
  std::optional<double> ttft_s = {};
  std::optional<double> run_s = {};  ///< of one training run
  std::optional<double> rent_usd_per_hour = {};
  std::optional<double> it_power_kw = {};  ///< the GPUs' share of their machines at full load
};

struct Placements {
  std::vector<PlacedWorkload> best;  ///< best first
  std::optional<Infeasible> reason;  ///< why there is none
  std::vector<ParetoPoint> front;    ///< every point needs fewer GPUs than the faster ones
  std::vector<std::string> assumptions;
  std::vector<std::string> not_modelled;
};

/// Of the workload with this index.
Placements place(const Catalog& catalog, const PlanRequest& request, std::size_t index, const Gpu& gpu);

}  // namespace podwright
