#pragma once
/// The way out of a limit on time that no GPU keeps. docs/method/decision.md#no-way.
#include "plan/planner.h"

namespace podwright {

/// Where a single workload misses a limit on latency everywhere, the first way out of the nearest GPU is planned and
/// loosened until it has a plan. Where it misses a deadline, each GPU's later deadline is planned in the same way, and
/// GPUs that keep none come last: something else stands in their way.
void make_reachable(const Catalog& catalog, const PlanRequest& request, Plans& plans);

}  // namespace podwright
