#pragma once
/// Failures of the machines that a plan would own. docs/method/decision.md#reliability.
#include <optional>
#include <string>

#include "plan/plan_request.h"
#include "reliability/failure_rate.h"
#include "reliability/machine_fleet.h"

namespace podwright {

template <class Tracer>
struct PlanReliability {
  std::optional<MachineFleet<Tracer>> fleet;
  std::string assumption;  ///< which fleet's failures stand for the GPU; empty where the request says
  std::string missing;     ///< what is not known; may be empty
};

/// `machines` of `gpus_per_machine` GPUs.
template <class Tracer>
PlanReliability<Tracer> plan_reliability(Tracer& trace, const Catalog& catalog, const PlanEconomics& economics,
                                         const Gpu& gpu, const typename Tracer::template Known<double>& machines,
                                         const typename Tracer::template Known<double>& gpus_per_machine) {
  PlanReliability<Tracer> reliability;
  MachineFleetTerms<Tracer> terms{
      .machines = machines, .gpus_per_machine = gpus_per_machine, .gpu_time_per_failure = {}, .repair = {}};
  if (economics.gpu_hours_per_failure) {
    terms.gpu_time_per_failure =
        trace.input("/economics/gpu_hours_per_failure", hours(*economics.gpu_hours_per_failure));
  } else if (const FailureRate* rate = failure_rate_of(catalog, gpu)) {
    terms.gpu_time_per_failure = trace.fact(*rate, "gpu_hours_per_failure", hours(*rate->gpu_hours_per_failure));
    reliability.assumption = failure_assumption(*rate, gpu);
  } else {
    reliability.missing = "The catalog has no failure rate. Give \"gpu_hours_per_failure\".";
    return reliability;
  }
  if (economics.repair_hours)
    terms.repair = trace.input("/economics/repair_hours", hours(*economics.repair_hours));
  else
    reliability.missing =
        "How long a repair takes has no dated source, so availability and spares are absent. Give \"repair_hours\".";
  reliability.fleet = machine_fleet(trace, terms);
  return reliability;
}

}  // namespace podwright
