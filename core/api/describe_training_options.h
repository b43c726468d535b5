#pragma once
/// What a training run may say beyond its layout: packing, routing, exchanges, further predicted tokens.
#include <string_view>

#include "api/fields.h"
#include "memory/training_run.h"

namespace podwright {

/// Source of a default that no one publishes.
inline constexpr std::string_view kConvention = "convention of Podwright; set it when yours differs";

/// After the sequence length, the layout and the framework of the run are known.
void describe_training_options(FieldVisitor& visitor, TrainingRun& run);

/// Sequence length in tokens and sequences per optimizer step of a workload; both have defaults.
void describe_batch(FieldVisitor& visitor, double& sequence_length, double& global_batch_size);

}  // namespace podwright
