#pragma once
/// How many parameters a model has, block by block. docs/method/parameters_and_flops.md.
#include "base/formula.h"
#include "base/trace.h"
#include "catalog/model.h"
#include "model/layers.h"
#include "model/total.h"

namespace podwright {

/// Query, key, value and output projection of one layer with grouped key-value heads, without biases.
constexpr double attention_parameters(double hidden, double heads, double kv_heads, double head_dim,
                                      double v_head_dim) {
  return hidden * (heads * head_dim + kv_heads * (head_dim + v_head_dim)) + heads * v_head_dim * hidden;
}
inline constexpr Formula<attention_parameters> kAttentionParameters{
    .id = "model.attention_parameters",
    .inputs = {"hidden", "heads", "kv_heads", "head_dim", "v_head_dim"},
    .equation = "hidden * (heads * head_dim + kv_heads * (head_dim + v_head_dim)) + heads * v_head_dim * hidden",
    .source = "arXiv 2305.13245"};

/// The same where the key projection serves as value too.
constexpr double shared_kv_attention_parameters(double hidden, double heads, double kv_heads, double head_dim,
                                                double v_head_dim) {
  return hidden * (heads + kv_heads) * head_dim + heads * v_head_dim * hidden;
}
inline constexpr Formula<shared_kv_attention_parameters> kSharedKvAttentionParameters{
    .id = "model.shared_kv_attention_parameters",
    .inputs = {"hidden", "heads", "kv_heads", "head_dim", "v_head_dim"},
    .equation = "hidden * (heads + kv_heads) * head_dim + heads * v_head_dim * hidden",
    .source = "arXiv 2305.13245"};

/// Latent attention: query down to its rank and up to the heads.
constexpr double latent_query_parameters(double hidden, double q_lora_rank, double heads, double head_dim) {
  return q_lora_rank * (hidden + heads * head_dim);
}
inline constexpr Formula<latent_query_parameters> kLatentQueryParameters{
    .id = "model.latent_query_parameters",
    .inputs = {"hidden", "q_lora_rank", "heads", "head_dim"},
    .equation = "q_lora_rank * (hidden + heads * head_dim)",
    .source = "arXiv 2405.04434 section 2.1"};

/// Latent attention whose query is not compressed.
constexpr double direct_query_parameters(double hidden, double heads, double head_dim) {
  return hidden * heads * head_dim;
}
inline constexpr Formula<direct_query_parameters> kDirectQueryParameters{.id = "model.direct_query_parameters",
                                                                         .inputs = {"hidden", "heads", "head_dim"},
                                                                         .equation = "hidden * heads * head_dim",
                                                                         .source = "arXiv 2405.04434 section 2.1"};

/// Latent attention: hidden state down to the latent (and the shared rotary key), latent up to keys and values.
constexpr double latent_kv_parameters(double hidden, double kv_lora_rank, double qk_rope_dim, double heads,
                                      double qk_nope_dim, double v_head_dim) {
  return hidden * (kv_lora_rank + qk_rope_dim) + kv_lora_rank * heads * (qk_nope_dim + v_head_dim);
}
inline constexpr Formula<latent_kv_parameters> kLatentKvParameters{
    .id = "model.latent_kv_parameters",
    .inputs = {"hidden", "kv_lora_rank", "qk_rope_dim", "heads", "qk_nope_dim", "v_head_dim"},
    .equation = "hidden * (kv_lora_rank + qk_rope_dim) + kv_lora_rank * heads * (qk_nope_dim + v_head_dim)",
    .source = "arXiv 2405.04434 section 2.1"};

/// A projection from all heads to the hidden size; also the size of an output gate.
constexpr double head_projection_parameters(double heads, double v_head_dim, double hidden) {
  return heads * v_head_dim * hidden;
}
inline constexpr Formula<head_projection_parameters> kHeadProjectionParameters{
    .id = "model.head_projection_parameters",
    .inputs = {"heads", "v_head_dim", "hidden"},
    .equation = "heads * v_head_dim * hidden",
    .source = "arXiv 2405.04434 section 2.1"};

/// Selector of sparse attention: query up from the query latent, one key (with its norm), one weight per head.
constexpr double indexer_parameters(double q_lora_rank, double indexer_heads, double indexer_head_dim, double hidden) {
  return q_lora_rank * indexer_heads * indexer_head_dim + hidden * indexer_head_dim + 2.0 * indexer_head_dim +
         hidden * indexer_heads;
}
inline constexpr Formula<indexer_parameters> kIndexerParameters{
    .id = "model.indexer_parameters",
    .inputs = {"q_lora_rank", "indexer_heads", "indexer_head_dim", "hidden"},
    .equation =
        "q_lora_rank * indexer_heads * indexer_head_dim + hidden * indexer_head_dim + 2 * indexer_head_dim + hidden * "
        "indexer_heads",
    .source = "DeepSeek-V3.2-Exp configuration and reference code"};

/// Gated delta net: query, key, value and gate in one projection, decay and step per value head, short convolution,
/// norm, output.
constexpr double gated_delta_net_parameters(double hidden, double key_width, double value_width, double value_heads,
                                            double value_head_dim, double conv_kernel) {
  return hidden * (2.0 * key_width + 2.0 * value_width) + 2.0 * hidden * value_heads +
         (2.0 * key_width + value_width) * conv_kernel + 2.0 * value_heads + value_head_dim + value_width * hidden;
}
inline constexpr Formula<gated_delta_net_parameters> kGatedDeltaNetParameters{
    .id = "model.gated_delta_net_parameters",
    .inputs = {"hidden", "key_width", "value_width", "value_heads", "value_head_dim", "conv_kernel"},
    .equation =
        "hidden * (2 * key_width + 2 * value_width) + 2 * hidden * value_heads + (2 * key_width + value_width) * "
        "conv_kernel + 2 * value_heads + "
        "value_head_dim + value_width * hidden",
    .source = "arXiv 2412.06464"};

/// Mamba-2: one input projection (gate, x, B, C, step), short convolution with bias, A, D and step bias, gated norm,
/// output.
constexpr double mamba_2_parameters(double hidden, double width, double heads, double groups, double state_size,
                                    double conv_kernel) {
  return hidden * (2.0 * width + 2.0 * groups * state_size + heads) +
         (width + 2.0 * groups * state_size) * (conv_kernel + 1.0) + 3.0 * heads + width + width * hidden;
}
inline constexpr Formula<mamba_2_parameters> kMamba2Parameters{
    .id = "model.mamba_2_parameters",
    .inputs = {"hidden", "width", "heads", "groups", "state_size", "conv_kernel"},
    .equation =
        "hidden * (2 * width + 2 * groups * state_size + heads) + (width + 2 * groups * state_size) * (conv_kernel + "
        "1) + 3 * heads + width + "
        "width * hidden",
    .source = "arXiv 2405.21060"};

/// Kimi delta attention: query, key, value, gate and output of one width, step per head, short convolutions. The gate
/// is an estimate.
constexpr double kda_parameters(double hidden, double width, double heads, double conv_kernel) {
  return 5.0 * hidden * width + hidden * heads + 3.0 * width * conv_kernel + 2.0 * heads;
}
inline constexpr Formula<kda_parameters> kKdaParameters{
    .id = "model.kda_parameters",
    .inputs = {"hidden", "width", "heads", "conv_kernel"},
    .equation = "5 * hidden * width + hidden * heads + 3 * width * conv_kernel + 2 * heads",
    .source = "arXiv 2510.26692"};

constexpr double width_of_heads(double heads, double head_dim) { return heads * head_dim; }
inline constexpr Formula<width_of_heads> kWidthOfHeads{.id = "model.width_of_heads",
                                                       .inputs = {"heads", "head_dim"},
                                                       .equation = "heads * head_dim",
                                                       .source = "definition"};

/// MLP of 2 matrices, or 3 when gated.
constexpr double mlp_parameters(double matrices, double hidden, double width) { return matrices * hidden * width; }
inline constexpr Formula<mlp_parameters> kMlpParameters{.id = "model.mlp_parameters",
                                                        .inputs = {"matrices", "hidden", "width"},
                                                        .equation = "matrices * hidden * width",
                                                        .source = "arXiv 2002.05202"};

/// `experts` MLPs; with the experts that one token uses instead, their active parameters.
constexpr double expert_parameters(double experts, double matrices, double hidden, double width) {
  return experts * matrices * hidden * width;
}
inline constexpr Formula<expert_parameters> kExpertParameters{.id = "model.expert_parameters",
                                                              .inputs = {"experts", "matrices", "hidden", "width"},
                                                              .equation = "experts * matrices * hidden * width",
                                                              .source = "arXiv 2101.03961"};

/// Projections into and out of the narrower width that routed experts work in.
constexpr double latent_projection_parameters(double hidden, double latent) { return 2.0 * hidden * latent; }
inline constexpr Formula<latent_projection_parameters> kLatentProjectionParameters{
    .id = "model.latent_projection_parameters",
    .inputs = {"hidden", "latent"},
    .equation = "2 * hidden * latent",
    .source = "Nemotron 3 model cards"};

constexpr double router_parameters(double hidden, double experts) { return hidden * experts; }
inline constexpr Formula<router_parameters> kRouterParameters{.id = "model.router_parameters",
                                                              .inputs = {"hidden", "experts"},
                                                              .equation = "hidden * experts",
                                                              .source = "arXiv 2101.03961"};

/// Norms of the width of the hidden state; `vectors` is 1 (RMSNorm) or 2 (LayerNorm: scale and bias).
constexpr double norm_parameters(double norms, double vectors, double hidden) { return norms * vectors * hidden; }
inline constexpr Formula<norm_parameters> kNormParameters{.id = "model.norm_parameters",
                                                          .inputs = {"norms", "vectors", "hidden"},
                                                          .equation = "norms * vectors * hidden",
                                                          .source = "arXiv 1910.07467"};

constexpr double head_norm_parameters(double head_dim) { return 2.0 * head_dim; }
inline constexpr Formula<head_norm_parameters> kHeadNormParameters{.id = "model.head_norm_parameters",
                                                                   .inputs = {"head_dim"},
                                                                   .equation = "2 * head_dim",
                                                                   .source = "arXiv 2302.05442"};

constexpr double full_qk_norm_parameters(double heads, double kv_heads, double head_dim) {
  return (heads + kv_heads) * head_dim;
}
inline constexpr Formula<full_qk_norm_parameters> kFullQkNormParameters{.id = "model.full_qk_norm_parameters",
                                                                        .inputs = {"heads", "kv_heads", "head_dim"},
                                                                        .equation = "(heads + kv_heads) * head_dim",
                                                                        .source = "arXiv 2302.05442"};

constexpr double latent_norm_parameters(double q_lora_rank, double kv_lora_rank) { return q_lora_rank + kv_lora_rank; }
inline constexpr Formula<latent_norm_parameters> kLatentNormParameters{.id = "model.latent_norm_parameters",
                                                                       .inputs = {"q_lora_rank", "kv_lora_rank"},
                                                                       .equation = "q_lora_rank + kv_lora_rank",
                                                                       .source = "arXiv 2405.04434 section 2.1"};

/// Biases of the query, key and value projections.
constexpr double qkv_bias_parameters(double heads, double kv_heads, double head_dim) {
  return (heads + 2.0 * kv_heads) * head_dim;
}
inline constexpr Formula<qkv_bias_parameters> kQkvBiasParameters{.id = "model.qkv_bias_parameters",
                                                                 .inputs = {"heads", "kv_heads", "head_dim"},
                                                                 .equation = "(heads + 2 * kv_heads) * head_dim",
                                                                 .source = "definition"};

/// Biases of an MLP of two matrices.
constexpr double mlp_bias_parameters(double width, double hidden) { return width + hidden; }
inline constexpr Formula<mlp_bias_parameters> kMlpBiasParameters{.id = "model.mlp_bias_parameters",
                                                                 .inputs = {"width", "hidden"},
                                                                 .equation = "width + hidden",
                                                                 .source = "definition"};

/// Biases of `experts` gated MLPs.
constexpr double expert_bias_parameters(double experts, double width, double hidden) {
  return experts * (2.0 * width + hidden);
}
inline constexpr Formula<expert_bias_parameters> kExpertBiasParameters{.id = "model.expert_bias_parameters",
                                                                       .inputs = {"experts", "width", "hidden"},
                                                                       .equation = "experts * (2 * width + hidden)",
                                                                       .source = "definition"};

/// Rows of a table: token embedding, output head, learned positions.
constexpr double table_parameters(double rows, double hidden) { return rows * hidden; }
inline constexpr Formula<table_parameters> kTableParameters{
    .id = "model.table_parameters", .inputs = {"rows", "hidden"}, .equation = "rows * hidden", .source = "definition"};

/// So many layers of one kind.
constexpr double parameters_of_layers(double layers, double parameters_per_layer) {
  return layers * parameters_per_layer;
}
inline constexpr Formula<parameters_of_layers> kParametersOfLayers{.id = "model.parameters_of_layers",
                                                                   .inputs = {"layers", "parameters_per_layer"},
                                                                   .equation = "layers * parameters_per_layer",
                                                                   .source = "definition"};

/// GPT-style model in closed form: ungated MLP of four times the hidden size, tied embedding, learned positions.
/// Without the final norm.
constexpr double gpt_parameters(double layers, double hidden, double vocabulary, double sequence) {
  return 12.0 * layers * hidden * hidden *
         (1.0 + 13.0 / (12.0 * hidden) + (vocabulary + sequence) / (12.0 * layers * hidden));
}
inline constexpr Formula<gpt_parameters> kGptParameters{
    .id = "model.gpt_parameters",
    .inputs = {"layers", "hidden", "vocabulary", "sequence"},
    .equation = "12 * layers * hidden^2 * (1 + 13 / (12 * hidden) + (vocabulary + sequence) / (12 * layers * hidden))",
    .source = "arXiv 2104.04473 eq. 2"};

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
  if (!model.linear_attention) return trace.constant("no_mixer", 0.0, "definition");
  const LinearAttention& mixer = *model.linear_attention;
  const auto fact = [&](std::string_view field, double value) { return trace.fact(model, field, value); };
  const auto kernel = fact("linear_attention.conv_kernel", mixer.conv_kernel);
  if (mixer.kind == LinearAttention::Kind::gated_delta_net) {
    const auto value_heads = fact("linear_attention.value_heads", mixer.value_heads);
    const auto value_dim = fact("linear_attention.value_head_dim", mixer.value_head_dim);
    const auto keys = trace.step("key_width", kWidthOfHeads, fact("linear_attention.key_heads", mixer.key_heads),
                                 fact("linear_attention.key_head_dim", mixer.key_head_dim));
    const auto values = trace.step("value_width", kWidthOfHeads, value_heads, value_dim);
    return trace.step("linear_attention_parameters", kGatedDeltaNetParameters, hidden, keys, values, value_heads,
                      value_dim, kernel);
  }
  const auto heads = fact("linear_attention.heads", mixer.heads);
  const auto width = trace.step("mixer_width", kWidthOfHeads, heads, fact("linear_attention.head_dim", mixer.head_dim));
  if (mixer.kind == LinearAttention::Kind::kda)
    return trace.step("linear_attention_parameters", kKdaParameters, hidden, width, heads, kernel);
  return trace.step("linear_attention_parameters", kMamba2Parameters, hidden, width, heads,
                    fact("linear_attention.groups", mixer.groups),
                    fact("linear_attention.state_size", mixer.state_size), kernel);
}

