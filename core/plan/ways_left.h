#pragma once
/// What leaves no way of paying for a plan: money and power of a site, which bind only what is owned, and
/// constraints that contradict each other. docs/method/decision.md#no-way, #contradictions.
#include <optional>
#include <string>
#include <vector>

#include "base/infeasible.h"
#include "plan/plan_numbers.h"

namespace podwright {

/// What owning takes at the start.
struct OwnedNeed {
  std::optional<Usd> purchase;  ///< of all sites; absent where no part of it has a price
  bool in_part = false;         ///< a part of the purchase has no price
  std::optional<Watts> power;   ///< of one site, at the meter, at full load
};
OwnedNeed need_of_owning(const PlanConstraints& site, const PlanNumbers<NoTrace>& numbers);
/// The owned part of a hybrid; absent where there is no hybrid.
std::optional<OwnedNeed> need_of_hybrid(const PlanConstraints& site, const PlanNumbers<NoTrace>& numbers);

/// Limits of the site that the need breaks; empty where it breaks none.
std::vector<Infeasible> broken_site_limits(const PlanConstraints& site, const OwnedNeed& need);

/// A limit of the request that cannot be shown to hold, and why.
struct UncheckedLimit {
  std::string limit;  ///< its path in the request
  Message says;
};
/// Limits of the site that the need does not break as far as it is known, and which what is not known may break.
std::vector<UncheckedLimit> unchecked_site_limits(const PlanConstraints& site, const OwnedNeed& need);

/// Constraints that leave no way whatever GPU is chosen: one reason for each, with patches of the request that lift it;
/// empty where some way may be open.
std::vector<Infeasible> contradictions(const PlanRequest& request);

}  // namespace podwright
