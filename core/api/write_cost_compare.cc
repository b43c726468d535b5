#include "api/write_compared.h"
#include "api/write_cost.h"
#include "cost/break_even.h"
#include "cost/load_duration.h"
#include "cost/shared_demand.h"

namespace podwright {
namespace {

/// What one GPU costs while it stands rented; absent where no price is known.
std::optional<Traced<UsdPerSecond>> rent_of_gpu(const CostSides& sides) {
  if (!sides.cloud) return std::nullopt;
  const CloudCost<Trace>& cost = sides.cloud->cost;
  return cost.effective_price_per_gpu ? cost.effective_price_per_gpu : cost.price_per_gpu;
}

/// Rent of all GPUs all the time, or the bill of a hosted interface for the same work.
std::optional<Traced<UsdPerSecond>> rent_of_all(Trace& trace, const CostRequest& request, const CostSides& sides) {
  if (const auto each = rent_of_gpu(sides))
    return trace.step("cost.rent_of_all", kCostOfGpus, trace.input("/gpu_count", request.gpu_count), *each);
  if (sides.hosted && sides.hosted->rate) return sides.hosted->rate;
  return std::nullopt;
}

void write_no_break_even(JsonWriter& out, std::string_view reason) {
  out.begin_object("break_even");
  for (const char* key : {"utilization", "hours", "months"}) {
    out.key(key);
    out.null();
  }
  out.text("reason", reason);
  out.end_object();
}

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
      demands.push_back({.mean_gpus = trace.step("cost.hybrid.mean_of_workload", kMeanOfPeak, peak,
                                                 trace.input("/share_of_time", workload.share_of_time)),
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

void write_break_even(JsonWriter& out, Trace& trace, const CostRequest& request, const CostSides& sides) {
  if (!request.on_premises || (!request.cloud && !request.hosted_api)) return;
  if (!sides.owned->cost.total)
    return write_no_break_even(out, "The cost of owning is not whole: " + sides.owned->cost.missing.front());
  const auto rent = rent_of_all(trace, request, sides);
  if (!rent) return write_no_break_even(out, "No price of renting is known.");
  BreakEvenTerms<Trace> terms{.capex = sides.owned->cost.capital->capex,
                              .own = sides.owned->cost.total->yearly,
                              .operation = sides.owned->cost.operation->yearly,
                              .rent = *rent,
                              .price_change = {},
                              .horizon_years = request.horizon_years};
  if (request.cloud && request.cloud->price_change_per_year != 0)
    terms.price_change = trace.input("/cloud/price_change_per_year", request.cloud->price_change_per_year);
  const BreakEven<Trace> found = break_even(trace, terms);
  write_break_even_numbers(out, found);
}

void write_hybrid(JsonWriter& out, Trace& trace, const CostRequest& request, const CostSides& sides) {
  if (!request.demand || !sides.owned || !sides.owned->available) return;
  const auto rent = rent_of_gpu(sides);
  if (!rent) return;
  const HybridPrices<Trace> prices{
      .own = *sides.owned->available,
      .rent = *rent,
      .friction = trace.input("/demand/migration_friction_usd_per_gpu_hour",
                              usd_per_hour(request.demand->migration_friction_usd_per_gpu_hour))};
  const auto hybrid = hybrid_of(trace, request, prices);
  if (!hybrid) return;
  write_hybrid_numbers(out, *hybrid);
}

}  // namespace podwright
