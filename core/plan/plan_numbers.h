#pragma once
/// The numbers of one plan: estimates of its workloads, its design, what it rents for and what its machines cost.
/// One code for ranking and explanation: a template over the tracer.
#include <optional>
#include <string>
#include <vector>

#include "architecture/design.h"
#include "base/trace.h"
#include "cost/buy_or_rent.h"
#include "cost/purchase.h"
#include "cost/rent.h"
#include "perf/calendar_formulas.h"
#include "perf/estimate_serving.h"
#include "perf/estimate_training.h"
#include "plan/plan_formulas.h"
#include "plan/plan_request.h"

namespace podwright {

/// A workload on its layout.
struct PlacedWorkload {
  std::size_t index = 0;  ///< in the request
  ServingRun serving;     ///< of serving workloads, loaded with the peak rate
  TrainingRun training;   ///< of training workloads
  double gpu_count = 0;
};

/// What was decided; the numbers follow from it. Pointers into catalog and request, which must outlive it.
struct PlanDecision {
  const Gpu* gpu = nullptr;
  std::vector<PlacedWorkload> placed;
  std::optional<ArchitectureDesign> design;  ///< absent: the catalog has none for this GPU
  std::vector<DesignAdvice> advice;          ///< on the design
  DesignRequest site;                        ///< that the design stands on
  RentMarket market;
  MachinePricing machines;
  ElectricityPricing electricity;
};

template <class Tracer>
struct WorkloadNumbers {
  std::optional<ServingEstimate<Tracer>> serving;
  std::optional<TrainingEstimate<Tracer>> training;
  std::optional<typename Tracer::template Known<Seconds>> run_time;  ///< of one training run
  std::optional<typename Tracer::template Known<Seconds>> gpu_time;
  std::optional<typename Tracer::template Known<Usd>> run_rent;
};

template <class Tracer>
struct PlanNumbers {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  std::vector<WorkloadNumbers<Tracer>> workloads;
  Known<double> gpu_count{};
  std::optional<Design<Tracer>> design;  ///< absent: no system of the catalog holds the GPU
  std::optional<RentCost<Tracer>> rent;
  std::optional<Known<UsdPerSecond>> median_per_gpu;
  std::optional<Known<Usd>> million_output_tokens;  ///< of a single serving workload at its mean rate, rented
  std::optional<MachineCost<Tracer>> machines;
  std::optional<EnergyNumbers<Tracer>> energy;
  BuyOrRent<Tracer> buy_or_rent;
};

namespace plan_detail {

template <class Tracer>
WorkloadNumbers<Tracer> workload_numbers(Tracer& trace, const Catalog& catalog, const PlanRequest& request,
                                         const PlanDecision& decision, const PlacedWorkload& placed) {
  const PlanWorkload& workload = request.workloads[placed.index];
  const TraceScope scope(trace, "/workloads/" + std::to_string(placed.index));
  WorkloadNumbers<Tracer> numbers;
  if (workload.type == WorkloadType::serving) {
    numbers.serving = estimate_serving(trace, catalog, *workload.model, *decision.gpu, placed.serving);
    return numbers;
  }
  const System* system = decision.design ? decision.design->parts.system : nullptr;
  numbers.training = estimate_training(trace, catalog, *workload.model, *decision.gpu, placed.training, system);
  if (!numbers.training->step) return numbers;
  numbers.run_time = trace.step("plan.run_time", kRunTimeOfTokens, trace.input("/tokens", workload.tokens),
                                numbers.training->step->tokens_per_s);
  numbers.gpu_time =
      trace.step("plan.gpu_time", kGpuTime,
                 trace.method("plan.gpus_of_workload", placed.gpu_count, "docs/method/search.md"), *numbers.run_time);
  return numbers;
}

/// Rented by the hour, and what that makes a million output tokens or a run.
template <class Tracer>
void add_rent(Tracer& trace, const PlanRequest& request, const PlanDecision& decision, PlanNumbers<Tracer>& numbers) {
  if (decision.market.cheapest == nullptr) return;
  numbers.rent = rent_cost(trace, *decision.market.cheapest, RentTerm::on_demand, numbers.gpu_count);
  if (decision.market.median_per_gpu)
    numbers.median_per_gpu =
        trace.method("cost.median_rent_per_gpu", *decision.market.median_per_gpu, "docs/method/prices.md");
  for (std::size_t i = 0; i < decision.placed.size(); ++i)
    if (numbers.workloads[i].gpu_time)
      numbers.workloads[i].run_rent =
          trace.step("plan.run_rent", kRunRent, *numbers.workloads[i].gpu_time, numbers.rent->per_gpu);
  const PlanWorkload& only = request.workloads.front();
  if (request.workloads.size() != 1 || only.type != WorkloadType::serving) return;
  const TraceScope scope(trace, "/workloads/0");
  const auto requests = only.mean_requests_per_s
                            ? trace.input("/mean_requests_per_s", per_second(*only.mean_requests_per_s))
                            : trace.input("/peak_requests_per_s", per_second(only.peak_requests_per_s));
  if (value_of(requests) <= per_second(0)) return;
  const auto rate = trace.step("plan.mean_output_tokens_per_s", kTokenRate, requests,
                               trace.input("/output_tokens", only.output_tokens));
  numbers.million_output_tokens =
      trace.step("cost.million_output_tokens", kMillionTokenPrice, numbers.rent->rent, rate);
}

/// Bought, as far as prices are known.
template <class Tracer>
void add_purchase(Tracer& trace, const PlanRequest& request, const PlanDecision& decision,
                  PlanNumbers<Tracer>& numbers) {
  const PlanEconomics& economics = request.economics;
  BuyOrRentInputs<Tracer> inputs;
  if (numbers.design) {
    const DesignSize<Tracer>& size = numbers.design->size;
    numbers.machines = machine_cost(trace, decision.machines, *size.nodes, *size.gpus);
    inputs.installed_gpus = size.gpus;
  }
  const TraceScope scope(trace, "/economics");
  if (numbers.design && numbers.design->power && (economics.electricity_usd_per_kwh || decision.electricity.price)) {
    const auto price =
        economics.electricity_usd_per_kwh
            ? trace.input("/electricity_usd_per_kwh", usd_per_kwh(*economics.electricity_usd_per_kwh))
            : trace.fact(*decision.electricity.region, "electricity_price_kwh", *decision.electricity.price);
    numbers.energy = energy_numbers(trace, numbers.design->power->it.total, trace.input("/load", economics.load),
                                    trace.input("/pue", economics.pue), price);
    inputs.energy = numbers.energy->cost;
  }
  if (numbers.machines) inputs.servers = numbers.machines->typical;
  if (numbers.rent) inputs.rent = numbers.rent->rent;
  if (!inputs.servers)
    inputs.missing.push_back(decision.machines.absence.empty() ? "No dated source for the price of the machines."
                                                               : decision.machines.absence);
  if (!inputs.energy)
    inputs.missing.push_back(decision.electricity.absence.empty()
                                 ? "The power of the machines is not known, so their electricity is absent."
                                 : decision.electricity.absence);
  if (!inputs.rent) inputs.missing.push_back("No dated source for renting this GPU in whole instances.");
  const CapitalTerms<Tracer> terms{.horizon_years = trace.input("/horizon_years", economics.horizon_years),
                                   .discount_rate = trace.input("/discount_rate", economics.discount_rate),
                                   .residual_fraction = trace.input("/residual_fraction", economics.residual_fraction)};
  numbers.buy_or_rent = buy_or_rent(trace, inputs, terms);
}

}  // namespace plan_detail

/// Numbers for the horizon that the design is built for: the GPUs of today, grown over the whole years of the horizon.
/// Absent without growth.
template <class Tracer>
std::optional<typename Tracer::template Known<double>> horizon_gpu_count(
    Tracer& trace, const PlanEconomics& economics, const typename Tracer::template Known<double>& gpu_count) {
  if (economics.demand_growth_per_year <= 0) return std::nullopt;
  const TraceScope scope(trace, "/economics");
  const auto periods =
      trace.method("plan.whole_years", std::floor(economics.horizon_years), "whole years of /economics/horizon_years");
  return trace.step("plan.horizon_gpu_count", kGrownGpuCount, gpu_count,
                    trace.input("/demand_growth_per_year", economics.demand_growth_per_year), periods);
}

template <class Tracer>
PlanNumbers<Tracer> plan_numbers(Tracer& trace, const Catalog& catalog, const PlanRequest& request,
                                 const PlanDecision& decision) {
  PlanNumbers<Tracer> numbers;
  std::vector<typename Tracer::template Known<double>> counts;
  for (const PlacedWorkload& placed : decision.placed) {
    numbers.workloads.push_back(plan_detail::workload_numbers(trace, catalog, request, decision, placed));
    counts.push_back(trace.method("plan.gpus_of_workload", placed.gpu_count, "docs/method/search.md"));
  }
  numbers.gpu_count = trace.sum("plan.gpu_count", counts);
  if (decision.design && decision.design->parts.system != nullptr) {
    DesignNumbers<Tracer> site{
        .site = {.gpu_count = numbers.gpu_count,
                 .growth_gpu_count = horizon_gpu_count(trace, request.economics, numbers.gpu_count),
                 .rack_power = {}},
        .pue = trace.input("/economics/pue", request.economics.pue)};
    if (request.constraints.rack_power_kw)
      site.site.rack_power = trace.input("/constraints/rack_power_kw", kw(*request.constraints.rack_power_kw));
    numbers.design = make_design(trace, catalog, *decision.gpu, decision.design->parts, decision.site, site);
  }
  plan_detail::add_rent(trace, request, decision, numbers);
  plan_detail::add_purchase(trace, request, decision, numbers);
  return numbers;
}

}  // namespace podwright
