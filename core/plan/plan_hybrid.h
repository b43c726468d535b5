#pragma once
/// Owning whole nodes for the base of the demand and renting the rest. docs/method/decision.md#hybrid.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "cost/shared_demand.h"
#include "plan/plan_demand.h"
#include "plan/plan_formulas.h"

namespace podwright {
namespace plan_detail {

/// Demand that varies and demand that comes in runs, each as one sum or list.
template <class Tracer>
struct SplitDemand {
  using Gpus = typename Tracer::template Known<double>;
  std::vector<Gpus> owned_always;  ///< runs that are owned, and serving that may not leave
  std::vector<Gpus> rented_mean;   ///< runs that are rented
  std::vector<Gpus> rented_peak;
  std::vector<Gpus> varying_mean;  ///< serving that may go both ways
  std::vector<Gpus> varying_peak;
};

template <class Tracer>
SplitDemand<Tracer> split_demand(const PlanRequest& request, const std::vector<PlacedWorkload>& placed,
                                 const std::vector<WorkloadNumbers<Tracer>>& workloads, double own_above) {
  SplitDemand<Tracer> split;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const Demand<Tracer>& demand = workloads[i].demand;
    const double peak = value_of(demand.peak_gpus);
    const double mean = value_of(demand.mean_gpus);
    const bool runs = request.workloads[placed[i].index].type == WorkloadType::training;
    const bool bound = demand.placement == Placement::owned;
    if (bound || ((runs || !(mean < peak)) && mean > own_above * peak)) {
      split.owned_always.push_back(demand.peak_gpus);
    } else if (runs || !(mean < peak) || !(own_above < 1)) {
      split.rented_mean.push_back(demand.mean_gpus);
      split.rented_peak.push_back(demand.peak_gpus);
    } else {
      split.varying_mean.push_back(demand.mean_gpus);
      split.varying_peak.push_back(demand.peak_gpus);
    }
  }
  return split;
}

}  // namespace plan_detail

/// The cheapest split into owned nodes of `node_gpus` and rented GPUs; absent where it owns nothing or everything.
template <class Tracer>
std::optional<Hybrid<Tracer>> plan_hybrid(Tracer& trace, const PlanRequest& request,
                                          const std::vector<PlacedWorkload>& placed,
                                          const std::vector<WorkloadNumbers<Tracer>>& workloads,
                                          const typename Tracer::template Known<double>& node_gpus,
                                          const HybridPrices<Tracer>& prices) {
  using Gpus = typename Tracer::template Known<double>;
  const auto share =
      trace.step("cost.hybrid.own_above_share", kOwnAboveShare, prices.own, prices.friction, prices.rent);
  const auto split = plan_detail::split_demand(request, placed, workloads, value_of(share));
  const auto none = trace.constant("no_gpus", 0.0, "nothing of this kind");
  const auto sum_of = [&](std::string_view id, const std::vector<Gpus>& parts) {
    return parts.empty() ? none : trace.sum(id, parts);
  };
  const Gpus always = sum_of("cost.hybrid.owned_always", split.owned_always);
  const Gpus mean = sum_of("cost.hybrid.varying_mean", split.varying_mean);
  const Gpus peak = sum_of("cost.hybrid.varying_peak", split.varying_peak);
  const bool varies = !split.varying_peak.empty();
  const Gpus exponent = varies ? trace.step("cost.hybrid.demand_exponent", kDemandExponent, mean, peak) : none;
  const Gpus best = varies ? trace.step("cost.hybrid.owned_of_demand", kExceededDemand, peak, share, exponent) : none;
  const Gpus exact = trace.sum("cost.hybrid.owned_exactly", std::vector{always, best});

  /// With so many owned GPUs, of which the bound work takes its part first.
  const auto with = [&](const Gpus& own) {
    std::vector<Gpus> rented_mean = split.rented_mean;
    std::vector<Gpus> rented_peak = split.rented_peak;
    if (varies) {
      const Gpus left = trace.step("cost.hybrid.left_for_varying", kRestOfDemand, own, always);
      const bool covers = !(value_of(left) < value_of(peak));
      if (!covers) {
        const Gpus rest = trace.step("cost.hybrid.rented_peak_of_demand", kRestOfDemand, peak, left);
        const auto exceeding = trace.step("cost.hybrid.share_exceeding", kShareExceeding, rest, peak, exponent);
        rented_mean.push_back(trace.step("cost.hybrid.rented_of_demand", kDemandAbove, peak, exceeding, exponent));
        rented_peak.push_back(rest);
      }
    }
    return hybrid_cost(trace, own, sum_of("cost.hybrid.rented_gpus_mean", rented_mean),
                       sum_of("cost.hybrid.rented_gpus_peak", rented_peak), prices);
  };
  const auto above = with(trace.step("cost.hybrid.own_gpus", kGpusOfNodesAbove, exact, node_gpus));
  std::optional<Hybrid<Tracer>> chosen = above;
  const Gpus lower = trace.step("cost.hybrid.own_gpus", kGpusOfNodesBelow, exact, node_gpus);
  // Bound work must fit whatever the split costs.
  if (value_of(lower) >= value_of(always)) {
    const auto below = with(lower);
    if (value_of(below.total) < value_of(above.total)) chosen = below;
  }
  if (!(value_of(chosen->own_gpus) > 0) || !(value_of(chosen->rented_gpus_peak) > 0)) return std::nullopt;
  return chosen;
}

}  // namespace podwright
