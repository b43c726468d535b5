#pragma once
/// The numbers of one plan: estimates of its workloads, its design, and what it costs each way. One code for ranking
/// and explanation: a template over the tracer.
#include <algorithm>
#include <optional>
#include <vector>

#include "architecture/design.h"
#include "architecture/selection.h"
#include "base/arithmetic.h"
#include "base/trace.h"
#include "plan/growth.h"
#include "plan/plan_carbon.h"
#include "plan/plan_cost.h"
#include "plan/plan_demand.h"
#include "plan/plan_reliability.h"
#include "plan/plan_request.h"

namespace podwright {

/// What was decided; the numbers follow from it. Pointers into catalog and request, which must outlive it.
struct PlanDecision {
  const Gpu* gpu = nullptr;
  std::vector<PlacedWorkload> placed;
  std::optional<ArchitectureDesign> design;  ///< absent: the catalog has none for this GPU
  std::vector<DesignAdvice> advice;          ///< on the design
  DesignRequest site;                        ///< that the design stands on
  PlanPricing pricing;

  const System* system() const { return design ? design->parts.system : nullptr; }
};

template <class Tracer>
struct PlanNumbers {
  PlanDemand<Tracer> demand;
  std::optional<Design<Tracer>> design;  ///< absent: no system of the catalog holds the GPU
  PlanCost<Tracer> cost;
  PlanCarbon<Tracer> carbon;
  std::optional<PlanReliability<Tracer>> reliability;  ///< of owned machines; absent without a design
  std::optional<Growth<Tracer>> growth;                ///< absent without growth or design
};

/// Numbers for the horizon that the design is built for: the GPUs of today, grown over the whole years of the horizon.
/// Absent without growth.
template <class Tracer>
std::optional<Known<Tracer, double>> horizon_gpu_count(Tracer& trace, const PlanEconomics& economics,
                                                       const Known<Tracer, double>& gpu_count) {
  if (economics.demand_growth_per_year <= 0) return std::nullopt;
  const TraceScope scope(trace, "/economics");
  const auto periods =
      trace.method("plan.whole_years", std::floor(economics.horizon_years), "whole years of /economics/horizon_years");
  return named(
      "plan.horizon_gpu_count",
      grown_gpu_count(gpu_count, trace.input("/demand_growth_per_year", economics.demand_growth_per_year), periods));
}

namespace plan_detail {

template <class Tracer>
std::optional<Design<Tracer>> built_design(Tracer& trace, const Catalog& catalog, const PlanRequest& request,
                                           const PlanDecision& decision, const Known<Tracer, double>& gpu_count) {
  if (decision.system() == nullptr) return std::nullopt;
  DesignNumbers<Tracer> site{.site = {.gpu_count = gpu_count,
                                      .growth_gpu_count = horizon_gpu_count(trace, request.economics, gpu_count),
                                      .rack_power = {}},
                             .pue = trace.input("/economics/pue", request.economics.pue)};
  if (request.constraints.rack_power_kw)
    site.site.rack_power = trace.input("/constraints/rack_power_kw", kw(*request.constraints.rack_power_kw));
  return make_design(trace, catalog, *decision.gpu, decision.design->parts, decision.site, site);
}

/// Absent without growth.
template <class Tracer>
std::optional<Growth<Tracer>> growth_of(Tracer& trace, const PlanRequest& request, const PlanDecision& decision,
                                        const Known<Tracer, double>& gpu_count,
                                        const std::optional<Design<Tracer>>& design) {
  if (request.economics.demand_growth_per_year == 0 || !design) return std::nullopt;
  const System& system = *decision.system();
  const TraceScope scope(trace, "/economics");
  GrowthTerms<Tracer> terms{
      .gpu_count = gpu_count,
      .growth_per_year = trace.input("/demand_growth_per_year", request.economics.demand_growth_per_year),
      .horizon = plan_horizon(trace, request.economics),
      .gpus_per_node = trace.fact(system, "gpu_count", system.gpu_count),
      .first_nodes = *design->size.nodes,
      .node_price = {},
      .price_change_per_year = {}};
  if (const PurchasePrice* price = decision.pricing.machines.system_price)
    terms.node_price = trace.fact(*price, "typical", price->price.typical);
  return growth_purchases(trace, terms);
}

/// The design for a part of the plan's GPUs, of the same servers: the one that fits so many best, else that of the
/// plan.
template <class Tracer>
PartDesign<Tracer> part_design(Tracer& trace, const Catalog& catalog, const PlanRequest& request,
                               const PlanDecision& decision, const Known<Tracer, double>& gpus) {
  NoTrace none;
  PlanDecision part = decision;
  part.site.need.gpu_count = value_of(gpus);
  part.site.need.growth_gpu_count = horizon_gpu_count(none, request.economics, value_of(gpus));
  ArchitectureChoice choice = choose_architecture(catalog, *decision.gpu, part.site.need);
  const auto same = std::find_if(choice.designs.begin(), choice.designs.end(),
                                 [&](const auto& design) { return design.parts.system == decision.system(); });
  if (same != choice.designs.end()) part.design = std::move(*same);
  PartDesign<Tracer> built{part.design->parts, built_design(trace, catalog, request, part, gpus), {}};
  // Machines grow in whole ones: fewer of them grow in other steps.
  if (request.economics.demand_growth_per_year > 0)
    if (const auto growth = growth_of(trace, request, decision, gpus, built.design))
      built.level_machines = growth->level_machines;
  return built;
}

}  // namespace plan_detail

template <class Tracer>
PlanNumbers<Tracer> plan_numbers(Tracer& trace, const Catalog& catalog, const PlanRequest& request,
                                 const PlanDecision& decision) {
  PlanNumbers<Tracer> numbers;
  numbers.demand = plan_demand(trace, catalog, request, *decision.gpu, decision.placed, decision.system());
  numbers.design = plan_detail::built_design(trace, catalog, request, decision, numbers.demand.gpu_count);
  const Design<Tracer>* design = numbers.design ? &*numbers.design : nullptr;
  numbers.growth = plan_detail::growth_of(trace, request, decision, numbers.demand.gpu_count, numbers.design);
  numbers.cost = plan_cost(trace, catalog, request, *decision.gpu, decision.placed, decision.pricing, numbers.demand,
                           decision.design ? decision.design->parts : DesignParts{}, design,
                           // A demand that shrinks leaves the owned machines as they are.
                           numbers.growth && request.economics.demand_growth_per_year > 0 ? &*numbers.growth : nullptr,
                           [&](const Known<Tracer, double>& gpus) {
                             return plan_detail::part_design(trace, catalog, request, decision, gpus);
                           });
  numbers.carbon = plan_carbon(trace, catalog, request, *decision.gpu, decision.system(), decision.pricing,
                               numbers.demand, numbers.cost);
  if (design != nullptr)
    numbers.reliability = plan_reliability(trace, catalog, request.economics, *decision.gpu, *design->size.nodes,
                                           trace.fact(*decision.system(), "gpu_count", decision.system()->gpu_count));
  return numbers;
}

}  // namespace podwright
