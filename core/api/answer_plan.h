#pragma once
/// Answer of the kind `plan`: from a need to a decision.
#include <vector>

#include "api/answer.h"
#include "api/requests.h"

namespace podwright {

/// `document` is the text of `request`: ways out are merge patches of it.
Answer answer_plan(const Catalog& catalog, const JsonNode& document, const PlanRequest& request,
                   const std::vector<Assumption>& assumptions);

}  // namespace podwright
