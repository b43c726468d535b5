#pragma once
/// `weights` of a serving request: the bytes of a file's tensors.
#include "api/fields.h"
#include "memory/serving_run.h"

namespace podwright {

/// Sets ServingRun::exact_weights where the request has the object. Reads `run.weight_precision`, so that must be
/// described before.
void describe_weights(FieldVisitor& visitor, const Catalog& catalog, const std::optional<Model>& model,
                      ServingRun& run);

}  // namespace podwright