template <class Tracer>
Known<Tracer> attention(Tracer& trace, const Model& model, const LayerKind& kind, const LayerFacts<Tracer>& facts,
                        const Known<Tracer>& hidden) {
  Total<Tracer, double> parts;
  if (kind.latent) {
    const auto rank = trace.fact(model, "kv_lora_rank", model.kv_lora_rank);
    parts.add(model.q_lora_rank > 0
                  ? trace.step("query_parameters", kLatentQueryParameters, hidden,
                               trace.fact(model, "q_lora_rank", model.q_lora_rank), facts.heads, facts.head_dim)
                  : trace.step("query_parameters", kDirectQueryParameters, hidden, facts.heads, facts.head_dim));
    parts.add(trace.step("key_value_parameters", kLatentKvParameters, hidden, rank,
                         trace.fact(model, "qk_rope_dim", model.qk_rope_dim), facts.heads,
                         trace.fact(model, "qk_nope_dim", model.qk_nope_dim), facts.v_head_dim));
    parts.add(
        trace.step("attention_output_parameters", kHeadProjectionParameters, facts.heads, facts.v_head_dim, hidden));
  } else if (kind.shared_kv) {
    parts.add(trace.step("attention_projection_parameters", kSharedKvAttentionParameters, hidden, facts.heads,
                         facts.kv_heads, facts.head_dim, facts.v_head_dim));
  } else {
    parts.add(trace.step("attention_projection_parameters", kAttentionParameters, hidden, facts.heads, facts.kv_heads,
                         facts.head_dim, facts.v_head_dim));
  }
  if (model.attention_output_gate && kind.attention == AttentionKind::full) {
    parts.add(
        trace.step("attention_gate_parameters", kHeadProjectionParameters, facts.heads, facts.v_head_dim, hidden));
  }
  if (model.indexer && kind.attention == AttentionKind::sparse) {
    parts.add(trace.step("indexer_parameters", kIndexerParameters, trace.fact(model, "q_lora_rank", model.q_lora_rank),
                         trace.fact(model, "indexer.heads", model.indexer->heads),
                         trace.fact(model, "indexer.head_dim", model.indexer->head_dim), hidden));
  }
  return parts.sum(trace, "attention_parameters");
}

