#pragma once
/// Answers a `search` request of type serving.
#include <vector>

#include "api/outcome.h"
#include "api/serving_search_request.h"
#include "base/json_read.h"

namespace podwright {

class AnswerShape;

Answer answer_serving_search(const Catalog& catalog, const JsonNode& document, const ServingSearchRequest& request,
                             const std::vector<Assumption>& assumptions);

/// Its fields.
void describe_serving_search_answer(AnswerShape& v);

}  // namespace podwright
