#include "api/write_plan_cost.h"

#include "api/write_common.h"
#include "api/write_compared.h"
#include "api/write_owning.h"
#include "api/write_uncertainty.h"
#include "base/words.h"
#include "cost/provider_name.h"

namespace podwright {
namespace {

void write_offer(JsonWriter& out, RentTerm term, const CloudPrice& row) {
  out.text("term", word_of(term, kRentTermWords));
  out.text("provider", row.provider);
  out.text("provider_name", provider_name(row.provider));
  out.text("instance", row.instance);
  out.text("region", row.region);
  out.text("as_of", row.as_of);
}

template <class Tracer>
void write_tokens(JsonWriter& out, const PlanCost<Tracer>& cost,
                  const typename Tracer::template Known<UsdPerSecond>& bill) {
  if (const auto price = million_output_tokens(cost, bill))
    out.quantity_as("usd_per_million_output_tokens", unit::kUsd, *price);
}

/// Parts of the bill at the prices of the start.
template <class Tracer>
void write_rented_parts(JsonWriter& out, const RentedWay<Tracer>& way) {
  write_optional(out, "compute", unit::kUsdPerYear, way.cost.compute);
  write_optional(out, "license", unit::kUsdPerYear, way.cost.license);
  write_optional(out, "storage", unit::kUsdPerYear, way.cost.storage);
  write_optional(out, "egress", unit::kUsdPerYear, way.cost.egress);
  write_optional(out, "support", unit::kUsdPerYear, way.cost.support);
  write_optional(out, "at_prices_of_the_start", unit::kUsdPerYear, way.cost.total);
}

/// What is compared: level over the horizon.
template <class Tracer>
void write_level(JsonWriter& out, const PlanCost<Tracer>& cost, const RentedWay<Tracer>& way, std::string_view key) {
  if (way.yearly) {
    out.quantity_as(key, unit::kUsdPerYear, *way.yearly);
    write_tokens(out, cost, *way.yearly);
  }
  write_texts(out, "missing", way.cost.missing);
  write_texts(out, "cautions", way.cautions);
}

template <class Tracer>
void write_rented(JsonWriter& out, const PlanDecision& decision, const PlanCost<Tracer>& cost) {
  out.begin_object("cloud");
  write_offer(out, RentTerm::on_demand, *decision.pricing.market.cheapest);
  out.quantity("instances", unit::kNone, cost.rent->instances);
  out.quantity_as("usd_per_gpu_hour", unit::kUsdPerHour, cost.rent->per_gpu);
  if (cost.median_per_gpu) out.quantity_as("usd_per_gpu_hour_median", unit::kUsdPerHour, *cost.median_per_gpu);
  out.quantity_as("usd_per_hour", unit::kUsdPerHour, cost.rent->rent);
  out.quantity_as("usd_per_year", unit::kUsdPerYear, cost.rent->rent);
  if (cost.on_demand) {
    write_rented_parts(out, *cost.on_demand);
    write_level(out, cost, *cost.on_demand, "as_needed_usd_per_year");
  }
  out.end_object();
}

template <class Tracer>
void write_committed(JsonWriter& out, const PlanCost<Tracer>& cost) {
  const Commitment<Tracer>& committed = *cost.committed;
  out.begin_object("committed");
  write_offer(out, committed.offer.term, *committed.offer.row);
  out.quantity_as("usd_per_gpu_hour", unit::kUsdPerHour, committed.rent.per_gpu);
  write_rented_parts(out, committed.way);
  write_optional(out, "idle", unit::kUsdPerYear, committed.way.cost.idle);
  write_level(out, cost, committed.way, "usd_per_year");
  out.end_object();
}

template <class Tracer>
void write_bought(JsonWriter& out, const PlanDecision& decision, const PlanCost<Tracer>& cost) {
  out.begin_object("on_premises");
  if (cost.machines) {
    out.quantity_as("servers_usd_low", unit::kUsd, cost.machines->low);
    out.quantity_as("servers_usd", unit::kUsd, cost.machines->typical);
    out.quantity_as("servers_usd_high", unit::kUsd, cost.machines->high);
  }
  if (!decision.pricing.machines.caution.empty()) out.text("caution", decision.pricing.machines.caution);
  write_optional(out, "utilization", unit::kNone, cost.utilization);
  const OwningInputs<Tracer>& inputs = cost.owning_inputs;
  write_optional(out, "network", unit::kUsd, inputs.network.amount);
  if (inputs.network.amount) out.text("network_basis", cost.network.items ? "items-of-the-design" : "rule-per-gpu");
  write_optional(out, "storage", unit::kUsd, inputs.storage.amount);
  const OwningCost<Tracer>& owning = cost.owning;
  if (owning.capital) {
    write_owned_capital(out, *owning.capital);
    out.quantity_as("annual_capital_usd", unit::kUsdPerYear, owning.capital->yearly);
  }
  if (owning.operation) write_owned_operation(out, *owning.operation);
  if (owning.total) {
    out.quantity_as("annual_usd", unit::kUsdPerYear, owning.total->yearly);
    out.quantity_as("usd_per_gpu_hour_available", unit::kUsdPerHour, owning.total->available);
    if (owning.used) out.quantity_as("usd_per_gpu_hour_used", unit::kUsdPerHour, *owning.used);
    write_tokens(out, cost, owning.total->yearly);
    out.quantity("npv", unit::kUsd, owning.total->net_present_cost);
  }
  write_texts(out, "missing", owning.missing);
  out.end_object();
}

template <class Tracer>
void write_growth(JsonWriter& out, Tracer& trace, const Growth<Tracer>& growth) {
  out.begin_object("growth");
  out.begin_list("purchases");
  for (const GrowthYear<Tracer>& year : growth.years) {
    out.begin_object();
    const auto count = static_cast<double>(year.year);
    out.quantity_as("year", unit::kNone, trace.constant("year_" + std::to_string(year.year), count, "count of years"));
    out.quantity("gpus_needed", unit::kNone, year.gpus_needed);
    out.quantity("nodes_bought", unit::kNone, year.nodes_bought);
    out.quantity("nodes", unit::kNone, year.nodes);
    write_optional(out, "purchase", unit::kUsd, year.purchase);
    out.end_object();
  }
  out.end_list();
  write_optional(out, "present_value_in_steps", unit::kUsd, growth.in_steps);
  write_optional(out, "at_once", unit::kUsd, growth.at_once);
  write_optional(out, "saved_by_steps", unit::kUsd, growth.saved);
  out.end_object();
}

template <class Tracer>
void write_sharing(JsonWriter& out, const PlanDemand<Tracer>& demand) {
  out.begin_object("demand");
  out.quantity("peak_gpus", unit::kNone, demand.peak_gpus);
  out.quantity("mean_gpus", unit::kNone, demand.mean_gpus);
  if (demand.shared) {
    out.quantity("shared_gpus", unit::kNone, demand.shared->gpu_count);
    out.quantity("saved_gpus", unit::kNone, demand.shared->saved_gpus);
    out.text("sharing", demand.shared->reason);
  }
  out.end_object();
}

}  // namespace

template <class Tracer>
void write_plan_cost(JsonWriter& out, Tracer& trace, const PlanRequest& request, const Plan& plan,
                     const PlanNumbers<Tracer>& numbers) {
  const PlanCost<Tracer>& cost = numbers.cost;
  write_sharing(out, numbers.demand);
  out.begin_object("cost");
  if (cost.rent) write_rented(out, plan.decision, cost);
  if (cost.committed) write_committed(out, cost);
  if (numbers.design) write_bought(out, plan.decision, cost);
  if (cost.hybrid) write_hybrid_numbers(out, *cost.hybrid);
  if (cost.break_even) write_break_even_numbers(out, *cost.break_even);
  if (plan.uncertainty) {
    const auto uncertain = uncertainty_numbers(trace, plan.uncertainty->costs, plan.uncertainty->drawn);
    write_distribution(out, trace, trace.input("/options/draws", request.options.draws), uncertain, true);
    write_tornado(out, uncertain);
    write_flips(out, uncertain);
  }
  if (numbers.growth) write_growth(out, trace, *numbers.growth);
  write_texts(out, "missing", cost.missing);
  write_texts(out, "cautions", cost.cautions);
  write_texts(out, "left_out", plan_costs_left_out());
  out.end_object();
}

void write_verdict(JsonWriter& out, const PlanVerdict& verdict) {
  if (!verdict.decision.text.empty()) out.text("decision", verdict.decision.text);
  if (verdict.decision.way) out.text("way", word_of(*verdict.decision.way, kWayWords));
  out.begin_list("decision_factors");
  for (const DecisionFactor& rule : verdict.rules) {
    out.begin_object();
    out.text("rule", rule.id);
    out.text("towards", rule.towards);
    out.boolean("decides", rule.decides);
    out.text("text", rule.text);
    out.end_object();
  }
  out.end_list();
}

template void write_plan_cost(JsonWriter&, NoTrace&, const PlanRequest&, const Plan&, const PlanNumbers<NoTrace>&);
template void write_plan_cost(JsonWriter&, Trace&, const PlanRequest&, const Plan&, const PlanNumbers<Trace>&);

}  // namespace podwright