template <class Tracer>
Known<Tracer> norms(Tracer& trace, const Model& model, const LayerKind& kind, const LayerFacts<Tracer>& facts,
                    const Known<Tracer>& hidden) {
  Total<Tracer, double> parts;
  const auto vectors =
      trace.constant("vectors_per_norm", model.norm_bias ? 2.0 : 1.0, "definition of LayerNorm and RMSNorm");
  parts.add(trace.step("block_norm_parameters", kNormParameters,
                       trace.fact(model, "norms_per_layer", model.norms_per_layer), vectors, hidden));
  if (kind.latent) {
    parts.add(trace.step("latent_norm_parameters", kLatentNormParameters,
                         trace.fact(model, "q_lora_rank", model.q_lora_rank),
                         trace.fact(model, "kv_lora_rank", model.kv_lora_rank)));
  }
  if (has_attention(kind) && model.qk_norm == QkNormKind::head)
    parts.add(trace.step("qk_norm_parameters", kHeadNormParameters, facts.head_dim));
  if (has_attention(kind) && model.qk_norm == QkNormKind::full) {
    parts.add(trace.step("qk_norm_parameters", kFullQkNormParameters, facts.heads, facts.kv_heads, facts.head_dim));
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
    parts.add(trace.step("qkv_bias_parameters", kQkvBiasParameters, facts.heads, facts.kv_heads, facts.head_dim));
  }
  if (attention && attention_output_bias) parts.add(hidden);
  if (dense && (model.biases == BiasKind::mlp || model.biases == BiasKind::attention_mlp)) {
    parts.add(trace.step("mlp_bias_parameters", kMlpBiasParameters, facts.ffn_hidden_size, hidden));
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
  all.add(trace.step("routed_expert_parameters", kExpertParameters, count, matrices, inner, width));
  active.add(trace.step("chosen_expert_parameters", kExpertParameters, chosen, matrices, inner, width));
  if (model.expert_bias) {
    all.add(trace.step("expert_bias_parameters", kExpertBiasParameters, count, width, hidden));
    active.add(trace.step("chosen_expert_bias_parameters", kExpertBiasParameters, chosen, width, hidden));
  }
  layer.experts = all.sum(trace, "expert_parameters");
  layer.active_experts = active.sum(trace, "active_expert_parameters");

  Total<Tracer, double> shared;
  if (model.shared_ffn_hidden_size > 0) {
    shared.add(trace.step("shared_mlp_parameters", kMlpParameters, matrices, hidden,
                          trace.fact(model, "shared_ffn_hidden_size", model.shared_ffn_hidden_size)));
  }
  if (model.shared_expert_gate) shared.add(hidden);
  if (latent) shared.add(trace.step("latent_projection_parameters", kLatentProjectionParameters, hidden, inner));
  layer.shared_experts = shared.sum(trace, "shared_expert_parameters");

  Total<Tracer, double> router;
  router.add(trace.step("router_weights", kRouterParameters, hidden, count));
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
  const auto zero = trace.constant("none", 0.0, "definition");
  LayerParameters<Tracer> layer{zero, zero, zero, zero, zero, zero, zero, zero};
  if (has_attention(kind)) layer.attention = detail::attention(trace, model, kind, facts, hidden);
  if (kind.attention == AttentionKind::linear) layer.attention = detail::linear_mixer(trace, model, hidden);
  const bool parallel_dense = kind.mlp == MlpKind::moe && model.moe_parallel_dense_mlp;
  if (kind.mlp == MlpKind::dense || parallel_dense) {
    layer.dense_mlp = trace.step("dense_mlp_parameters", kMlpParameters,
                                 trace.fact(model, "mlp_matrices", model.mlp_matrices), hidden, facts.ffn_hidden_size);
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
  const auto one = trace.constant("one_norm", 1.0, "definition");
  EndParameters<Tracer> ends;
  ends.token_table = trace.step("token_table_parameters", kTableParameters, vocabulary, hidden);
  ends.output_head = trace.step("output_head_parameters", kTableParameters, vocabulary, hidden);
  Total<Tracer, double> before;
  if (model.position_embeddings > 0) {
    before.add(trace.step("position_parameters", kTableParameters,
                          trace.fact(model, "position_embeddings", model.position_embeddings), hidden));
  }
  if (model.embedding_norm)
    before.add(trace.step("embedding_norm_parameters", kNormParameters, one,
                          trace.constant("vectors_per_layer_norm", 2.0, "definition of LayerNorm"), hidden));
  ends.before = before.sum(trace, "position_and_embedding_norm_parameters");
  Total<Tracer, double> after;
  const auto vectors =
      trace.constant("vectors_per_norm", model.norm_bias ? 2.0 : 1.0, "definition of LayerNorm and RMSNorm");
  after.add(trace.step("final_norm_parameters", kNormParameters, one, vectors, hidden));
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
    const auto times = [&](std::string_view id, const auto& per_layer) {
      return trace.step(id, kParametersOfLayers, count, per_layer);
    };
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
