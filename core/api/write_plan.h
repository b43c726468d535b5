#pragma once
/// A plan as members of an answer; traced or not.
#include "api/write_estimate.h"
#include "plan/planner.h"

namespace podwright {

void write_layout(JsonWriter& out, const PlanRequest& request, const PlanDecision& decision,
                  const PlacedWorkload& placed);
void write_rules(JsonWriter& out, const ArchitectureDesign& design);

template <class Tracer>
void write_workload_numbers(JsonWriter& out, const WorkloadNumbers<Tracer>& numbers) {
  if (numbers.serving) write_serving_estimate(out, *numbers.serving);
  if (numbers.training) write_training_estimate(out, *numbers.training);
  if (!numbers.run_time) return;
  out.begin_object("run");
  out.quantity("time", unit::kDays, *numbers.run_time);
  out.quantity("gpu", unit::kHours, *numbers.gpu_time);
  if (numbers.run_rent) out.quantity("rent", unit::kUsd, *numbers.run_rent);
  out.end_object();
}

/// `architecture`, `racks` and `power`, as far as they are known.
template <class Tracer>
void write_design(JsonWriter& out, const ArchitectureDesign& design, const DesignSize<Tracer>& size,
                  const std::optional<EnergyNumbers<Tracer>>& energy) {
  out.begin_object("architecture");
  out.text("architecture", design.architecture_id);
  out.text("title", design.title);
  if (design.parts.system != nullptr) {
    out.text("system", design.parts.system->id);
    out.text("system_name", design.parts.system->name);
  }
  write_optional(out, "nodes", unit::kNone, size.nodes);
  write_optional(out, "gpus", unit::kNone, size.gpus);
  write_optional(out, "horizon_nodes", unit::kNone, size.horizon_nodes);
  write_optional(out, "scalable_units", unit::kNone, size.scalable_units);
  write_rules(out, design);
  write_texts(out, "notes", design.notes);
  write_texts(out, "deviations", design.deviations);
  out.end_object();
  if (size.racks) {
    out.begin_object("racks");
    out.quantity("count", unit::kNone, *size.racks);
    out.quantity("nodes_per_rack", unit::kNone, *size.nodes_per_rack);
    out.end_object();
  }
  if (!size.it_power) return;
  out.begin_object("power");
  out.quantity("it_power", unit::kKw, *size.it_power);
  if (energy) {
    out.quantity("facility_power", unit::kKw, energy->facility_power);
    out.quantity("energy_per_year", unit::kKwh, energy->per_year);
  }
  out.end_object();
}

template <class Tracer>
void write_cloud_cost(JsonWriter& out, const PlanDecision& decision, const PlanNumbers<Tracer>& numbers) {
  const CloudPrice& row = *decision.market.cheapest;
  out.begin_object("cloud");
  out.text("term", "on-demand");
  out.text("provider", row.provider);
  out.text("instance", row.instance);
  out.text("region", row.region);
  out.text("as_of", row.as_of);
  out.quantity("instances", unit::kNone, numbers.rent->instances);
  out.quantity_as("usd_per_gpu_hour", unit::kUsdPerHour, numbers.rent->per_gpu);
  if (numbers.median_per_gpu) out.quantity_as("usd_per_gpu_hour_median", unit::kUsdPerHour, *numbers.median_per_gpu);
  out.quantity_as("usd_per_hour", unit::kUsdPerHour, numbers.rent->rent);
  out.quantity_as("usd_per_year", unit::kUsdPerYear, numbers.rent->rent);
  if (numbers.million_output_tokens)
    out.quantity_as("usd_per_million_output_tokens", unit::kUsd, *numbers.million_output_tokens);
  out.end_object();
}

template <class Tracer>
void write_purchase_cost(JsonWriter& out, const PlanDecision& decision, const PlanNumbers<Tracer>& numbers) {
  const BuyOrRent<Tracer>& compared = numbers.buy_or_rent;
  out.begin_object("on_premises");
  out.quantity_as("servers_usd_low", unit::kUsd, numbers.machines->low);
  out.quantity_as("servers_usd", unit::kUsd, numbers.machines->typical);
  out.quantity_as("servers_usd_high", unit::kUsd, numbers.machines->high);
  if (!decision.machines.caution.empty()) out.text("caution", decision.machines.caution);
  if (compared.capital) out.quantity_as("annual_capital_usd", unit::kUsdPerYear, *compared.capital);
  if (compared.energy) out.quantity_as("energy_usd_per_year", unit::kUsdPerYear, *compared.energy);
  if (compared.own) out.quantity_as("servers_and_energy_usd_per_year", unit::kUsdPerYear, *compared.own);
  if (compared.own_per_gpu)
    out.quantity_as("servers_and_energy_usd_per_gpu_hour", unit::kUsdPerHour, *compared.own_per_gpu);
  out.end_object();
}

template <class Tracer>
void write_cost(JsonWriter& out, const PlanDecision& decision, const PlanNumbers<Tracer>& numbers) {
  out.begin_object("cost");
  if (numbers.rent) write_cloud_cost(out, decision, numbers);
  if (numbers.machines) write_purchase_cost(out, decision, numbers);
  if (numbers.buy_or_rent.break_even_utilization) {
    out.begin_object("break_even");
    out.quantity("utilization", unit::kNone, *numbers.buy_or_rent.break_even_utilization);
    out.end_object();
  }
  write_texts(out, "missing", numbers.buy_or_rent.missing);
  write_texts(out, "left_out", numbers.buy_or_rent.not_modelled);
  out.end_object();
}

/// The members of one plan; `numbers` may be the traced twin of the plan's own.
template <class Tracer>
void write_plan(JsonWriter& out, const PlanRequest& request, const Plan& plan, const PlanNumbers<Tracer>& numbers,
                std::size_t rank) {
  const PlanDecision& decision = plan.decision;
  out.begin_object();
  out.number("rank", static_cast<double>(rank));
  out.text("summary", plan.summary);
  out.text("gpu", decision.gpu->id);
  out.text("gpu_name", decision.gpu->name);
  out.quantity("gpu_count", unit::kNone, numbers.gpu_count);
  out.begin_list("layouts");
  for (const PlacedWorkload& placed : decision.placed) write_layout(out, request, decision, placed);
  out.end_list();
  out.begin_list("estimates");
  for (std::size_t i = 0; i < numbers.workloads.size(); ++i) {
    out.begin_object();
    out.text("workload", request.workloads[decision.placed[i].index].name);
    write_workload_numbers(out, numbers.workloads[i]);
    out.end_object();
  }
  out.end_list();
  if (decision.design && numbers.size) write_design(out, *decision.design, *numbers.size, numbers.energy);
  write_cost(out, decision, numbers);
  if (!plan.decision_text.empty()) out.text("decision", plan.decision_text);
  write_texts(out, "reasons", plan.reasons);
  write_texts(out, "risks", plan.risks);
  out.end_object();
}

}  // namespace podwright
