#pragma once
/// Answers of kind `explain`.
#include <vector>

#include "api/answer.h"
#include "api/request_explain.h"

namespace podwright {

Answer answer_explain(const Catalog& catalog, const ExplainRequest& request,
                      const std::vector<Assumption>& assumptions);

}  // namespace podwright
