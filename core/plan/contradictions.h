#pragma once
/// Constraints that leave no way of paying whatever GPU is chosen. docs/method/decision.md#contradictions.
#include <vector>

#include "base/infeasible.h"
#include "plan/planner.h"

namespace podwright {

/// One reason for each contradiction, with patches of the request that lift it; empty where some way may be open.
std::vector<Infeasible> contradictions(const PlanRequest& request);

/// Plans, or only the contradictions as reasons where there are any. The result points into `catalog` and `request`.
Plans plans_or_contradictions(const Catalog& catalog, const PlanRequest& request);

}  // namespace podwright
