#include "api/cost_sides.h"

namespace podwright {
namespace {

/// The draws, or why there are none.
UncertaintyAnswer uncertainty_of(Trace& trace, const CostRequest& request, const UncertainCosts& costs) {
  CostInput input{};
  if (const std::string_view problem = uncertain_costs_problem(costs, input); !problem.empty())
    return {.numbers = {},
            .problems = {std::string(kCostInputWords[index_of(input)].name) + ": " + std::string(problem) + "."}};
  return {.numbers = uncertainty_numbers(trace, costs,
                                         draw_costs(costs, static_cast<std::size_t>(request.uncertainty.draws),
                                                    static_cast<std::uint64_t>(request.uncertainty.seed),
                                                    static_cast<int>(request.horizon_years))),
          .problems = {},
          .rented = costs[CostInput::rent_per_gpu].typical > 0};
}

}  // namespace

CostSides cost_sides(Trace& trace, const Catalog& catalog, const CostRequest& request) {
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
  if (request.carbon && sides.owned && sides.owned->cost.operation)
    sides.carbon = carbon_side(trace, catalog, request, *sides.owned);
  sides.markets = cost_markets(trace, catalog, request);
  sides.published = published_rents(trace, request);
  return sides;
}

}  // namespace podwright
