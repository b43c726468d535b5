#pragma once
/// How hard the machines of a plan work, as mean over maximum power. docs/method/serving_energy.md#machines.
#include <optional>
#include <vector>

#include "base/arithmetic.h"
#include "cost/ownership_formulas.h"
#include "cost/purchase.h"
#include "plan/plan_demand.h"

namespace podwright {

/// What a GPU draws where only a share of its peak demand comes: what it draws in any case, and as much less of the
/// rest as comes less.
constexpr auto power_at_share(Of<Watts> auto board, Of<double> auto ready, Of<Watts> auto at_peak,
                              Of<double> auto share) {
  const auto in_any_case = board * ready;
  return cited("docs/method/serving_energy.md#machines", in_any_case + max(watts(0), at_peak - in_any_case) * share);
}

/// A machine draws its most less what its GPUs leave of their boards' power.
constexpr auto machine_load(Of<Watts> auto machine, Of<double> auto gpus, Of<Watts> auto board, Of<Watts> auto drawn) {
  return cited("docs/method/serving_energy.md#machines", 1.0 - gpus * (board - drawn) / machine);
}

/// Mean over all workloads, each with its GPUs at the peak.
constexpr auto weighted_load(const auto& sum, const auto& gpus) {
  return cited("docs/method/serving_energy.md#machines", sum / gpus);
}

/// `at_peak`: where only as much demand comes as the machines that stand are for, as with those rented for a peak.
/// Else with the mean demand. The request's where it names one, and kMeanLoad for what no power is predicted of.
template <class Tracer>
Known<Tracer, double> plan_load(Tracer& trace, const Catalog& catalog, const PlanEconomics& economics, const Gpu& gpu,
                                const System* system, const PlanDemand<Tracer>& demand, bool at_peak) {
  if (economics.load) return trace.input("/load", *economics.load);
  const auto conventional = trace.constant("load", kMeanLoad, "Datacenter as a Computer, 4th edition, chapter 8");
  const System* const powered = power_system(catalog, system, gpu);
  if (powered == nullptr || !gpu.board_power) return conventional;
  const PlannedPower machine = *planned_power(*powered);
  const EfficiencyConstant& ready = catalog.serving_efficiency.constant(ServingConstant::power_ready);
  const auto board = gpu_board(trace, gpu);
  std::vector<Known<Tracer, double>> loads;
  std::vector<Known<Tracer, double>> gpus;
  for (const WorkloadNumbers<Tracer>& workload : demand.workloads) {
    auto load = conventional;
    if (workload.serving && workload.serving->energy) {
      auto drawn = workload.serving->energy->gpu_power;
      if (!at_peak)
        drawn = named("plan.mean_gpu_power",
                      power_at_share(board, trace.fact(ready, ready.id, ready.value), drawn,
                                     named("plan.mean_share", workload.demand.mean_gpus / workload.demand.peak_gpus)));
      load =
          named("plan.machine_load", machine_load(trace.fact(*powered, machine.field, machine.value),
                                                  trace.fact(*powered, "gpu_count", powered->gpu_count), board, drawn));
    }
    gpus.push_back(workload.demand.peak_gpus);
    loads.push_back(named("plan.load_of_gpus", load * workload.demand.peak_gpus));
  }
  if (loads.size() == 1) return named("plan.load", weighted_load(loads.front(), gpus.front()));
  return named("plan.load", weighted_load(trace.sum("plan.loads", loads), trace.sum("plan.gpus_of_loads", gpus)));
}

}  // namespace podwright
