#include "api/write_common.h"
#include "api/write_compared.h"
#include "api/write_cost.h"
#include "base/arithmetic.h"
#include "cost/level_rent.h"
#include "cost/rent_compared.h"
#include "cost/shared_demand.h"

namespace podwright {
namespace {

Placement placement_of(const CostDemandWorkload& workload) {
  if (workload.sovereignty != "none") return Placement::owned;
  return workload.burst ? Placement::rented : Placement::anywhere;
}

std::optional<Hybrid<Trace>> hybrid_of(Trace& trace, const CostRequest& request, const HybridPrices<Trace>& prices) {
  const CostDemand& demand = *request.demand;
  if (!demand.workloads.empty()) {
    std::vector<Demand<Trace>> demands;
    for (std::size_t i = 0; i < demand.workloads.size(); ++i) {
      const TraceScope scope(trace, "/demand/workloads/" + std::to_string(i));
      const CostDemandWorkload& workload = demand.workloads[i];
      const auto peak = trace.input("/gpus", workload.gpus);
      demands.push_back({.mean_gpus = named("cost.hybrid.mean_of_workload",
                                            peak * trace.input("/share_of_time", workload.share_of_time)),
                         .peak_gpus = peak,
                         .placement = placement_of(workload)});
    }
    return best_hybrid_of_demands(trace, demands, prices);
  }
  if (demand.curve.empty()) return std::nullopt;
  LoadDuration load;
  for (const CostDemandPoint& point : demand.curve) load.push_back({point.gpus, point.share_of_time});
  return best_hybrid(trace, load, prices);
}

}  // namespace

std::optional<Traced<UsdPerSecond>> rent_of_all(Trace& trace, const CostSides& sides) {
  if (!sides.cloud) return std::nullopt;
  const CloudInputs<Trace>& in = sides.cloud->inputs;
  const CloudCost<Trace>& cost = sides.cloud->cost;
  const auto& each = cost.effective_price_per_gpu ? cost.effective_price_per_gpu : cost.price_per_gpu;
  if (!each || !sides.cloud->reasons.empty()) return std::nullopt;
  auto all = named("cost.rent_of_all", in.billed_gpus * *each);
  if (in.license_per_gpu) {
    const auto licences = named("cost.rent_of_licences", in.billed_gpus * *in.license_per_gpu);
    all = trace.sum("cost.rent_with_licences", std::vector{all, licences});
  }
  if (const auto support = support_on("cost.support_of_rent", in, all))
    all = trace.sum("cost.rent_with_support", std::vector{all, *support});
  return all;
}

std::optional<Traced<UsdPerSecond>> rent_beside(Trace& trace, const CostSides& sides) {
  if (!sides.cloud || !sides.cloud->cost.total) return std::nullopt;
  return rent_beside(trace, sides.cloud->inputs);
}

Decision<Trace> decision_of(Trace& trace, const CostRequest& request, const CostSides& sides) {
  const auto rate = trace.input("/discount_rate", request.discount_rate);
  const auto horizon = horizon_of<Trace>(trace.input("/horizon_years", request.horizon_years), rate);
  std::vector<PricedWay<Trace>> ways;
  if (sides.owned && sides.owned->cost.total)
    ways.push_back({.way = CostWay::own,
                    .present_value = sides.owned->cost.total->net_present_cost,
                    .yearly = sides.owned->cost.total->yearly});
  if (sides.cloud && sides.cloud->years) {
    const CloudYears<Trace>& bills = *sides.cloud->years;
    ways.push_back(
        {.way = CostWay::rent, .present_value = bills.present_value, .yearly = level_of_bills(bills, horizon)});
  }
  if (sides.hosted && sides.hosted->rate)
    ways.push_back(
        {.way = CostWay::hosted_api,
         .present_value = named("cost.present_hosted", present_operation(*sides.hosted->rate, horizon.annuity)),
         .yearly = *sides.hosted->rate});
  return decide(std::move(ways));
}

namespace {

/// The bill of a hosted interface is that of the use asked for; in full use it is larger.
void of_hosted(Trace& trace, const CostRequest& request, const BreakEvenTerms<Trace>& terms, BreakEven<Trace>& found) {
  const auto full =
      named("cost.hosted_in_full_use", used_gpu_price(terms.rent, trace.input("/utilization", request.utilization)));
  found.utilization = named("cost.break_even_utilization", break_even_utilization(terms.own, full));
  found.cautions =
      break_even_cautions(found.utilization->value, found.time ? std::optional(found.time->value) : std::nullopt,
                          found.sensitivity ? found.sensitivity->value : 0.0, terms.horizon_years);
  found.cautions.emplace_back("The time is that of the use asked for, against the hosted interface.");
}

}  // namespace

std::optional<BreakEvenAnswer> break_even_answer(Trace& trace, const CostRequest& request, const CostSides& sides) {
  if (!request.on_premises || (!request.cloud && !request.hosted_api)) return std::nullopt;
  if (!sides.owned->cost.total)
    return BreakEvenAnswer{.found = {},
                           .reason = "The cost of owning is not whole: " + sides.owned->cost.missing.front()};
  if (sides.cloud && sides.cloud->reasons.empty() && !sides.cloud->cost.missing.empty())
    return BreakEvenAnswer{.found = {},
                           .reason = "The cost of renting is not whole: " + sides.cloud->cost.missing.front()};
  auto rent = rent_of_all(trace, sides);
  const bool hosted = !rent && !request.cloud && sides.hosted && sides.hosted->rate;
  if (hosted) rent = sides.hosted->rate;
  if (!rent) return BreakEvenAnswer{.found = {}, .reason = "No price of renting is known."};
  const auto saved = rent_beside(trace, sides);
  BreakEvenTerms<Trace> terms{
      .capex = sides.owned->cost.capital->capex,
      .own = beyond_saved<Trace>("cost.own_beyond_data", sides.owned->cost.total->yearly, saved),
      .operation = beyond_saved<Trace>("cost.operation_beyond_data", sides.owned->cost.operation->yearly, saved),
      .rent = *rent,
      .price_change = {},
      .horizon_years = request.horizon_years};
  if (request.cloud && request.cloud->price_change_per_year != 0)
    terms.price_change = trace.input("/cloud/price_change_per_year", request.cloud->price_change_per_year);
  BreakEvenAnswer answer{.found = break_even(trace, terms), .reason = {}};
  if (hosted) of_hosted(trace, request, terms, *answer.found);
  if (sides.cloud && sides.cloud->inputs.commitment_years > 0)
    answer.found->cautions.emplace_back(
        "A commitment is paid whether used or not: the break-even utilisation is that of the same price by the hour.");
  return answer;
}

void write_break_even(JsonWriter& out, const CostSides& sides) {
  if (!sides.break_even) return;
  if (sides.break_even->found) return write_break_even_numbers(out, *sides.break_even->found);
  out.begin_object("break_even");
  for (const char* key : {"utilization", "hours", "months"}) {
    out.key(key);
    out.null();
  }
  out.text("reason", sides.break_even->reason);
  out.end_object();
}

std::optional<Hybrid<Trace>> hybrid_answer(Trace& trace, const CostRequest& request, const CostSides& sides) {
  if (!request.demand || !sides.owned || !sides.owned->available) return std::nullopt;
  const auto rent = rent_of_all(trace, sides);
  if (!rent || !sides.cloud->cost.missing.empty()) return std::nullopt;
  return hybrid_of(trace, request,
                   {.own = *sides.owned->available,
                    .rent = named("cost.rent_per_gpu_needed", *rent / sides.cloud->inputs.gpu_count),
                    .friction = trace.input("/demand/migration_friction_usd_per_gpu_hour",
                                            usd_per_hour(request.demand->migration_friction_usd_per_gpu_hour))});
}

namespace {

/// Why the split of the demand is not known.
std::vector<std::string> hybrid_missing(const CostSides& sides) {
  std::vector<std::string> missing;
  if (!sides.owned->cost.total) missing = sides.owned->cost.missing;
  for (const std::string& reason : sides.cloud->cost.missing) missing.push_back(reason);
  for (const Infeasible& reason : sides.cloud->reasons) missing.push_back(reason.message);
  return missing;
}

}  // namespace

void write_hybrid(JsonWriter& out, const CostRequest& request, const CostSides& sides) {
  if (!request.demand) return;
  if (!sides.hybrid) {
    out.begin_object("hybrid");
    write_texts(out, "missing", hybrid_missing(sides));
    out.end_object();
    return;
  }
  write_hybrid_numbers(out, *sides.hybrid);
}

namespace {

/// Ways that were asked for and have no total, with the first reason.
std::vector<std::string> not_compared(const CostSides& sides) {
  std::vector<std::string> ways;
  if (sides.owned && !sides.owned->cost.total) ways.push_back("own: " + sides.owned->cost.missing.front());
  if (sides.cloud && !sides.cloud->years)
    ways.push_back("rent: " + (sides.cloud->reasons.empty() ? sides.cloud->cost.missing.front()
                                                            : sides.cloud->reasons.front().message));
  if (sides.hosted && !sides.hosted->rate) ways.emplace_back("hosted-api: the number of tokens is not given.");
  return ways;
}

}  // namespace

void write_decision(JsonWriter& out, const CostSides& sides) {
  const Decision<Trace>& decision = sides.decision;
  if (decision.ways.empty()) return;
  out.begin_object("decision");
  out.text("cheapest", word_of(decision.ways.front().way, kCostWayWords));
  if (decision.saving) {
    out.quantity_as("saving_usd", unit::kUsd, *decision.saving);
    out.quantity_as("saving_fraction", unit::kNone, *decision.saved);
    out.boolean("nearly_equal", decision.nearly_equal);
  }
  out.begin_list("ways");
  for (const PricedWay<Trace>& way : decision.ways) {
    out.begin_object();
    out.text("way", word_of(way.way, kCostWayWords));
    out.quantity_as("npv_usd", unit::kUsd, way.present_value);
    out.quantity_as("usd_per_year", unit::kUsdPerYear, way.yearly);
    out.end_object();
  }
  out.end_list();
  if (sides.owned && sides.owned->idle) {
    out.quantity_as("idle_usd_per_year", unit::kUsdPerYear, *sides.owned->idle);
    out.quantity_as("idle_gpu_hours_per_year", unit::kHours, *sides.owned->idle_time);
  }
  write_texts(out, "not_compared", not_compared(sides));
  out.end_object();
}

}  // namespace podwright
