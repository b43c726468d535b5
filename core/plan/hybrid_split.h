#pragma once
/// The cheapest split of a plan's work into whole owned nodes and whole rented instances.
/// docs/method/decision.md#hybrid.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/append.h"
#include "base/arithmetic.h"
#include "base/stable_sort.h"
#include "base/units.h"
#include "cost/hybrid.h"
#include "plan/plan_demand.h"

namespace podwright {

/// Trainings that take turns and wait until their deadlines for nodes that serving leaves idle.
struct WaitingRuns {
  double gpus = 0;          ///< of the largest one
  double needed_share = 0;  ///< of the time, for all of them
};

struct HybridWork {
  DemandLoad load;
  double bound_gpus = 0;               ///< of work that must be owned
  double reserve_gpus = 0;             ///< of the load, that always stand
  std::optional<WaitingRuns> waiting;  ///< absent where there is no run, or none may wait
};

/// Prices of one GPU and time, and how many of them only come together.
struct HybridUnits {
  UsdPerSecond own;  ///< with what moving work costs
  UsdPerSecond rent;
  double node_gpus = 1;
  double instance_gpus = 1;
  double most_own_gpus = 1e18;  ///< that the site may have, beyond those of bound work
};

struct HybridSplit {
  double own_gpus = 0;
  double instances_mean = 0;  ///< rented
  double instances_peak = 0;
  bool runs_wait = false;  ///< all runs fit into what serving leaves idle of the owned nodes
};

/// What is rented besides so many owned GPUs.
HybridSplit split_with(const HybridWork& work, const HybridUnits& units, double own_gpus);

/// The cheapest split that owns what is bound; it may own or rent everything.
HybridSplit best_split(const HybridWork& work, const HybridUnits& units);

/// What a hybrid is made of: owned nodes and rented instances of a given number of GPUs each, as many together as the
/// largest replica of a model takes, so that none is half owned.
template <class Tracer>
struct HybridMachines {
  Known<Tracer, double> node_gpus{};
  Known<Tracer, double> instance_gpus{};
  double replica_gpus = 1;
  double most_own_gpus = 1e18;  ///< that the budget and the power of the site admit

  /// GPUs of the machines that come together.
  double joined(double machine) const { return machine * std::ceil(replica_gpus / machine); }
};

namespace plan_detail {

/// The work of a plan as one load. Nothing waits for another where workloads are kept apart, and nodes of bound work
/// then carry nothing else.
template <class Tracer>
HybridWork hybrid_work(const PlanRequest& request, const std::vector<PlacedWorkload>& placed,
                       const PlanDemand<Tracer>& of) {
  const std::vector<WorkloadNumbers<Tracer>>& workloads = of.workloads;
  const bool apart = request.constraints.separate_workloads;
  HybridWork work;
  if (asks_for_machines(request.constraints.ownership)) work.bound_gpus = 1;  // one machine at least is owned
  WaitingRuns waiting;
  bool may_wait = !apart;
  DayDemand day;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const Demand<Tracer>& demand = workloads[i].demand;
    const double peak = value_of(demand.peak_gpus);
    const double mean = value_of(demand.mean_gpus);
    const bool bound = demand.placement == Placement::owned;
    if (bound) work.bound_gpus += peak;
    if (placed[i].serving() != nullptr) {
      if (workloads[i].day && !(apart && bound)) {
        day.add(*workloads[i].day, peak, mean);
        continue;
      }
      // What the last replica has left is never needed.
      const double most = mean < peak ? peak / placed[i].headroom : peak;
      if (most < peak) work.load.runs.push_back({.gpus = peak - most, .share = 0});
      work.load.serving_peak += most;
      work.load.serving_mean += apart && bound ? most : mean;
      continue;
    }
    work.load.runs.push_back({.gpus = peak, .share = apart && bound ? 1.0 : mean / peak});
    if (!workloads[i].share || value_of(workloads[i].share->deadline) < days(1)) {
      may_wait = false;
      continue;
    }
    const TrainingShare<Tracer>& share = *workloads[i].share;
    waiting.gpus = std::max(waiting.gpus, peak);
    waiting.needed_share +=
        training_share(value_of(share.run_time), whole_days(value_of(share.deadline)), value_of(share.runs_per_year));
  }
  append(work.load.runs, day.steps());
  sort_stably(work.load.runs, [](const RunLoad& a, const RunLoad& b) { return a.share > b.share; });
  // Valleys are those of serving that varies.
  if (may_wait && waiting.gpus > 0 && work.load.serving_mean < work.load.serving_peak) work.waiting = waiting;
  if (!of.reserve) return work;
  work.reserve_gpus = value_of(*of.reserve);
  work.load.runs.insert(work.load.runs.begin(), {.gpus = work.reserve_gpus, .share = 1});
  return work;
}

}  // namespace plan_detail

