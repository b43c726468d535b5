#pragma once
/// The cost of a plan as members of an answer.
#include "base/json_write.h"
#include "plan/planner.h"

namespace podwright {

/// `"cost": {...}`, each way with what it holds; `plan` tells what was drawn.
template <class Tracer>
void write_plan_cost(JsonWriter& out, Tracer& trace, const PlanRequest& request, const Plan& plan,
                     const PlanNumbers<Tracer>& numbers);
/// `"decision": "..."` and `"decision_factors": [...]`
void write_verdict(JsonWriter& out, const PlanVerdict& verdict);

}  // namespace podwright
