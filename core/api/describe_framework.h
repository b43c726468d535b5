#pragma once
/// The training framework of a request: one that the catalog knows, in a version that it knows.
#include "api/fields.h"
#include "memory/training_run.h"

namespace podwright {

void describe_framework(FieldVisitor& visitor, const Catalog& catalog, TrainingRun& run);

}  // namespace podwright
