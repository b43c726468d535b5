#pragma once
/// The quick formulas of study material, each with its figure and with where it fails.
#include <vector>

#include "api/outcome.h"
#include "api/requests.h"

namespace podwright {

class AnswerShape;

Answer answer_rule_of_thumb(const Catalog& catalog, const RuleOfThumbRequest& request,
                            const std::vector<Assumption>& assumptions);

/// Its fields.
void describe_rule_of_thumb_answer(AnswerShape& v);

}  // namespace podwright
