#include "perf/speculative.h"

#include "base/math.h"

namespace podwright {

double tokens_per_verified_step(double drafts, double acceptance) {
  if (acceptance >= 1) return drafts + 1;
  if (acceptance <= 0) return 1;
  return (1.0 - math::pow(acceptance, drafts + 1.0)) / (1.0 - acceptance);
}

Model draft_head_of(const Model& model) {
  Model head = model;
  head.id = model.id + "-draft-head";
  head.name = "Draft head of " + model.name;
  head.origin = "draft head of " + model.id;
  head.layers = 1;
  head.layer_groups.clear();
  head.linear_attention.reset();
  head.indexer.reset();
  head.first_dense_layers = 0;
  head.moe_every_n_layers = 1;
  head.multi_token_depths = 0;
  return head;
}

DraftMemory draft_memory(const Model& draft, const Gpu& gpu, const Engine& engine, const WeightFormat& format,
                         const ServingRun& run) {
  NoTrace none;
  const bool head = !run.speculative->draft_model;
  const auto memory_of = [&](const Model& model) { return serving_memory(none, model, gpu, engine, format, run); };
  const auto one = memory_of(draft);
  Bytes weights = one.weights;
  if (head) {  // embedding and output head are those of the model: only the layer itself is new
    Model two = draft;
    two.layers = 2;
    weights = memory_of(two).weights - one.weights;
  }
  return {.weights = weights, .per_token = one.bytes_per_token_on_gpu};
}

}  // namespace podwright
