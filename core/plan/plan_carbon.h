#pragma once
/// Greenhouse gases of a plan's ways, in a year and for a unit of work. docs/method/carbon.md#plans.
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "cost/carbon.h"
#include "cost/provider_name.h"
#include "cost/purchase.h"
#include "plan/plan_cost.h"

namespace podwright {

/// Energy at the meter of so much GPU time on machines that draw `facility_power` while all of their GPUs work.
constexpr auto energy_of_gpu_time(Of<Watts> auto facility_power, Of<Seconds> auto gpu_time, Of<double> auto gpus) {
  return cited("docs/method/carbon.md#plans", facility_power * gpu_time / gpus);
}

/// Of one way; what stands on a figure that is not known is absent, and `missing` names it.
template <class Tracer>
struct WayCarbon {
  using Number = Known<Tracer, double>;
  Carbon<Tracer> year;
  std::optional<Number> g_per_million_output_tokens;  ///< of a single serving workload: a year over its tokens
  std::vector<std::optional<Number>> kg_per_run;      ///< of each placed workload; absent for serving
  std::vector<std::string> missing;
  std::vector<std::string> cautions;
};

template <class Tracer>
struct PlanCarbon {
  std::optional<WayCarbon<Tracer>> own;        ///< absent without a design
  std::optional<WayCarbon<Tracer>> on_demand;  ///< absent where nothing is rented
  std::optional<WayCarbon<Tracer>> committed;
};

namespace plan_detail {

/// The whole cluster stands all year at its mean load; runs answer for the energy and the making of their GPU time, in
/// which their machines work.
template <class Tracer>
WayCarbon<Tracer> owned_carbon(Tracer& trace, const Catalog& catalog, const PlanRequest& request, const Gpu& gpu,
                               const System* system, const PlanDemand<Tracer>& demand, const PlanCost<Tracer>& cost) {
  WayCarbon<Tracer> way;
  way.kg_per_run.resize(demand.workloads.size());
  if (!cost.energy) {
    way.missing.emplace_back("The power of the machines is not known, so their carbon is absent.");
    return way;
  }
  CarbonInputs<Tracer> inputs;
  inputs.gpus = cost.owning_inputs.gpu_count;
  inputs.energy_per_year = cost.energy->per_year;
  inputs.life_years = cost.owning_inputs.horizon_years;
  add_grid(trace, grid_carbon(catalog, request.economics.region), inputs, way.missing);
  add_embodied(trace, catalog, gpu, inputs, way.missing, way.cautions);
  way.year = carbon_of(trace, inputs);
  if (cost.output_rate && way.year.kg_per_year)
    way.g_per_million_output_tokens =
        named("plan.carbon.million_output_tokens",
              grams_each(*way.year.kg_per_year, named("plan.millions_a_year", *cost.output_rate * years(1) / 1e6)));
  if (!cost.utilization) return way;
  inputs.utilization = *cost.utilization;
  for (std::size_t i = 0; i < demand.workloads.size(); ++i) {
    if (!demand.workloads[i].gpu_time) continue;
    const auto& gpu_time = *demand.workloads[i].gpu_time;
    const TraceScope scope(trace, "/economics");
    const auto working = named("plan.carbon.power_at_work",
                               cost.energy->facility_power_max *
                                   plan_load<Tracer>(trace, catalog, request.economics, gpu, system, demand, nullptr));
    const auto energy = named("plan.carbon.run_energy", energy_of_gpu_time(working, gpu_time, inputs.gpus));
    way.kg_per_run[i] = carbon_of_run(inputs, energy, gpu_time);
  }
  return way;
}

/// How a provider's region is called in the energy table.
inline std::string cloud_region_id(const CloudPrice& row) { return row.provider + ":" + row.region; }
/// Like grid_carbon, of where a rented machine stands: a quote names a country at most.
inline GridCarbon cloud_grid_carbon(const Catalog& catalog, const CloudPrice& row) {
  if (row.region.empty() && !row.country.empty()) return grid_carbon(catalog, row.country);
  if (row.region.empty()) {
    GridCarbon unknown;
    unknown.absence = "Where the machines of " + provider_name(row.provider) +
                      " are is not said, so the carbon of their electricity is not known.";
    return unknown;
  }
  GridCarbon grid = grid_carbon(catalog, cloud_region_id(row));
  if (grid.region == nullptr)
    grid.absence = "No dated source for the carbon of electricity in the region " + row.region + " of " +
                   provider_name(row.provider) + ".";
  return grid;
}

/// Operation of the GPUs while they stand for the plan. How long and how much a cloud uses its machines is not known,
/// so their making cannot be shared out.
template <class Tracer>
WayCarbon<Tracer> rented_carbon(Tracer& trace, const Catalog& catalog, const PlanRequest& request, const Gpu& gpu,
                                const System* system, const PlanDemand<Tracer>& demand, const CloudPrice& row,
                                const RentedWay<Tracer>& rented) {
  WayCarbon<Tracer> way;
  const TraceScope scope(trace, "/economics");
  // Committed machines stand whether they are used or not; others belong to somebody else while they are not.
  const bool committed = rented.inputs.commitment_years > 0;
  const auto load = plan_load(trace, catalog, request.economics, gpu, system, demand,
                              committed ? &rented.inputs.billed_gpus : nullptr);
  const auto power =
      mean_gpu_power(trace, catalog, system, gpu, load, trace.input("/pue", request.economics.pue), way.cautions);
  if (!power) {
    way.missing.push_back("No power of a machine with " + gpu.name + " is known.");
    return way;
  }
  way.cautions.emplace_back("The PUE of the rented machines is taken to be that of the request.");
  CarbonInputs<Tracer> inputs;
  inputs.gpus = committed ? rented.inputs.billed_gpus
                          : named("plan.carbon.rented_gpus", rented.inputs.billed_gpus * rented.inputs.utilization);
  inputs.energy_per_year =
      named("plan.carbon.rented_energy", energy_per_year(named("plan.carbon.rented_power", inputs.gpus * *power)));
  add_grid(trace, cloud_grid_carbon(catalog, row), inputs, way.missing);
  way.year = carbon_of(trace, inputs);
  way.missing.emplace_back(
      "Making the rented machines: how long and how much a cloud uses its machines has no dated source.");
  return way;
}

}  // namespace plan_detail

/// `system` (may be null) holds the owned GPUs.
template <class Tracer>
PlanCarbon<Tracer> plan_carbon(Tracer& trace, const Catalog& catalog, const PlanRequest& request, const Gpu& gpu,
                               const System* system, const PlanPricing& pricing, const PlanDemand<Tracer>& demand,
                               const PlanCost<Tracer>& cost) {
  PlanCarbon<Tracer> carbon;
  if (system != nullptr) carbon.own = plan_detail::owned_carbon(trace, catalog, request, gpu, system, demand, cost);
  if (cost.on_demand)
    carbon.on_demand = plan_detail::rented_carbon(trace, catalog, request, gpu, system, demand, *pricing.market.chosen,
                                                  *cost.on_demand);
  if (cost.committed)
    carbon.committed = plan_detail::rented_carbon(trace, catalog, request, gpu, system, demand,
                                                  *cost.committed->offer.market.chosen, cost.committed->way);
  return carbon;
}

}  // namespace podwright
