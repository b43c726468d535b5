#pragma once
/// Memory of a training that fits with less than the confidence that is asked for. docs/method/decision.md#confidence.
#include <cstddef>
#include <optional>

#include "plan/plan_numbers.h"
#include "plan/plan_request.h"

namespace podwright {

/// The place of the first such workload in the plan.
inline std::optional<std::size_t> unsure_memory(const PlanRequest& request, const PlanNumbers<NoTrace>& numbers) {
  constexpr double kRoundingOfProbability = 1e-9;
  const auto& workloads = numbers.demand.workloads;
  for (std::size_t i = 0; i < workloads.size(); ++i)
    if (const auto& training = workloads[i].training;
        training && training->fit_probability &&
        *training->fit_probability < request.constraints.confidence - kRoundingOfProbability)
      return i;
  return std::nullopt;
}

}  // namespace podwright
