#pragma once
/// Sentences that tell what decides between deployments. docs/method/search.md#why-one-deployment-comes-first.
#include <optional>
#include <string>
#include <vector>

#include "sizing/serving_candidates.h"
#include "sizing/workload.h"

namespace podwright::sizing {

/// Writes the sentences of all; the first is the best.
void tell_why(std::vector<ServingCandidate>& best, const ServingWorkload& workload, ServingObjective objective);

/// What binds the best one: the limit with the least room, how sure it is kept, the largest part of a step, memory.
std::vector<std::string> why_best(const ServingCandidate& best, const ServingWorkload& workload);

/// The least sure of its limits, as a probability; absent where none is told.
std::optional<double> least_sure(const ServingCandidate& candidate);
/// Of those behind the first the first that keeps all limits almost certainly, where the first does not; else empty.
std::string surer_one(const std::vector<ServingCandidate>& best, const ServingWorkload& workload,
                      ServingObjective objective);

/// What `other` lacks against the best, in what the objective looks at first.
std::string why_not(const ServingCandidate& best, const ServingCandidate& other, const ServingWorkload& workload,
                    ServingObjective objective);

}  // namespace podwright::sizing
