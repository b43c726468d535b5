#pragma once
/// A hybrid for several workloads of which only mean and peak are known, some bound to one side.
/// docs/method/portfolio.md#demand.
#include <vector>

#include "base/arithmetic.h"
#include "cost/hybrid.h"

namespace podwright {

/// Where a workload may run.
enum class Placement {
  anywhere,
  owned,   ///< data that must not leave, or a site without a line out
  rented,  ///< needed so rarely or so soon that nothing is bought for it
};

/// GPUs that a workload needs: on average over all hours and at its busiest. Peaks of workloads come together.
template <class Tracer>
struct Demand {
  Known<Tracer, double> mean_gpus{};
  Known<Tracer, double> peak_gpus{};  ///< at least the mean
  Placement placement = Placement::anywhere;
};

/// The cheapest split. `demands` must not be empty.
template <class Tracer>
Hybrid<Tracer> best_hybrid_of_demands(Tracer& trace, const std::vector<Demand<Tracer>>& demands,
                                      const HybridPrices<Tracer>& prices) {
  using Gpus = Known<Tracer, double>;
  const auto share = named("cost.hybrid.own_above_share", own_above_share(prices.own, prices.friction, prices.rent));
  std::vector<Gpus> own{0.0};
  std::vector<Gpus> rented_mean{0.0};
  std::vector<Gpus> rented_peak{0.0};
  std::vector<Gpus> means;
  std::vector<Gpus> peaks;
  bool must_own = false;
  bool must_rent = false;
  for (const Demand<Tracer>& demand : demands) {
    means.push_back(demand.mean_gpus);
    peaks.push_back(demand.peak_gpus);
    const bool steady = !(value_of(demand.mean_gpus) < value_of(demand.peak_gpus));
    const bool owned = demand.placement == Placement::owned ||
                       (demand.placement == Placement::anywhere && steady && value_of(share) < 1.0);
    const bool rented =
        demand.placement == Placement::rented || (demand.placement == Placement::anywhere && !(value_of(share) < 1.0));
    must_own = must_own || demand.placement == Placement::owned;
    must_rent = must_rent || demand.placement == Placement::rented;
    if (owned) {
      own.push_back(demand.peak_gpus);
    } else if (rented) {
      rented_mean.push_back(demand.mean_gpus);
      rented_peak.push_back(demand.peak_gpus);
    } else {
      const auto exponent = named("cost.hybrid.demand_exponent", demand_exponent(demand.mean_gpus, demand.peak_gpus));
      const auto exceeded = named("cost.hybrid.owned_of_demand", exceeded_demand(demand.peak_gpus, share, exponent));
      own.push_back(exceeded);
      rented_mean.push_back(named("cost.hybrid.rented_of_demand", demand_above(demand.peak_gpus, share, exponent)));
      rented_peak.push_back(named("cost.hybrid.rented_peak_of_demand", demand.peak_gpus - exceeded));
    }
  }
  Hybrid<Tracer> hybrid =
      hybrid_cost(trace, trace.sum("cost.hybrid.own_gpus", own), trace.sum("cost.hybrid.rented_gpus_mean", rented_mean),
                  trace.sum("cost.hybrid.rented_gpus_peak", rented_peak), prices);
  if (!must_own)
    hybrid.all_rented = named("cost.hybrid.all_rented", trace.sum("cost.hybrid.mean_gpus", means) * prices.rent);
  if (!must_rent)
    hybrid.all_owned = named("cost.hybrid.all_owned", trace.sum("cost.hybrid.peak_gpus", peaks) * prices.own);
  return hybrid;
}

}  // namespace podwright
