#pragma once
/// The way out of a limit on latency that no GPU keeps. docs/method/decision.md#no-way.
#include "plan/planner.h"

namespace podwright {

/// Where a single workload misses a limit on latency everywhere, the first way out of the nearest GPU is planned and
/// loosened until it has a plan.
void make_reachable(const Catalog& catalog, const PlanRequest& request, Plans& plans);

}  // namespace podwright
