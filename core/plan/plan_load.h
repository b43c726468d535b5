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

/// Mean over maximum power of machines that are idle where nothing comes, and of which a share of the peak demand does.
constexpr auto load_at_share(Of<double> auto idle, Of<double> auto at_peak, Of<double> auto share) {
  return cited("docs/method/serving_energy.md#machines", idle + max(0.0, at_peak - idle) * share);
}

/// Mean over the GPUs of all workloads, and those that stand idle.
constexpr auto load_of_all(const auto& busy, Of<double> auto busy_gpus, Of<double> auto standing,
                           Of<double> auto idle) {
  const auto unused = max(0.0, standing - busy_gpus);
  return cited("docs/method/serving_energy.md#machines", (busy + unused * idle) / (busy_gpus + unused));
}

/// What a workload has to do with the load of its machines.
template <class Tracer>
struct LoadOfWorkload {
  std::optional<Known<Tracer, Watts>> gpu_power;  ///< at the peak; absent: none is predicted
  Known<Tracer, double> mean_share{};             ///< of its peak
  Known<Tracer, double> peak_gpus{};
};

template <class Tracer>
std::vector<LoadOfWorkload<Tracer>> loads_of(const PlanDemand<Tracer>& demand) {
  std::vector<LoadOfWorkload<Tracer>> loads;
  for (const WorkloadNumbers<Tracer>& of : demand.workloads) {
    const auto& [mean, peak, placement] = of.demand;
    LoadOfWorkload<Tracer> load{.gpu_power = {},
                                .mean_share = of.load_share ? *of.load_share : named("plan.mean_share", mean / peak),
                                .peak_gpus = peak};
    if (of.serving && of.serving->energy) load.gpu_power = of.serving->energy->gpu_power;
    loads.push_back(load);
  }
  return loads;
}

/// `standing`: GPUs that stand all the time, and have the mean demand; null: as many as are needed, at the peak of what
/// they are needed for. The request's where it names one, and kMeanLoad for what no power is predicted of.
template <class Tracer>
Known<Tracer, double> plan_load(Tracer& trace, const Catalog& catalog, const PlanEconomics& economics, const Gpu& gpu,
                                const System* system, const std::vector<LoadOfWorkload<Tracer>>& workloads,
                                const Known<Tracer, double>* standing) {
  if (economics.load) return trace.input("/load", *economics.load);
  const auto conventional = trace.constant("load", kMeanLoad, "Datacenter as a Computer, 4th edition, chapter 8");
  const System* const powered = power_system(catalog, system, gpu);
  if (powered == nullptr || !gpu.board_power) return conventional;
  const PlannedPower machine = *planned_power(*powered);
  const EfficiencyConstant& constant = catalog.serving_efficiency.constant(ServingConstant::power_ready);
  const auto ready = trace.fact(constant, constant.id, constant.value);
  const auto board = gpu_board(trace, gpu);
  const auto load_at = [&](const Known<Tracer, Watts>& drawn) {
    return named("plan.machine_load",
                 machine_load(trace.fact(*powered, machine.field, machine.value),
                              trace.fact(*powered, "gpu_count", powered->gpu_count), board, drawn));
  };
  const auto idle = load_at(named("plan.idle_gpu_power", board * ready));
  std::vector<Known<Tracer, double>> loads;
  std::vector<Known<Tracer, double>> gpus;
  for (const LoadOfWorkload<Tracer>& workload : workloads) {
    auto load = conventional;
    const auto& share = workload.mean_share;
    if (workload.gpu_power) {
      auto drawn = *workload.gpu_power;
      if (standing != nullptr) drawn = named("plan.mean_gpu_power", power_at_share(board, ready, drawn, share));
      load = load_at(drawn);
    } else if (standing != nullptr) {
      load = named("plan.load_of_share", load_at_share(idle, conventional, share));
    }
    gpus.push_back(workload.peak_gpus);
    loads.push_back(named("plan.load_of_gpus", load * workload.peak_gpus));
  }
  const auto busy = trace.sum("plan.loads", loads);
  const auto busy_gpus = trace.sum("plan.gpus_of_loads", gpus);
  return named("plan.load", load_of_all(busy, busy_gpus, standing != nullptr ? *standing : busy_gpus, idle));
}

template <class Tracer>
Known<Tracer, double> plan_load(Tracer& trace, const Catalog& catalog, const PlanEconomics& economics, const Gpu& gpu,
                                const System* system, const PlanDemand<Tracer>& demand,
                                const Known<Tracer, double>* standing) {
  return plan_load(trace, catalog, economics, gpu, system, loads_of(demand), standing);
}

}  // namespace podwright
