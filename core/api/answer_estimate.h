#pragma once
/// Answers of the kinds `training` and `serving`: one fully specified run or deployment.
#include <vector>

#include "api/answer.h"
#include "api/requests.h"

namespace podwright {

Answer answer_training(const Catalog& catalog, const TrainingRequest& request, const std::vector<Assumption>& assumptions);
Answer answer_serving(const Catalog& catalog, const ServingRequest& request, const std::vector<Assumption>& assumptions);

}  // namespace podwright
