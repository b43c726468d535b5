#pragma once
/// From a need to ranked plans: sizing on every GPU, a design, prices, reasons. The two wings meet here.
#include <optional>
#include <string>
#include <vector>

#include "memory/infeasible.h"
#include "plan/placement.h"
#include "plan/plan_numbers.h"
#include "plan/plan_request.h"
#include "plan/plan_uncertainty.h"
#include "plan/verdict.h"

namespace podwright {

/// One plan in the answer.
struct Plan {
  PlanDecision decision;
  PlanNumbers<NoTrace> numbers;
  PlanVerdict verdict;                         ///< which way, and why
  std::optional<PlanUncertainty> uncertainty;  ///< of the first plan
  std::string summary;                         ///< one sentence
  std::vector<std::string> reasons;
  std::vector<std::string> risks;
};

/// A GPU that no plan of the answer uses, and why.
struct RejectedGpu {
  std::string gpu;
  std::string workload;  ///< name; empty where the plan as a whole was rejected
  Infeasible reason;     ///< ways out of a workload's reason patch that workload, or the request where they begin with
                         ///< "constraints"
  std::optional<std::size_t> index = {};  ///< of the workload in the request
};

struct Plans {
  std::vector<Plan> plans;  ///< best first
  std::vector<RejectedGpu> rejected;
  std::vector<ParetoPoint> pareto;  ///< of a single workload
  std::vector<std::string> not_modelled;
  std::vector<std::string> assumed;  ///< what the estimates assumed
  std::vector<std::string> flips;    ///< what would change the decision
};

/// The result points into `catalog` and `request`.
Plans make_plans(const Catalog& catalog, const PlanRequest& request);

}  // namespace podwright
