#pragma once
/// The `cost` request: what owning and renting the same GPUs costs. Plain data; quantities are in the units of their
/// keys.
#include <vector>

#include "api/cost_question.h"
#include "api/fields.h"
#include "api/outcome.h"
#include "base/json_read.h"

namespace podwright {

class AnswerShape;

void describe(FieldVisitor& visitor, const Catalog& catalog, CostRequest& request);

/// `document` is the request as it came: ways out are tried on it.
Answer answer_cost(const Catalog& catalog, const JsonNode& document, const CostRequest& request,
                   const std::vector<Assumption>& assumptions);

/// Its fields.
void describe_cost_answer(AnswerShape& v);

}  // namespace podwright
