#include "api/write_cost.h"

#include "api/write_common.h"

namespace podwright {
namespace {

/// The draws, or why there are none.
UncertaintyAnswer uncertainty_of(Trace& trace, const CostRequest& request, const UncertainCosts& costs) {
  CostInput input{};
  if (const std::string_view problem = uncertain_costs_problem(costs, input); !problem.empty())
    return {.numbers = {},
            .problem = std::string(kCostInputWords[index_of(input)].name) + ": " + std::string(problem) + "."};
  return {.numbers = uncertainty_numbers(trace, costs,
                                         draw_costs(costs, static_cast<std::size_t>(request.uncertainty.draws),
                                                    static_cast<std::uint64_t>(request.uncertainty.seed),
                                                    static_cast<int>(request.horizon_years))),
          .problem = {},
          .rented = costs[CostInput::rent_per_gpu].typical > 0};
}

CostSides sides_of(Trace& trace, const Catalog& catalog, const CostRequest& request) {
  CostSides sides{compare_costs(trace, cost_terms(trace, catalog, request))};
  if (sides.owned) sides.assumed = sides.owned->asked.assumed;
  if (const auto costs = uncertain_terms(catalog, request, sides, sides.assumed))
    sides.uncertainty = uncertainty_of(trace, request, *costs);
  if (request.fleet)
    sides.fleet =
        fleet_side(trace,
                   fleet_terms(trace, catalog, request,
                               sides.owned ? sides.owned->asked.terms.servers.amount : std::nullopt, sides.assumed),
                   sides);
  if (request.carbon && sides.owned && sides.owned->cost.operation) {
    const CarbonTerms terms = carbon_terms(trace, catalog, request, *sides.owned);
    sides.carbon = CarbonAnswer{.terms = terms, .year = carbon_of(trace, terms.inputs)};
  }
  sides.markets = cost_markets(catalog, request);
  return sides;
}

/// Why nothing can be rented, with the ways out that were tried.
std::vector<Infeasible> rented_reasons(const Catalog& catalog, const JsonNode& document, const CostRequest& request,
                                       std::vector<Infeasible> reasons) {
  for (Infeasible& reason : reasons) reason.ways_out = rented_ways_out(catalog, document, request);
  return reasons;
}

}  // namespace

Answer answer_cost(const Catalog& catalog, const JsonNode& document, const CostRequest& request,
                   const std::vector<Assumption>& assumptions) {
  Trace trace(sources_of(assumptions));
  JsonWriter out(&trace);
  const CostSides sides = sides_of(trace, catalog, request);
  const bool cannot_rent = sides.rented && !sides.rented->asked.problems.empty();
  // Nothing of what was asked can be done.
  const bool infeasible = cannot_rent && !request.on_premises && !request.hosted_api;
  out.begin_object();
  out.text("kind", "cost");
  out.boolean("feasible", !infeasible);
  out.text("summary", cost_summary(request, sides));
  if (cannot_rent)
    write_reasons(out, infeasible ? "reasons" : "rejected",
                  rented_reasons(catalog, document, request, sides.rented->asked.problems), trace,
                  "docs/method/cloud_cost.md", "cost.shortfall");
  write_decision(out, sides);
  if (sides.owned) write_owned(out, trace, *sides.owned);
  if (sides.rented) write_cloud(out, trace, request, *sides.rented);
  if (sides.hosted) write_hosted(out, *sides.hosted);
  write_break_even(out, sides);
  write_hybrid(out, request, sides);
  write_uncertainty(out, trace, request, sides);
  write_carbon(out, sides);
  write_fleet(out, sides);
  write_published(out, trace, request);
  write_market(out, trace, request, sides.markets);
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
