#include "api/write_cost.h"

#include "api/write_common.h"

namespace podwright {

namespace {

/// Nothing of what was asked can be done.
bool is_infeasible(const CostRequest& request, const CostSides& sides) {
  return sides.cloud && !sides.cloud->reasons.empty() && !request.on_premises && !request.hosted_api;
}

}  // namespace

Answer answer_cost(const Catalog& catalog, const JsonNode& document, const CostRequest& request,
                   const std::vector<Assumption>& assumptions) {
  Trace trace(sources_of(assumptions));
  JsonWriter out(&trace);
  CostSides sides;
  if (request.on_premises) sides.owned = owned_answer(trace, catalog, request);
  if (request.cloud) sides.cloud = cloud_answer(trace, catalog, request);
  if (request.hosted_api) sides.hosted = hosted_answer(trace, request);
  if (sides.owned) sides.assumed = sides.owned->assumed;
  sides.decision = decision_of(trace, request, sides);
  sides.break_even = break_even_answer(trace, request, sides);
  sides.hybrid = hybrid_answer(trace, request, sides);
  sides.uncertainty = uncertainty_answer(trace, catalog, request, sides, sides.assumed);
  if (request.fleet) sides.fleet = fleet_answer(trace, catalog, request, sides, sides.assumed);
  const bool infeasible = is_infeasible(request, sides);
  out.begin_object();
  out.text("kind", "cost");
  out.boolean("feasible", !infeasible);
  out.text("summary", cost_summary(request, sides));
  if (sides.cloud && !sides.cloud->reasons.empty()) {
    for (Infeasible& reason : sides.cloud->reasons) reason.ways_out = cloud_ways_out(catalog, document, request);
    write_reasons(out, infeasible ? "reasons" : "rejected", sides.cloud->reasons, trace, "docs/method/cloud_cost.md",
                  "cost.shortfall");
  }
  write_decision(out, sides);
  if (sides.owned) write_owned(out, trace, request, *sides.owned);
  if (sides.cloud) write_cloud(out, trace, request, *sides.cloud);
  if (sides.hosted) write_hosted(out, *sides.hosted);
  write_break_even(out, sides);
  write_hybrid(out, request, sides);
  write_uncertainty(out, trace, request, sides);
  write_carbon(out, trace, catalog, request, sides);
  write_fleet(out, sides);
  write_published(out, trace, request);
  write_market(out, trace, catalog, request);
  write_cost_exports(out, catalog, request, sides);
  write_foot(out, catalog, assumptions, sides.assumed);
  if (request.explain) {
    out.key("trace");
    write_trace(out, trace);
  }
  out.end_object();
  return {out.take(), infeasible ? Outcome::infeasible : Outcome::answer};
}

}  // namespace podwright
