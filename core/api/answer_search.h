#pragma once
/// Answers a `search` request.
#include <vector>

#include "api/answer.h"
#include "api/search_request.h"
#include "base/json_read.h"

namespace podwright {

Answer answer_search(const Catalog& catalog, const JsonNode& document, const SearchRequest& request,
                     const std::vector<Assumption>& assumptions);

}  // namespace podwright
