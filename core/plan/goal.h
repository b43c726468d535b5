#pragma once
/// The most that the limits of a request give: the largest load, the shortest run or the largest model.
/// docs/method/decision.md#goal.
#include <optional>

#include "base/message.h"
#include "plan/plan_request.h"

namespace podwright {

struct GoalFound {
  PlanRequest request;          ///< with what was found in place of what was given; plans of it keep every limit
  std::optional<Message> says;  ///< or that nothing fits; absent with the goal of the least cost
  std::optional<double> most_gpus_tried = {};  ///< where these ended the search, not a limit of the request
};

/// A request with a goal other than the least cost has one workload, of the goal's type.
GoalFound most_of_goal(const Catalog& catalog, const PlanRequest& request);

}  // namespace podwright
