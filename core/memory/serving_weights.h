#pragma once
/// Weights on one GPU of a serving deployment. docs/method/serving_memory.md.
#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/weight_format.h"
#include "memory/serving_run.h"
#include "model/layers.h"
#include "model/parameters.h"
#include "model/total.h"

namespace podwright {

/// Bytes of parameters, scales included.
constexpr auto stored_bytes(Of<double> auto parameters, Of<double> auto bits_per_weight) {
  return cited("definition of the weight format", in<Bytes>(parameters * bits_per_weight / 8.0));
}

/// Parameters of `count` equal layers on one of `ranks` GPUs that share them.
constexpr auto layers_share(Of<double> auto count, Of<double> auto parameters, Of<double> auto ranks) {
  return cited("arXiv 1909.08053", count * parameters / ranks);
}

/// Parameters of a table (embedding, output head) split by rows of the vocabulary.
constexpr auto table_share(Of<double> auto parameters, Of<double> auto tensor) {
  return cited("arXiv 1909.08053", parameters / tensor);
}

/// GPUs over which experts spread: expert and tensor parallel experts together fill tensor x attention data parallel.
constexpr auto engine_ranks(Of<double> auto tensor, Of<double> auto attention_data) {
  return cited("definition of attention data parallelism", tensor * attention_data);
}

/// Key and value projections of one layer, which are copied once there are more tensor-parallel ranks than key-value
/// heads.
constexpr auto kv_projection_parameters(Of<double> auto hidden, Of<double> auto kv_heads, Of<double> auto head_dim,
                                        Of<double> auto v_head_dim) {
  return cited("arXiv 2305.13245", hidden * kv_heads * (head_dim + v_head_dim));
}

/// What copying key-value heads adds to one GPU and layer beyond an even share.
constexpr auto copied_kv_parameters(Of<double> auto kv_projection, Of<double> auto tensor, Of<double> auto kv_heads) {
  return cited("vLLM and TensorRT-LLM: one key-value head per rank at least",
               kv_projection * (1.0 / kv_heads - 1.0 / tensor));
}

/// Where weights stand: the pipeline stage and whether the input table stays on the host.
struct WeightPlacement {
  int stage = 0;
  bool embedding_on_host = false;
};

/// Weights on each GPU of a pipeline stage. Norms, router and biases are copied to every tensor-parallel rank.
template <class Tracer>
Known<Tracer, Bytes> serving_weights(Tracer& trace, const Model& model, const LayerStack& stack,
                                     const WeightFormat& format, const ServingParallelism& parallelism,
                                     const WeightPlacement& placement) {
  const auto tensor = trace.input("/parallelism/tensor", parallelism.tensor);
  const auto on_experts =
      named("memory.engine_ranks",
            engine_ranks(tensor, trace.input("/parallelism/attention_data", parallelism.attention_data)));
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
      return named(id, layers_share(count, parameters, ranks));
    };
    attention.add(share("memory.attention_on_gpu", layer.attention, tensor));
    if (has_attention(kind) && !kind.latent && parallelism.tensor > kind.kv_heads && kind.kv_heads > 0) {
      const auto facts = layer_facts(trace, model, kind);
      const auto projection =
          named("memory.kv_projection", kv_projection_parameters(trace.fact(model, "hidden_size", model.hidden_size),
                                                                 facts.kv_heads, facts.head_dim, facts.v_head_dim));
      attention.add(share("memory.copied_kv_on_gpu",
                          named("memory.copied_kv", copied_kv_parameters(projection, tensor, facts.kv_heads)), 1.0));
    }
    linear.add(share("memory.dense_mlp_on_gpu", layer.dense_mlp, tensor));
    experts.add(share("memory.experts_on_gpu", layer.experts, on_experts));
    linear.add(share("memory.shared_experts_on_gpu", layer.shared_experts, tensor));
    small.add(share("memory.router_on_gpu", layer.router, 1.0));
    small.add(share("memory.norms_on_gpu", layer.norms, 1.0));
    small.add(share("memory.biases_on_gpu", layer.other, 1.0));
  }

  const EndParameters<Tracer> ends = end_parameters(trace, model);
  const bool first = placement.stage == 0;
  const bool last = placement.stage == static_cast<int>(parallelism.pipeline) - 1;
  const bool table_here = first && !placement.embedding_on_host;
  const bool head_here = last && !(model.tied_embeddings && table_here);
  Total<Tracer, Bytes> bytes;
  bytes.add(named("memory.attention_bytes", stored_bytes(attention.sum(trace, "memory.attention_parameters_on_gpu"),
                                                         bits_of(WeightPart::attention))));
  bytes.add(named("memory.mlp_bytes",
                  stored_bytes(linear.sum(trace, "memory.mlp_parameters_on_gpu"), bits_of(WeightPart::mlp))));
  if (model.experts > 0)
    bytes.add(named("memory.expert_bytes",
                    stored_bytes(experts.sum(trace, "memory.expert_parameters_on_gpu"), bits_of(WeightPart::expert))));
  if (table_here) {
    const auto table =
        named("memory.embedding_on_gpu",
              table_share(sum_of(trace, "memory.embedding_parameters", ends.token_table, ends.before), tensor));
    bytes.add(named("memory.embedding_bytes",
                    stored_bytes(table, trace.fact(format, "embedding_bits", format.embedding_bits))));
  }
  if (head_here) {
    const auto table = named("memory.output_head_on_gpu", table_share(ends.output_head, tensor));
    bytes.add(
        named("memory.output_head_bytes", stored_bytes(table, trace.fact(format, "head_bits", format.head_bits))));
  }
  if (first && format.other_bytes > Bytes(0)) bytes.add(trace.fact(format, "other_bytes", format.other_bytes));
  if (last) small.add(ends.after);
  bytes.add(named("memory.norm_bytes", stored_bytes(small.sum(trace, "memory.small_parameters_on_gpu"), norm_bits)));
  return bytes.sum(trace, "memory.weights");
}

}  // namespace podwright
