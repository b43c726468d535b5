#pragma once
/// Weights on one GPU of a serving deployment. docs/method/serving_memory.md.
#include <algorithm>

#include "base/formula.h"
#include "base/trace.h"
#include "catalog/weight_format.h"
#include "memory/serving_run.h"
#include "model/layers.h"
#include "model/parameters.h"
#include "model/total.h"

namespace podwright {

/// Bytes of parameters, scales included.
constexpr Bytes stored_bytes(double parameters, double bits_per_weight) {
  return Bytes(parameters * bits_per_weight / 8.0);
}
inline constexpr Formula<stored_bytes> kStoredBytes{.id = "memory.stored_bytes",
                                                    .inputs = {"parameters", "bits_per_weight"},
                                                    .equation = "parameters * bits_per_weight / 8",
                                                    .source = "definition of the weight format"};

/// Parameters of `count` equal layers on one of `ranks` GPUs that share them.
constexpr double layers_share(double count, double parameters, double ranks) { return count * parameters / ranks; }
inline constexpr Formula<layers_share> kLayersShare{.id = "memory.layers_share",
                                                    .inputs = {"count", "parameters", "ranks"},
                                                    .equation = "count * parameters / ranks",
                                                    .source = "arXiv 1909.08053"};

/// Parameters of a table (embedding, output head) split by rows of the vocabulary.
constexpr double table_share(double parameters, double tensor) { return parameters / tensor; }
inline constexpr Formula<table_share> kTableShare{.id = "memory.table_share",
                                                  .inputs = {"parameters", "tensor"},
                                                  .equation = "parameters / tensor",
                                                  .source = "arXiv 1909.08053"};

/// GPUs over which experts spread: expert and tensor parallel experts together fill tensor x attention data parallel.
constexpr double engine_ranks(double tensor, double attention_data) { return tensor * attention_data; }
inline constexpr Formula<engine_ranks> kEngineRanks{.id = "memory.engine_ranks",
                                                    .inputs = {"tensor", "attention_data"},
                                                    .equation = "tensor * attention_data",
                                                    .source = "definition of attention data parallelism"};

/// Key and value projections of one layer, which are copied once there are more tensor-parallel ranks than key-value
/// heads.
constexpr double kv_projection_parameters(double hidden, double kv_heads, double head_dim, double v_head_dim) {
  return hidden * kv_heads * (head_dim + v_head_dim);
}
inline constexpr Formula<kv_projection_parameters> kKvProjectionParameters{
    .id = "memory.kv_projection_parameters",
    .inputs = {"hidden", "kv_heads", "head_dim", "v_head_dim"},
    .equation = "hidden * kv_heads * (head_dim + v_head_dim)",
    .source = "arXiv 2305.13245"};

/// What copying key-value heads adds to one GPU and layer beyond an even share.
constexpr double copied_kv_parameters(double kv_projection, double tensor, double kv_heads) {
  return kv_projection * (1.0 / kv_heads - 1.0 / tensor);
}
inline constexpr Formula<copied_kv_parameters> kCopiedKvParameters{
    .id = "memory.copied_kv_parameters",
    .inputs = {"kv_projection", "tensor", "kv_heads"},
    .equation = "kv_projection * (1 / kv_heads - 1 / tensor)",
    .source = "vLLM and TensorRT-LLM: one key-value head per rank at least"};

/// Where weights stand: the pipeline stage and whether the input table stays on the host.
struct WeightPlacement {
  int stage = 0;
  bool embedding_on_host = false;
};

/// Weights on each GPU of a pipeline stage. Norms, router and biases are copied to every tensor-parallel rank.
template <class Tracer>
typename Tracer::template Known<Bytes> serving_weights(Tracer& trace, const Model& model, const LayerStack& stack,
                                                       const WeightFormat& format,
                                                       const ServingParallelism& parallelism,
                                                       const WeightPlacement& placement) {
  const auto tensor = trace.input("/parallelism/tensor", parallelism.tensor);
  const auto on_experts = trace.step("memory.engine_ranks", kEngineRanks, tensor,
                                     trace.input("/parallelism/attention_data", parallelism.attention_data));
  const auto one = trace.constant("copied_to_every_rank", 1.0, "definition");
  const auto bits_of = [&](WeightPart part) {
    const StoredWidth width = stored_width(format, part, model.experts > 0);
    return trace.fact(format, width.field, width.bits);
  };
  const auto norm_bits = trace.fact(format, "norm_bits", format.norm_bits);

  Total<Tracer, double> attention, linear, experts, small;
  const std::vector<double> counts = stage_layers(stack, {.pipeline = parallelism.pipeline}, placement.stage);
  for (std::size_t i = 0; i < stack.kinds.size(); ++i) {
    if (counts[i] <= 0) continue;
    const LayerKind& kind = stack.kinds[i];
    const LayerParameters<Tracer> layer = layer_parameters(trace, model, kind);
    const auto count = trace.method("layers_on_stage", counts[i], "docs/method/serving_memory.md#weights");
    const auto share = [&](std::string_view id, const auto& parameters, const auto& ranks) {
      return trace.step(id, kLayersShare, count, parameters, ranks);
    };
    attention.add(share("memory.attention_on_gpu", layer.attention, tensor));
    if (has_attention(kind) && !kind.latent && parallelism.tensor > kind.kv_heads && kind.kv_heads > 0) {
      const auto facts = layer_facts(trace, model, kind);
      const auto projection = trace.step("memory.kv_projection", kKvProjectionParameters,
                                         trace.fact(model, "hidden_size", model.hidden_size), facts.kv_heads,
                                         facts.head_dim, facts.v_head_dim);
      attention.add(share("memory.copied_kv_on_gpu",
                          trace.step("memory.copied_kv", kCopiedKvParameters, projection, tensor, facts.kv_heads),
                          one));
    }
    linear.add(share("memory.dense_mlp_on_gpu", layer.dense_mlp, tensor));
    experts.add(share("memory.experts_on_gpu", layer.experts, on_experts));
    linear.add(share("memory.shared_experts_on_gpu", layer.shared_experts, tensor));
    small.add(share("memory.router_on_gpu", layer.router, one));
    small.add(share("memory.norms_on_gpu", layer.norms, one));
    small.add(share("memory.biases_on_gpu", layer.other, one));
  }

  const EndParameters<Tracer> ends = end_parameters(trace, model);
  const bool first = placement.stage == 0;
  const bool last = placement.stage == static_cast<int>(parallelism.pipeline) - 1;
  const bool table_here = first && !placement.embedding_on_host;
  const bool head_here = last && !(model.tied_embeddings && table_here);
  Total<Tracer, Bytes> bytes;
  bytes.add(trace.step("memory.attention_bytes", kStoredBytes,
                       attention.sum(trace, "memory.attention_parameters_on_gpu"), bits_of(WeightPart::attention)));
  bytes.add(trace.step("memory.mlp_bytes", kStoredBytes, linear.sum(trace, "memory.mlp_parameters_on_gpu"),
                       bits_of(WeightPart::mlp)));
  if (model.experts > 0)
    bytes.add(trace.step("memory.expert_bytes", kStoredBytes, experts.sum(trace, "memory.expert_parameters_on_gpu"),
                         bits_of(WeightPart::expert)));
  if (table_here) {
    const auto table = trace.step("memory.embedding_on_gpu", kTableShare,
                                  sum_of(trace, "memory.embedding_parameters", ends.token_table, ends.before), tensor);
    bytes.add(trace.step("memory.embedding_bytes", kStoredBytes, table,
                         trace.fact(format, "embedding_bits", format.embedding_bits)));
  }
  if (head_here) {
    const auto table = trace.step("memory.output_head_on_gpu", kTableShare, ends.output_head, tensor);
    bytes.add(
        trace.step("memory.output_head_bytes", kStoredBytes, table, trace.fact(format, "head_bits", format.head_bits)));
  }
  if (first && format.other_bytes > Bytes(0)) bytes.add(trace.fact(format, "other_bytes", format.other_bytes));
  if (last) small.add(ends.after);
  bytes.add(
      trace.step("memory.norm_bytes", kStoredBytes, small.sum(trace, "memory.small_parameters_on_gpu"), norm_bits));
  return bytes.sum(trace, "memory.weights");
}

}  // namespace podwright
