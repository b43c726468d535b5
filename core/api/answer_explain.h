#pragma once
/// Answers of kind `explain`.
#include "api/kind.h"
#include "api/request_explain.h"
#include "base/json_read.h"

namespace podwright {

Answer answer_explain(const Asked& asked, const ExplainRequest& request);

/// The request with its explanation switched on.
JsonNode explained(const JsonNode& request);

}  // namespace podwright
