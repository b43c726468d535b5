#pragma once
/// Answers of kind `explain`.
#include <vector>

#include "api/answer.h"
#include "api/request_explain.h"
#include "base/json_read.h"

namespace podwright {

Answer answer_explain(const Catalog& catalog, const ExplainRequest& request,
                      const std::vector<Assumption>& assumptions);

/// The request with its explanation switched on.
JsonNode explained(const JsonNode& request);

}  // namespace podwright
