#pragma once
/// What a training run may say beyond its layout: packing, routing, exchanges, further predicted tokens.
#include "api/fields.h"
#include "memory/training_run.h"

namespace podwright {

/// After the sequence length, the layout and the framework of the run are known.
void describe_training_options(FieldVisitor& visitor, TrainingRun& run);

}  // namespace podwright
