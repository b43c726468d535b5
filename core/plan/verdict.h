#pragma once
/// Which way a plan should be paid for: its costs and the facts of its request, put to the rules.
/// docs/method/decision.md#rules.
#include <optional>
#include <vector>

#include "plan/decision_rules.h"
#include "plan/plan_numbers.h"
#include "plan/plan_uncertainty.h"
#include "plan/ways_left.h"

namespace podwright {

struct PlanVerdict {
  std::vector<DecisionFactor> rules;
  WayChoice decision;
  std::vector<UncheckedLimit> unchecked;  ///< on the way decided for
  std::optional<double>
      usd_per_year;  ///< of the way decided for, all sites together; absent where its sum is not whole
};

/// May any of the workloads run on rented machines?
bool may_rent(const PlanRequest& request);
/// Must some machines be owned?
bool must_own(const PlanRequest& request);

/// `uncertainty` may be null.
PlanVerdict verdict_of(const Catalog& catalog, const PlanRequest& request, const PlanNumbers<NoTrace>& numbers,
                       const PlanUncertainty* uncertainty);

/// Why a plan cannot be paid for in any way: absent where one is left, or would be but for a price that is missing.
/// Ways out are not tried.
std::optional<Infeasible> no_way_left(const PlanRequest& request, const PlanNumbers<NoTrace>& numbers,
                                      const PlanVerdict& verdict);

}  // namespace podwright
