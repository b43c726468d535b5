#pragma once
/// What a serving request may say beyond its layout: spread of lengths, drafts, pools of their own for prompts and
/// answers.
#include "api/fields.h"
#include "memory/serving_run.h"

namespace podwright {

/// After the layout, the lengths and the load of the run are known.
void describe_serving_options(FieldVisitor& visitor, const Catalog& catalog, ServingRun& run);

/// Rules between the GPUs of the request and those of its layout or pools; fills in the replicas of the pools.
void check_serving_gpus(FieldVisitor& visitor, double gpu_count, ServingRun& run);

}  // namespace podwright
