#pragma once
/// How many parameters a model has, block by block. docs/method/parameters_and_flops.md.
#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/model.h"
#include "model/layers.h"
#include "model/total.h"

namespace podwright {

/// Query, key, value and output projection of one layer with grouped key-value heads, without biases.
constexpr auto attention_parameters(Of<double> auto hidden, Of<double> auto heads, Of<double> auto kv_heads,
                                    Of<double> auto head_dim, Of<double> auto v_head_dim) {
  return cited("arXiv 2305.13245",
               hidden * (heads * head_dim + kv_heads * (head_dim + v_head_dim)) + heads * v_head_dim * hidden);
}

/// The same where the key projection serves as value too.
constexpr auto shared_kv_attention_parameters(Of<double> auto hidden, Of<double> auto heads, Of<double> auto kv_heads,
                                              Of<double> auto head_dim, Of<double> auto v_head_dim) {
  return cited("arXiv 2305.13245", hidden * (heads + kv_heads) * head_dim + heads * v_head_dim * hidden);
}

/// Latent attention: query down to its rank and up to the heads.
constexpr auto latent_query_parameters(Of<double> auto hidden, Of<double> auto q_lora_rank, Of<double> auto heads,
                                       Of<double> auto head_dim) {
  return cited("arXiv 2405.04434 section 2.1", q_lora_rank * (hidden + heads * head_dim));
}

/// Latent attention whose query is not compressed.
constexpr auto direct_query_parameters(Of<double> auto hidden, Of<double> auto heads, Of<double> auto head_dim) {
  return cited("arXiv 2405.04434 section 2.1", hidden * heads * head_dim);
}

/// Latent attention: hidden state down to the latent (and the shared rotary key), latent up to keys and values.
constexpr auto latent_kv_parameters(Of<double> auto hidden, Of<double> auto kv_lora_rank, Of<double> auto qk_rope_dim,
                                    Of<double> auto heads, Of<double> auto qk_nope_dim, Of<double> auto v_head_dim) {
  return cited("arXiv 2405.04434 section 2.1",
               hidden * (kv_lora_rank + qk_rope_dim) + kv_lora_rank * heads * (qk_nope_dim + v_head_dim));
}

/// A projection from all heads to the hidden size; also the size of an output gate.
constexpr auto head_projection_parameters(Of<double> auto heads, Of<double> auto v_head_dim, Of<double> auto hidden) {
  return cited("arXiv 2405.04434 section 2.1", heads * v_head_dim * hidden);
}

/// Selector of sparse attention: query up from the query latent, one key (with its norm), one weight per head.
constexpr auto indexer_parameters(Of<double> auto q_lora_rank, Of<double> auto indexer_heads,
                                  Of<double> auto indexer_head_dim, Of<double> auto hidden) {
  return cited("DeepSeek-V3.2-Exp configuration and reference code",
               q_lora_rank * indexer_heads * indexer_head_dim + hidden * indexer_head_dim + 2.0 * indexer_head_dim +
                   hidden * indexer_heads);
}

/// Gated delta net: query, key, value and gate in one projection, decay and step per value head, short convolution,
/// norm, output.
constexpr auto gated_delta_net_parameters(Of<double> auto hidden, Of<double> auto key_width,
                                          Of<double> auto value_width, Of<double> auto value_heads,
                                          Of<double> auto value_head_dim, Of<double> auto conv_kernel) {
  return cited("arXiv 2412.06464", hidden * (2.0 * key_width + 2.0 * value_width) + 2.0 * hidden * value_heads +
                                       (2.0 * key_width + value_width) * conv_kernel + 2.0 * value_heads +
                                       value_head_dim + value_width * hidden);
}

/// Mamba-2: one input projection (gate, x, B, C, step), short convolution with bias, A, D and step bias, gated norm,
/// output.
constexpr auto mamba_2_parameters(Of<double> auto hidden, Of<double> auto width, Of<double> auto heads,
                                  Of<double> auto groups, Of<double> auto state_size, Of<double> auto conv_kernel) {
  return cited("arXiv 2405.21060", hidden * (2.0 * width + 2.0 * groups * state_size + heads) +
                                       (width + 2.0 * groups * state_size) * (conv_kernel + 1.0) + 3.0 * heads + width +
                                       width * hidden);
}

/// Kimi delta attention: query, key, value, gate and output of one width, step per head, short convolutions. The gate
/// is an estimate.
constexpr auto kda_parameters(Of<double> auto hidden, Of<double> auto width, Of<double> auto heads,
                              Of<double> auto conv_kernel) {
  return cited("arXiv 2510.26692", 5.0 * hidden * width + hidden * heads + 3.0 * width * conv_kernel + 2.0 * heads);
}

/// MLP of 2 matrices, or 3 when gated.
constexpr auto mlp_parameters(Of<double> auto matrices, Of<double> auto hidden, Of<double> auto width) {
  return cited("arXiv 2002.05202", matrices * hidden * width);
}

/// `experts` MLPs; with the experts that one token uses instead, their active parameters.
constexpr auto expert_parameters(Of<double> auto experts, Of<double> auto matrices, Of<double> auto hidden,
                                 Of<double> auto width) {
  return cited("arXiv 2101.03961", experts * matrices * hidden * width);
}

/// Projections into and out of the narrower width that routed experts work in.
constexpr auto latent_projection_parameters(Of<double> auto hidden, Of<double> auto latent) {
  return cited("Nemotron 3 model cards", 2.0 * hidden * latent);
}

/// Norms of the width of the hidden state; `vectors` is 1 (RMSNorm) or 2 (LayerNorm: scale and bias).
constexpr auto norm_parameters(Of<double> auto norms, Of<double> auto vectors, Of<double> auto hidden) {
  return cited("arXiv 1910.07467", norms * vectors * hidden);
}

constexpr auto full_qk_norm_parameters(Of<double> auto heads, Of<double> auto kv_heads, Of<double> auto head_dim) {
  return cited("arXiv 2302.05442", (heads + kv_heads) * head_dim);
}

constexpr auto latent_norm_parameters(Of<double> auto q_lora_rank, Of<double> auto kv_lora_rank) {
  return cited("arXiv 2405.04434 section 2.1", q_lora_rank + kv_lora_rank);
}

/// Biases of the query, key and value projections.
constexpr auto qkv_bias_parameters(Of<double> auto heads, Of<double> auto kv_heads, Of<double> auto head_dim) {
  return (heads + 2.0 * kv_heads) * head_dim;
}

/// Biases of `experts` gated MLPs.
constexpr auto expert_bias_parameters(Of<double> auto experts, Of<double> auto width, Of<double> auto hidden) {
  return experts * (2.0 * width + hidden);
}

/// Parameters of one layer. `attention` is the whole token mixer of the layer (also a linear one) without biases and
/// norms.
template <class Tracer>
struct LayerParameters {
  using Known = typename Tracer::template Known<double>;
  Known attention{};
  Known dense_mlp{};
  Known experts{};         ///< routed, with their biases
  Known active_experts{};  ///< of the routed, what one token uses
  Known shared_experts{};  ///< shared experts, their gate, and projections into a narrower expert width
  Known router{};
  Known norms{};
  Known other{};  ///< biases of attention and dense MLP, sinks
};

/// Parameters of a whole model.
template <class Tracer>
struct ParameterParts {
  using Known = typename Tracer::template Known<double>;
  Known attention{};
  Known dense_mlp{};
  Known experts{};
  Known shared_experts{};
  Known router{};
  Known norms{};        ///< of all layers, and the final one
  Known embedding{};    ///< token table, learned positions, norm of the embedding
  Known output_head{};  ///< zero when tied
  Known other{};
  Known total{};
  Known active{};  ///< what one token uses: embedding included, of the routed experts only the chosen ones
};

namespace parameters_detail {

template <class Tracer>
using Known = typename Tracer::template Known<double>;

template <class Tracer>
Known<Tracer> linear_mixer(Tracer& trace, const Model& model, const Known<Tracer>& hidden) {
  if (!model.linear_attention) return 0.0;
  const LinearAttention& mixer = *model.linear_attention;
  const auto fact = [&](std::string_view field, double value) { return trace.fact(model, field, value); };
  const auto kernel = fact("linear_attention.conv_kernel", mixer.conv_kernel);
  if (mixer.kind == LinearAttention::Kind::gated_delta_net) {
    const auto value_heads = fact("linear_attention.value_heads", mixer.value_heads);
    const auto value_dim = fact("linear_attention.value_head_dim", mixer.value_head_dim);
    const auto keys = named("key_width", fact("linear_attention.key_heads", mixer.key_heads) *
                                             fact("linear_attention.key_head_dim", mixer.key_head_dim));
    const auto values = named("value_width", value_heads * value_dim);
    return named("linear_attention_parameters",
                 gated_delta_net_parameters(hidden, keys, values, value_heads, value_dim, kernel));
  }
  const auto heads = fact("linear_attention.heads", mixer.heads);
  const auto width = named("mixer_width", heads * fact("linear_attention.head_dim", mixer.head_dim));
  if (mixer.kind == LinearAttention::Kind::kda)
    return named("linear_attention_parameters", kda_parameters(hidden, width, heads, kernel));
  return named("linear_attention_parameters",
               mamba_2_parameters(hidden, width, heads, fact("linear_attention.groups", mixer.groups),
                                  fact("linear_attention.state_size", mixer.state_size), kernel));
}

template <class Tracer>
Known<Tracer> attention(Tracer& trace, const Model& model, const LayerKind& kind, const LayerFacts<Tracer>& facts,
                        const Known<Tracer>& hidden) {
  Total<Tracer, double> parts;
  if (kind.latent) {
    const auto rank = trace.fact(model, "kv_lora_rank", model.kv_lora_rank);
    parts.add(model.q_lora_rank > 0
                  ? named("query_parameters",
                          latent_query_parameters(hidden, trace.fact(model, "q_lora_rank", model.q_lora_rank),
                                                  facts.heads, facts.head_dim))
                  : named("query_parameters", direct_query_parameters(hidden, facts.heads, facts.head_dim)));
    parts.add(named("key_value_parameters",
                    latent_kv_parameters(hidden, rank, trace.fact(model, "qk_rope_dim", model.qk_rope_dim), facts.heads,
                                         trace.fact(model, "qk_nope_dim", model.qk_nope_dim), facts.v_head_dim)));
    parts.add(named("attention_output_parameters", head_projection_parameters(facts.heads, facts.v_head_dim, hidden)));
  } else if (kind.shared_kv) {
    parts.add(
        named("attention_projection_parameters",
              shared_kv_attention_parameters(hidden, facts.heads, facts.kv_heads, facts.head_dim, facts.v_head_dim)));
  } else {
    parts.add(named("attention_projection_parameters",
                    attention_parameters(hidden, facts.heads, facts.kv_heads, facts.head_dim, facts.v_head_dim)));
  }
  if (model.attention_output_gate && kind.attention == AttentionKind::full) {
    parts.add(named("attention_gate_parameters", head_projection_parameters(facts.heads, facts.v_head_dim, hidden)));
  }
  if (model.indexer && kind.attention == AttentionKind::sparse) {
    parts.add(named("indexer_parameters",
                    indexer_parameters(trace.fact(model, "q_lora_rank", model.q_lora_rank),
                                       trace.fact(model, "indexer.heads", model.indexer->heads),
                                       trace.fact(model, "indexer.head_dim", model.indexer->head_dim), hidden)));
  }
  return parts.sum(trace, "attention_parameters");
}

template <class Tracer>
Known<Tracer> norms(Tracer& trace, const Model& model, const LayerKind& kind, const LayerFacts<Tracer>& facts,
                    const Known<Tracer>& hidden) {
  Total<Tracer, double> parts;
  const auto vectors =
      trace.constant("vectors_per_norm", model.norm_bias ? 2.0 : 1.0, "definition of LayerNorm and RMSNorm");
  parts.add(named("block_norm_parameters",
                  norm_parameters(trace.fact(model, "norms_per_layer", model.norms_per_layer), vectors, hidden)));
  if (kind.latent) {
    parts.add(
        named("latent_norm_parameters", latent_norm_parameters(trace.fact(model, "q_lora_rank", model.q_lora_rank),
                                                               trace.fact(model, "kv_lora_rank", model.kv_lora_rank))));
  }
  if (has_attention(kind) && model.qk_norm == QkNormKind::head)
    parts.add(named("qk_norm_parameters", cited("arXiv 2302.05442", 2.0 * facts.head_dim)));
  if (has_attention(kind) && model.qk_norm == QkNormKind::full) {
    parts.add(named("qk_norm_parameters", full_qk_norm_parameters(facts.heads, facts.kv_heads, facts.head_dim)));
  }
  if (kind.mlp == MlpKind::moe && model.moe_latent_norm)
    parts.add(trace.fact(model, "moe_latent_size", model.moe_latent_size));
  return parts.sum(trace, "norm_parameters");
}

template <class Tracer>
Known<Tracer> other(Tracer& trace, const Model& model, const LayerKind& kind, const LayerFacts<Tracer>& facts,
                    const Known<Tracer>& hidden) {
  Total<Tracer, double> parts;
  const bool attention = has_attention(kind);
  const bool dense = kind.mlp == MlpKind::dense || (kind.mlp == MlpKind::moe && model.moe_parallel_dense_mlp);
  const bool attention_output_bias = model.biases == BiasKind::attention || model.biases == BiasKind::attention_mlp;
  if (attention && (model.biases == BiasKind::qkv || attention_output_bias)) {
    parts.add(named("qkv_bias_parameters", qkv_bias_parameters(facts.heads, facts.kv_heads, facts.head_dim)));
  }
  if (attention && attention_output_bias) parts.add(hidden);
  if (dense && (model.biases == BiasKind::mlp || model.biases == BiasKind::attention_mlp)) {
    parts.add(named("mlp_bias_parameters", facts.ffn_hidden_size + hidden));
  }
  if (attention && model.attention_sinks) parts.add(facts.heads);
  return parts.sum(trace, "other_parameters");
}

template <class Tracer>
void experts(Tracer& trace, const Model& model, const Known<Tracer>& hidden, LayerParameters<Tracer>& layer) {
  const auto count = trace.fact(model, "experts", model.experts);
  const auto chosen = trace.fact(model, "experts_per_token", model.experts_per_token);
  const auto matrices = trace.fact(model, "mlp_matrices", model.mlp_matrices);
  const auto width = trace.fact(model, "moe_ffn_hidden_size", model.moe_ffn_hidden_size);
  const bool latent = model.moe_latent_size > 0;
  const auto inner = latent ? trace.fact(model, "moe_latent_size", model.moe_latent_size) : hidden;
  Total<Tracer, double> all;
  Total<Tracer, double> active;
  all.add(named("routed_expert_parameters", expert_parameters(count, matrices, inner, width)));
  active.add(named("chosen_expert_parameters", expert_parameters(chosen, matrices, inner, width)));
  if (model.expert_bias) {
    all.add(named("expert_bias_parameters", expert_bias_parameters(count, width, hidden)));
    active.add(named("chosen_expert_bias_parameters", expert_bias_parameters(chosen, width, hidden)));
  }
  layer.experts = all.sum(trace, "expert_parameters");
  layer.active_experts = active.sum(trace, "active_expert_parameters");

  Total<Tracer, double> shared;
  if (model.shared_ffn_hidden_size > 0) {
    shared.add(named(
        "shared_mlp_parameters",
        mlp_parameters(matrices, hidden, trace.fact(model, "shared_ffn_hidden_size", model.shared_ffn_hidden_size))));
  }
  if (model.shared_expert_gate) shared.add(hidden);
  if (latent) shared.add(named("latent_projection_parameters", latent_projection_parameters(hidden, inner)));
  layer.shared_experts = shared.sum(trace, "shared_expert_parameters");

  Total<Tracer, double> router;
  router.add(named("router_weights", cited("arXiv 2101.03961", hidden * count)));
  if (model.router_bias) router.add(count);
  layer.router = router.sum(trace, "router_parameters");
}

}  // namespace parameters_detail

/// Parameters of one layer of a kind.
template <class Tracer>
LayerParameters<Tracer> layer_parameters(Tracer& trace, const Model& model, const LayerKind& kind) {
  namespace detail = parameters_detail;
  const auto hidden = trace.fact(model, "hidden_size", model.hidden_size);
  const auto facts = layer_facts(trace, model, kind);
  LayerParameters<Tracer> layer{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  if (has_attention(kind)) layer.attention = detail::attention(trace, model, kind, facts, hidden);
  if (kind.attention == AttentionKind::linear) layer.attention = detail::linear_mixer(trace, model, hidden);
  const bool parallel_dense = kind.mlp == MlpKind::moe && model.moe_parallel_dense_mlp;
  if (kind.mlp == MlpKind::dense || parallel_dense) {
    layer.dense_mlp =
        named("dense_mlp_parameters",
              mlp_parameters(trace.fact(model, "mlp_matrices", model.mlp_matrices), hidden, facts.ffn_hidden_size));
  }
  if (kind.mlp == MlpKind::moe) detail::experts(trace, model, hidden, layer);
  layer.norms = detail::norms(trace, model, kind, facts, hidden);
  layer.other = detail::other(trace, model, kind, facts, hidden);
  return layer;
}

/// What stands before and after the layers.
template <class Tracer>
struct EndParameters {
  using Known = typename Tracer::template Known<double>;
  Known token_table{};
  Known before{};       ///< learned positions and the norm of the embedding
  Known output_head{};  ///< the matrix alone; equal to token_table when tied
  Known after{};        ///< final norm and bias of the head
};

template <class Tracer>
EndParameters<Tracer> end_parameters(Tracer& trace, const Model& model) {
  const auto hidden = trace.fact(model, "hidden_size", model.hidden_size);
  const auto vocabulary = trace.fact(model, "vocab_size", model.vocab_size);
  EndParameters<Tracer> ends;
  ends.token_table = named("token_table_parameters", vocabulary * hidden);
  ends.output_head = named("output_head_parameters", vocabulary * hidden);
  Total<Tracer, double> before;
  if (model.position_embeddings > 0) {
    before.add(
        named("position_parameters", trace.fact(model, "position_embeddings", model.position_embeddings) * hidden));
  }
  if (model.embedding_norm)
    before.add(
        named("embedding_norm_parameters",
              norm_parameters(1.0, trace.constant("vectors_per_layer_norm", 2.0, "definition of LayerNorm"), hidden)));
  ends.before = before.sum(trace, "position_and_embedding_norm_parameters");
  Total<Tracer, double> after;
  const auto vectors =
      trace.constant("vectors_per_norm", model.norm_bias ? 2.0 : 1.0, "definition of LayerNorm and RMSNorm");
  after.add(named("final_norm_parameters", norm_parameters(1.0, vectors, hidden)));
  if (model.lm_head_bias) after.add(vocabulary);
  ends.after = after.sum(trace, "final_norm_and_head_bias_parameters");
  return ends;
}

template <class Tracer>
ParameterParts<Tracer> parameter_parts(Tracer& trace, const Model& model, const LayerStack& stack) {
  Total<Tracer, double> attention, dense_mlp, experts, active_experts, shared, router, norms, other;
  for (const LayerKind& kind : stack.kinds) {
    const LayerParameters<Tracer> layer = layer_parameters(trace, model, kind);
    const auto count = trace.method("layers_of_kind", kind.count, "docs/method/parameters_and_flops.md");
    const auto times = [&](std::string_view id, const auto& per_layer) { return named(id, count * per_layer); };
    attention.add(times("attention_of_kind", layer.attention));
    dense_mlp.add(times("dense_mlp_of_kind", layer.dense_mlp));
    experts.add(times("experts_of_kind", layer.experts));
    active_experts.add(times("active_experts_of_kind", layer.active_experts));
    shared.add(times("shared_experts_of_kind", layer.shared_experts));
    router.add(times("router_of_kind", layer.router));
    norms.add(times("norms_of_kind", layer.norms));
    other.add(times("other_of_kind", layer.other));
  }
  const EndParameters<Tracer> ends = end_parameters(trace, model);
  norms.add(ends.after);
  ParameterParts<Tracer> parts;
  parts.attention = attention.sum(trace, "attention_parameters_of_model");
  parts.dense_mlp = dense_mlp.sum(trace, "dense_mlp_parameters_of_model");
  parts.experts = experts.sum(trace, "expert_parameters_of_model");
  parts.shared_experts = shared.sum(trace, "shared_expert_parameters_of_model");
  parts.router = router.sum(trace, "router_parameters_of_model");
  parts.norms = norms.sum(trace, "norm_parameters_of_model");
  parts.other = other.sum(trace, "other_parameters_of_model");
  parts.embedding = sum_of(trace, "embedding_parameters", ends.token_table, ends.before);
  parts.output_head = model.tied_embeddings
                          ? trace.constant("tied_output_head", 0.0, "the token table serves as output head")
                          : ends.output_head;
  parts.total = sum_of(trace, "total_parameters", parts.attention, parts.dense_mlp, parts.experts, parts.shared_experts,
                       parts.router, parts.norms, parts.other, parts.embedding, parts.output_head);
  parts.active = sum_of(trace, "active_parameters", parts.attention, parts.dense_mlp,
                        active_experts.sum(trace, "active_expert_parameters_of_model"), parts.shared_experts,
                        parts.router, parts.norms, parts.other, parts.embedding, parts.output_head);
  return parts;
}

template <class Tracer>
ParameterParts<Tracer> parameter_parts(Tracer& trace, const Model& model) {
  return parameter_parts(trace, model, layer_stack(model));
}

}  // namespace podwright
