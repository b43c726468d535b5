#pragma once
/// Greenhouse gases of a plan as members of an answer.
#include "base/json_write.h"
#include "plan/planner.h"

namespace podwright {

/// `"carbon": {"own": {...}, "rent_on_demand": {...}, "rent_committed": {...}}`
template <class Tracer>
void write_plan_carbon(JsonWriter& out, const PlanRequest& request, const PlanDecision& decision,
                       const PlanCarbon<Tracer>& carbon);

}  // namespace podwright
