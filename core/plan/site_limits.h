#pragma once
/// Money and power of a site against what a plan would put there. They bind only what is owned.
#include <optional>
#include <vector>

#include "memory/infeasible.h"
#include "plan/plan_numbers.h"

namespace podwright {

/// What buying all machines of the plan would cost: the whole purchase, or at least the servers where a part of it has
/// no price. Absent where not even these are known.
std::optional<Usd> known_purchase(const PlanCost<NoTrace>& cost);

/// Limits that owning the whole cluster breaks; empty where it breaks none.
std::vector<Infeasible> broken_site_limits(const PlanRequest& request, const PlanNumbers<NoTrace>& numbers);

}  // namespace podwright
