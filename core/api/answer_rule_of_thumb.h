#pragma once
/// The quick formulas of study material, each with its figure and with where it fails.
#include <vector>

#include "api/answer.h"
#include "api/requests.h"

namespace podwright {

Answer answer_rule_of_thumb(const Catalog& catalog, const RuleOfThumbRequest& request,
                            const std::vector<Assumption>& assumptions);

}  // namespace podwright
