#pragma once
/// The claim "electricity costs as much as the machines" of an `explain` request.
#include <optional>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "cost/electricity_claim.h"

namespace podwright {

class AnswerShape;

/// Reads the claim's fields; absent where the open object does not say `electricity_over_hardware`.
std::optional<ElectricityClaim> describe_electricity_claim(FieldVisitor& visitor);

Answer answer_electricity_claim(const Catalog& catalog, const ElectricityClaim& claim, bool explain,
                                const std::vector<Assumption>& assumptions);

/// Its fields.
void describe_electricity_claim_answer(AnswerShape& v);

}  // namespace podwright
