#pragma once
/// What a plan says in words: summary, reasons, risks, and what would change the decision.
#include <string>
#include <vector>

#include "plan/plans.h"

namespace podwright {

std::string summary_of(const PlanRequest& request, const Plan& plan);
/// `plans` are ranked; the reasons are those of the one at `index`.
std::vector<Message> reasons_of(const PlanRequest& request, const std::vector<Plan>& plans, std::size_t index);
std::vector<Message> risks_of(const PlanRequest& request, const Plan& plan);
std::vector<Message> flips_of(const PlanRequest& request, const std::vector<Plan>& plans);

}  // namespace podwright
