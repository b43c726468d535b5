#pragma once
/// Failures of the machines that a plan would own. docs/method/decision.md#reliability.
#include <optional>
#include <string>

#include "plan/plan_demand.h"
#include "plan/plan_request.h"
#include "reliability/failures.h"
#include "reliability/fleet.h"

namespace podwright {

template <class Tracer>
struct PlanReliability {
  std::optional<FleetNumbers<Tracer>> fleet;
  std::vector<std::string> assumptions;  ///< which fleet's failures stand for the GPU, unless the request says
  std::string missing;                   ///< what is not known; may be empty
};

/// `machines` of `gpus_per_machine` GPUs.
template <class Tracer>
PlanReliability<Tracer> plan_reliability(Tracer& trace, const Catalog& catalog, const PlanEconomics& economics,
                                         const Gpu& gpu, const Known<Tracer, double>& machines,
                                         const Known<Tracer, double>& gpus_per_machine) {
  PlanReliability<Tracer> reliability;
  FleetTerms<Tracer> terms{.machines = machines,
                           .gpus_per_machine = gpus_per_machine,
                           .gpu_time_per_failure = {},
                           .repair = {},
                           .spare_deviations = {}};
  const auto per_failure =
      known_time_per_failure(trace, catalog, gpu, asked_time_per_failure(trace, economics), reliability.assumptions);
  if (!per_failure) {
    reliability.missing = "The catalog has no failure rate. Give \"gpu_hours_per_failure\".";
    return reliability;
  }
  terms.gpu_time_per_failure = *per_failure;
  if (economics.repair_hours)
    terms.repair = trace.input("/economics/repair_hours", hours(*economics.repair_hours));
  else
    reliability.missing =
        "How long a repair takes has no dated source, so availability and spares are absent. Give \"repair_hours\".";
  reliability.fleet = fleet_numbers(trace, terms);
  return reliability;
}

}  // namespace podwright
