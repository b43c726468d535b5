#pragma once
/// Answers a `search` request.
#include <vector>

#include "api/outcome.h"
#include "api/search_request.h"
#include "base/json_read.h"

namespace podwright {

class AnswerShape;

Answer answer_search(const Catalog& catalog, const JsonNode& document, const SearchRequest& request,
                     const std::vector<Assumption>& assumptions);

/// Its fields.
void describe_training_search_answer(AnswerShape& v);

}  // namespace podwright
