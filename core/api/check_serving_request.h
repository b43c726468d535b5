#pragma once
/// What a serving request must keep beyond the ranges of its fields: parallel sizes that divide what they split, and
/// sequences no longer than the model takes. docs/method/search.md#legal-layouts.
#include <optional>

#include "api/fields.h"
#include "catalog/model.h"
#include "memory/serving_run.h"

namespace podwright {

/// Error "conflict" at the size that breaks a rule; the hint lists legal values. Layouts of pools are checked alike.
void check_serving_layout(FieldVisitor& v, const std::optional<Model>& model, const ServingRun& run);

/// Error "conflict" at "input_tokens" where prompt and answer together exceed the model's context, and at
/// "max_model_tokens" where that length does; the hint says how many are legal.
void check_context(FieldVisitor& v, const std::optional<Model>& model, double input_tokens, double output_tokens,
                   const std::optional<double>& max_model_tokens);

}  // namespace podwright
