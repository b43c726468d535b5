#pragma once
/// Money and power of a site against what a plan would put there. They bind only what is owned.
#include <optional>
#include <vector>

#include "base/infeasible.h"
#include "plan/plan_numbers.h"

namespace podwright {

/// What owning takes of a site at the start.
struct OwnedNeed {
  std::optional<Usd> purchase;  ///< absent where not even the servers have a price
  bool servers_alone = false;   ///< a part of the purchase has no price
  std::optional<Watts> power;   ///< at the meter, at full load
};
OwnedNeed need_of_owning(const PlanNumbers<NoTrace>& numbers);
/// The owned part of a hybrid, as its share of all GPUs; absent where there is no hybrid.
std::optional<OwnedNeed> need_of_hybrid(const PlanNumbers<NoTrace>& numbers);

/// Limits of the site that the need breaks; empty where it breaks none.
std::vector<Infeasible> broken_site_limits(const PlanConstraints& site, const OwnedNeed& need);

}  // namespace podwright
