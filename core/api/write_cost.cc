#include "api/write_cost.h"

#include "api/write_common.h"

namespace podwright {

void write_on_premises(JsonWriter&, Trace&, const Catalog&, const CostRequest& request, CostSides&,
                       std::vector<std::string>& not_modelled) {
  if (request.on_premises) not_modelled.emplace_back("on_premises: the cost of owning");
}

void write_break_even(JsonWriter&, Trace&, const CostRequest& request, const CostSides&,
                      std::vector<std::string>& not_modelled) {
  if (request.on_premises && (request.cloud || request.hosted_api))
    not_modelled.emplace_back("break_even: owning against renting");
}

void write_hybrid(JsonWriter&, Trace&, const CostRequest& request, const CostSides&,
                  std::vector<std::string>& not_modelled) {
  if (request.demand) not_modelled.emplace_back("hybrid: what to own of a varying demand, and what to rent");
}

void write_uncertainty(JsonWriter&, Trace&, const CostRequest& request, const CostSides&,
                       std::vector<std::string>& not_modelled) {
  if (request.on_premises) not_modelled.emplace_back("tornado and distribution: how sure it is");
}

void write_carbon(JsonWriter&, Trace&, const Catalog&, const CostRequest& request,
                  std::vector<std::string>& not_modelled) {
  if (request.carbon) not_modelled.emplace_back("carbon: greenhouse gases of owned machines");
}

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
  if (request.cloud) sides.cloud = cloud_answer(trace, catalog, request);
  if (request.hosted_api) sides.hosted = hosted_answer(trace, request);
  const bool infeasible = is_infeasible(request, sides);
  std::vector<std::string> not_modelled;
  out.begin_object();
  out.text("kind", "cost");
  out.boolean("feasible", !infeasible);
  if (sides.cloud && !sides.cloud->reasons.empty()) {
    for (Infeasible& reason : sides.cloud->reasons) reason.ways_out = cloud_ways_out(catalog, document, request);
    write_reasons(out, infeasible ? "reasons" : "rejected", sides.cloud->reasons);
  }
  write_on_premises(out, trace, catalog, request, sides, not_modelled);
  if (sides.cloud) write_cloud(out, trace, request, *sides.cloud);
  if (sides.hosted) write_hosted(out, *sides.hosted);
  write_break_even(out, trace, request, sides, not_modelled);
  write_hybrid(out, trace, request, sides, not_modelled);
  write_uncertainty(out, trace, request, sides, not_modelled);
  write_carbon(out, trace, catalog, request, not_modelled);
  write_published(out, trace, request);
  write_market(out, trace, catalog, request);
  write_texts(out, "not_modelled", not_modelled);
  write_foot(out, catalog, assumptions, {});
  if (request.explain) {
    out.key("trace");
    write_trace(out, trace);
  }
  out.end_object();
  return {out.take(), infeasible ? Outcome::infeasible : Outcome::answer};
}

}  // namespace podwright
