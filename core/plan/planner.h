#pragma once
/// From a need to ranked plans: sizing on every GPU, a design, prices, reasons. The two wings meet here.
#include "plan/plans.h"

namespace podwright {

/// The result points into `catalog` and `request`.
Plans make_plans(const Catalog& catalog, const PlanRequest& request);

}  // namespace podwright
