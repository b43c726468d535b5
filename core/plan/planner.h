#pragma once
/// From a need to ranked plans: sizing on every GPU, a design, prices, reasons. The two wings meet here.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/infeasible.h"
#include "base/message.h"
#include "plan/placement.h"
#include "plan/plan_numbers.h"
#include "plan/plan_request.h"
#include "plan/plan_uncertainty.h"
#include "plan/shown_quotes.h"
#include "plan/verdict.h"

namespace podwright {

/// One plan in the answer.
struct Plan {
  PlanDecision decision;
  PlanNumbers<NoTrace> numbers;
  std::vector<ShownQuote> quotes;              ///< of its GPU
  PlanVerdict verdict;                         ///< which way, and why
  std::optional<PlanUncertainty> uncertainty;  ///< of the first plan
  std::optional<Message> design_reason;        ///< why a design that fits less well is taken
  std::string summary;                         ///< one sentence
  std::vector<Message> reasons;
  std::vector<Message> risks;
};

/// A GPU that no plan of the answer uses, and why.
struct RejectedGpu {
  std::string gpu;  ///< id; empty where no GPU is to blame
  std::string gpu_name;
  std::string workload;  ///< name; empty where the plan as a whole was rejected
  Infeasible reason;
};

struct Plans {
  std::vector<Plan> plans;  ///< best first
  std::vector<RejectedGpu> rejected;
  std::vector<ParetoPoint> pareto;  ///< of a single workload
  std::vector<std::string> not_modelled;
  std::vector<std::string> assumed;  ///< what the estimates assumed
  std::vector<Message> flips;        ///< what would change the decision
};

/// Plans, or only the contradictions of the request as reasons where there are any. The result points into `catalog`
/// and `request`.
/// The first workload of a plan that trains, and its place among the placed; null where none does.
inline std::pair<const PlacedWorkload*, std::size_t> first_training(const Plan& plan) {
  const std::vector<PlacedWorkload>& placed = plan.decision.placed;
  for (std::size_t i = 0; i < placed.size(); ++i)
    if (placed[i].training() != nullptr) return {&placed[i], i};
  return {nullptr, 0};
}

Plans make_plans(const Catalog& catalog, const PlanRequest& request);

/// The best plan of a GPU; absent where none fits.
std::optional<Plan> plan_of(const Catalog& catalog, const PlanRequest& request, const Gpu& gpu);
/// The best plan of a GPU for workloads that are placed; absent where no way of paying for it is left.
std::optional<Plan> plan_of(const Catalog& catalog, const PlanRequest& request, const Gpu& gpu,
                            const std::vector<PlacedWorkload>& placed);

// What a plan says in words.

std::string summary_of(const PlanRequest& request, const Plan& plan);
/// `plans` are ranked; the reasons are those of the one at `index`.
std::vector<Message> reasons_of(const PlanRequest& request, const std::vector<Plan>& plans, std::size_t index);
/// Adds to the reasons of the first plan what other choices would come to.
void add_other_choices(const Catalog& catalog, const PlanRequest& request, Plan& plan);
std::vector<Message> risks_of(const Catalog& catalog, const PlanRequest& request, const Plan& plan);
/// Where the first of the plans has one way left, its decision names the plan that comes next.
void name_next_plan(std::vector<Plan>& plans);
/// What would change the decision for the first of the plans; each figure by planning again.
std::vector<Message> flips_of(const Catalog& catalog, const PlanRequest& request, const std::vector<Plan>& plans);

}  // namespace podwright
