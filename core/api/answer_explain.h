#pragma once
/// Answers of kind `explain`.
#include "api/kind.h"
#include "api/request_explain.h"
#include "base/json_read.h"

namespace podwright {

class AnswerShape;

Answer answer_explain(const Asked& asked, const ExplainRequest& request);

/// Its fields.
void describe_explain_answer(AnswerShape& v);

/// The request with its explanation switched on.
JsonNode explained(const JsonNode& request);

}  // namespace podwright
