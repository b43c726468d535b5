#pragma once
/// Failures of the owned machines of a plan as members of an answer.
#include "base/json_write.h"
#include "plan/plan_reliability.h"

namespace podwright {

/// `"reliability": {...}`
template <class Tracer>
void write_plan_reliability(JsonWriter& out, const PlanReliability<Tracer>& reliability);

}  // namespace podwright
