#pragma once
/// The recommended plan's requests one by one, where the closed forms of its estimate are not confirmed.
/// docs/method/decision.md#replay.
#include <vector>

#include "base/message.h"
#include "plan/plan_numbers.h"

namespace podwright {

/// Of each serving workload, what a replay at the peak gives for its limits, and how many GPUs would keep those that
/// the plan misses.
struct ReplayedPlan {
  std::vector<Message> figures;
  std::vector<Message> misses;
};
ReplayedPlan replayed_plan(const Catalog& catalog, const PlanRequest& request, const PlanDecision& decision,
                           const PlanDemand<NoTrace>& demand);

}  // namespace podwright
