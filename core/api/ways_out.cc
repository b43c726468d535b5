#include "api/ways_out.h"

namespace podwright {
namespace {

/// GPUs that the sizes of the parallel groups multiply to; absent sizes are 1.
double gpus_of(const JsonNode& document) {
  double gpus = 1;
  const JsonNode* parallelism = document.find("parallelism");
  if (parallelism == nullptr) return gpus;
  for (const char* key : {"tensor", "pipeline", "context", "attention_data", "data"})
    if (const JsonNode* size = parallelism->find(key); size != nullptr && size->is_number()) gpus *= size->number;
  return gpus;
}

}  // namespace

Patch with_gpu_count(const JsonNode& document, const Patch& patch) {
  if (!patch.changes("/parallelism")) return patch;
  const double count = gpus_of(merged(document, patch.merge_patch(document)));
  const JsonNode* before = document.find("gpu_count");
  return before != nullptr && before->number == count ? patch : Patch(patch).set("/gpu_count", count);
}

}  // namespace podwright
