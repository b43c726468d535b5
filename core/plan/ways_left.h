#pragma once
/// Plans that cannot be paid for in any way, and why. docs/method/decision.md#no-way.
#include <optional>

#include "base/infeasible.h"
#include "plan/plan_numbers.h"
#include "plan/verdict.h"

namespace podwright {

/// Absent where a way is left, or would be but for a price that is missing. Ways out are not tried.
std::optional<Infeasible> no_way_left(const PlanRequest& request, const PlanNumbers<NoTrace>& numbers,
                                      const PlanVerdict& verdict);

}  // namespace podwright
