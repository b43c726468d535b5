#pragma once
/// Answer of the kind `plan`: from a need to a decision.
#include <vector>

#include "api/outcome.h"
#include "api/requests.h"

namespace podwright {

class AnswerShape;

/// `document` is the text of `request`: ways out are merge patches of it.
Answer answer_plan(const Catalog& catalog, const JsonNode& document, const PlanRequest& request,
                   const std::vector<Assumption>& assumptions);

/// Its fields.
void describe_plan_answer(AnswerShape& v);

}  // namespace podwright
