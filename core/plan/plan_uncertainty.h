#pragma once
/// How sure a plan's costs are: of owning, of renting on demand, or of both against each other.
/// docs/method/decision.md#uncertainty.
#include <optional>

#include "cost/monte_carlo.h"
#include "plan/decision_rules.h"
#include "plan/plan_numbers.h"
#include "plan/plan_request.h"

namespace podwright {

/// What is drawn, and what came of it.
struct PlanUncertainty {
  UncertainCosts costs;
  CostDistribution drawn;
  bool owned = false;  ///< owning is drawn
  bool rented = false;
};

/// Absent where neither owning nor renting on demand has a whole sum, or no draws are asked for. `choice` says which
/// ways are open: the others are not among the cheapest.
std::optional<PlanUncertainty> plan_uncertainty(const Catalog& catalog, const PlanRequest& request,
                                                const PlanDecision& decision, const PlanNumbers<NoTrace>& numbers,
                                                const WayChoice& choice);

}  // namespace podwright