/// What is rented of a hybrid: the price of a GPU and time, and the machines that it comes in.
template <class Tracer>
struct RentedPart {
  Known<Tracer, UsdPerSecond> price{};
  Known<Tracer, double> instance_gpus{};
  double least_instances = 0;  ///< smallest order, which always stands
};

/// The cheapest split; absent where it owns nothing or everything. `prices` are those of all the work; of the parts,
/// `price_of_owned` gives that of so many GPUs, `rented_beside` what is rented beside them, of the work.
template <class Tracer, class PriceOfOwned, class RentedBeside>
std::optional<Hybrid<Tracer>> plan_hybrid(Tracer& trace, const PlanRequest& request,
                                          const std::vector<PlacedWorkload>& placed, const PlanDemand<Tracer>& demand,
                                          const HybridMachines<Tracer>& machines, HybridPrices<Tracer> prices,
                                          const PriceOfOwned& price_of_owned, const RentedBeside& rented_beside) {
  const HybridWork work = plan_detail::hybrid_work(request, placed, demand);
  HybridUnits units{.own = value_of(prices.own) + value_of(prices.friction),
                    .rent = value_of(prices.rent),
                    .node_gpus = machines.joined(value_of(machines.node_gpus)),
                    .instance_gpus = machines.joined(value_of(machines.instance_gpus)),
                    .most_own_gpus = machines.most_own_gpus};
  HybridSplit split = best_split(work, units);
  if (!(split.own_gpus > 0) || !(split.instances_peak > 0)) return std::nullopt;
  const auto beside = [&](double instance_gpus, double least_instances) {
    units.instance_gpus = machines.joined(instance_gpus);
    HybridSplit with = split_with(work, units, split.own_gpus);
    const double joined = units.instance_gpus / instance_gpus;
    with.instances_mean = std::max(with.instances_mean * joined, least_instances);
    with.instances_peak = std::max(with.instances_peak * joined, least_instances);
    return with;
  };
  const RentedPart<Tracer> part = rented_beside(beside);
  split = beside(value_of(part.instance_gpus), part.least_instances);
  const auto found = [&](std::string_view id, double value) {
    return trace.method(id, value, "docs/method/decision.md#hybrid");
  };
  const auto mean = found("cost.hybrid.rented_instances_mean", split.instances_mean);
  const auto peak = found("cost.hybrid.rented_instances_peak", split.instances_peak);
  const auto own_gpus = found("cost.hybrid.own_gpus", split.own_gpus);
  const auto price = price_of_owned(own_gpus);
  if (!price) return std::nullopt;  // a part of it has no price
  prices.own = *price;
  prices.rent = part.price;
  Hybrid<Tracer> hybrid = hybrid_cost(trace, own_gpus, named("cost.hybrid.rented_gpus_mean", mean * part.instance_gpus),
                                      named("cost.hybrid.rented_gpus_peak", peak * part.instance_gpus), prices);
  hybrid.rented_instances_mean = mean;
  hybrid.rented_instances_peak = peak;
  return hybrid;
}

}  // namespace podwright
