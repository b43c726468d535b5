#pragma once
/// Floating-point operations per token (one multiply-add is 2), by named convention.
/// docs/method/parameters_and_flops.md. Training work is three forward passes; forward work of any part is a third of
/// the training work.
#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/model.h"
#include "model/layers.h"
#include "model/linear_weights.h"
#include "model/parameters.h"
#include "model/total.h"

namespace podwright {

/// What a published rate counts. Recompute is counted by hardware_flops_*, never here.
struct FlopsConvention {
  enum class Attention { full, causal };
  Attention attention = Attention::causal;
  bool gate_counted = true;        ///< false: a gated MLP counted as two matrices
  bool window_counted = true;      ///< false: windowed and sparse layers counted as though they read everything
  bool embedding_counted = false;  ///< true: an untied token table counted as a matrix product
  double multi_token_depths = 0;   ///< multi-token prediction modules
};

/// Training FLOPs of passing one token through so many weights: forward, and backward to inputs and weights.
constexpr auto matmul_training_flops(Of<double> auto parameters) {
  return cited("arXiv 2001.08361 section 2.1", in<Flops>(6.0 * parameters));
}

/// Scores and weighted values of one layer in training, for one query that reads `attended` keys on average.
constexpr auto core_attention_training_flops(Of<double> auto heads, Of<double> auto head_dim,
                                             Of<double> auto v_head_dim, Of<double> auto attended) {
  return cited("arXiv 2205.05198 appendix A", in<Flops>(6.0 * heads * (head_dim + v_head_dim) * attended));
}

/// Keys that the average query of a causal sequence reads when it reads at most `window` of them.
constexpr auto causal_window_keys(Of<double> auto sequence, Of<double> auto window) {
  const auto read = min(window, sequence);
  return cited("sum over positions of min(position, window)", read * (1.0 - read / (2.0 * sequence)));
}

constexpr auto causal_keys(Of<double> auto sequence) { return cited("mean position", sequence / 2.0); }

/// Attention that restarts at multiples of `window`, causal inside.
constexpr auto causal_chunk_keys(Of<double> auto sequence, Of<double> auto window) {
  return cited("mean position inside a chunk", min(window, sequence) / 2.0);
}

/// Selector of sparse attention in training: one score per head and key.
constexpr auto indexer_training_flops(Of<double> auto heads, Of<double> auto head_dim, Of<double> auto attended) {
  return cited("DeepSeek-V3.2-Exp reference code", in<Flops>(6.0 * heads * head_dim * attended));
}

/// Scan of a Mamba-2 layer in training.
constexpr auto mamba_2_scan_training_flops(Of<double> auto width, Of<double> auto state_size) {
  return cited("Megatron-LM, FLOPs of a hybrid model (scan: 7 per forward element)",
               in<Flops>(21.0 * width * state_size));
}

/// Delta rule of a gated delta net or Kimi delta attention in training: four products with the state.
constexpr auto delta_rule_training_flops(Of<double> auto heads, Of<double> auto key_head_dim,
                                         Of<double> auto value_head_dim) {
  return cited("Megatron-LM, FLOPs of a gated delta net", in<Flops>(24.0 * heads * key_head_dim * value_head_dim));
}

/// Work that the hardware does with every layer computed again before its backward pass.
constexpr auto hardware_flops_full_recompute(Of<Flops> auto model_flops) {
  return cited("arXiv 2205.05198 appendix A", model_flops + model_flops / 3.0);
}

/// Work that the hardware does with core attention computed again.
constexpr auto hardware_flops_selective_recompute(Of<Flops> auto model_flops, Of<Flops> auto core_attention) {
  return cited("arXiv 2205.05198 section 5", model_flops + core_attention / 3.0);
}

/// Share of the peak that useful (mfu) or executed (hfu) work reaches.
constexpr auto flops_utilisation(Of<Flops> auto work, Of<Seconds> auto time, Of<double> auto gpus,
                                 Of<FlopsPerSecond> auto peak_per_gpu) {
  return cited("arXiv 2204.02311 appendix B", work / (time * gpus * peak_per_gpu));
}

/// Training FLOPs of one token.
template <class Tracer>
struct FlopsPerToken {
  using Known = typename Tracer::template Known<Flops>;
  Known mixer_projections{};  ///< linear weights of attention and of linear mixers
  Known mlp{};                ///< dense, shared and chosen routed experts
  Known output_head{};
  Known core_attention{};  ///< scores, values, selector, scans
  Known multi_token{};     ///< all of the multi-token prediction modules
  Known embedding{};       ///< only where the convention counts it
  Known total{};
};

namespace flops_detail {

template <class Tracer, class T>
using Known = typename Tracer::template Known<T>;

/// Weights that one token of a layer is multiplied with.
struct ActiveWeights {
  double mixer = 0;
  double mlp = 0;
};
inline ActiveWeights active_weights(const Model& model, const LayerKind& kind, bool gate_counted) {
  ActiveWeights active;
  for (const LinearWeight& weight : linear_weights(model, kind)) {
    const bool gated = model.mlp_matrices > 2 && weight.name == "gate_up";
    const double counted = gated && !gate_counted ? 0.5 : 1.0;
    (weight.role == LinearRole::attention ? active.mixer : active.mlp) += counted * weight.active * weight.parameters();
  }
  return active;
}

/// Keys that the average query of a layer reads.
template <class Tracer>
Known<Tracer, double> attended_keys(Tracer& trace, const Model& model, const LayerKind& kind,
                                    const FlopsConvention& convention, const Known<Tracer, double>& sequence) {
  const bool causal = convention.attention == FlopsConvention::Attention::causal;
  const bool windowed = kind.attention == AttentionKind::sliding || kind.attention == AttentionKind::chunked;
  const double limit =
      windowed ? kind.window_tokens : (kind.attention == AttentionKind::sparse ? kind.read_tokens : 0.0);
  if (limit <= 0 || !convention.window_counted)
    return causal ? named("attended_keys", causal_keys(sequence)) : sequence;
  const bool own = kind.group >= 0;
  const auto window =
      windowed ? layer_fact(trace, model, kind, "window_tokens", "sliding_window", limit,
                            own && model.layer_groups[static_cast<std::size_t>(kind.group)].window_tokens > 0)
               : layer_fact(trace, model, kind, "read_tokens", "indexer.top_k", limit,
                            own && model.layer_groups[static_cast<std::size_t>(kind.group)].read_tokens > 0);
  if (!causal) return named("attended_keys", min(window, sequence));
  if (kind.attention == AttentionKind::chunked) return named("attended_keys", causal_chunk_keys(sequence, window));
  return named("attended_keys", causal_window_keys(sequence, window));
}

template <class Tracer>
Known<Tracer, Flops> scan(Tracer& trace, const Model& model) {
  if (!model.linear_attention) return Flops(0);
  const LinearAttention& mixer = *model.linear_attention;
  const auto fact = [&](std::string_view field, double value) { return trace.fact(model, field, value); };
  switch (mixer.kind) {
    case LinearAttention::Kind::gated_delta_net:
      return named("scan", delta_rule_training_flops(fact("linear_attention.value_heads", mixer.value_heads),
                                                     fact("linear_attention.key_head_dim", mixer.key_head_dim),
                                                     fact("linear_attention.value_head_dim", mixer.value_head_dim)));
    case LinearAttention::Kind::kda: {
      const auto width = fact("linear_attention.head_dim", mixer.head_dim);
      return named("scan", delta_rule_training_flops(fact("linear_attention.heads", mixer.heads), width, width));
    }
    case LinearAttention::Kind::mamba_2:
      break;
  }
  const auto width = named(
      "mixer_width", fact("linear_attention.heads", mixer.heads) * fact("linear_attention.head_dim", mixer.head_dim));
  return named("scan", mamba_2_scan_training_flops(width, fact("linear_attention.state_size", mixer.state_size)));
}

}  // namespace flops_detail

/// Training FLOPs of one token in one layer.
template <class Tracer>
struct LayerFlops {
  using Known = typename Tracer::template Known<Flops>;
  Known mixer_projections{};
  Known mlp{};
  Known core_attention{};
};

/// `attention_sequence` is the sequence length, or packed_sequence() of packed documents.
template <class Tracer>
LayerFlops<Tracer> layer_training_flops(Tracer& trace, const Model& model, const LayerKind& kind,
                                        const FlopsConvention& convention,
                                        const typename Tracer::template Known<double>& attention_sequence) {
  namespace detail = flops_detail;
  const char* const page = "docs/method/parameters_and_flops.md";
  const detail::ActiveWeights active = detail::active_weights(model, kind, convention.gate_counted);
  LayerFlops<Tracer> layer{Flops(0), Flops(0), Flops(0)};
  if (active.mixer > 0)
    layer.mixer_projections =
        named("mixer_flops", matmul_training_flops(trace.method("mixer_weights", active.mixer, page)));
  if (active.mlp > 0)
    layer.mlp = named("mlp_flops", matmul_training_flops(trace.method("active_mlp_weights", active.mlp, page)));
  if (kind.attention == AttentionKind::linear) layer.core_attention = detail::scan(trace, model);
  if (has_attention(kind)) {
    const auto facts = layer_facts(trace, model, kind);
    const auto keys = detail::attended_keys(trace, model, kind, convention, attention_sequence);
    layer.core_attention = named("core_attention_flops",
                                 core_attention_training_flops(facts.heads, facts.head_dim, facts.v_head_dim, keys));
    if (model.indexer && kind.attention == AttentionKind::sparse) {
      const bool causal = convention.attention == FlopsConvention::Attention::causal;
      const auto all_keys = causal ? named("scored_keys", causal_keys(attention_sequence)) : attention_sequence;
      layer.core_attention = sum_of(
          trace, "core_attention_and_indexer_flops", layer.core_attention,
          named("indexer_flops",
                indexer_training_flops(trace.fact(model, "indexer.heads", model.indexer->heads),
                                       trace.fact(model, "indexer.head_dim", model.indexer->head_dim), all_keys)));
    }
  }
  return layer;
}

/// Training FLOPs of one token of a model.
template <class Tracer>
FlopsPerToken<Tracer> flops_per_token(Tracer& trace, const Model& model, const LayerStack& stack,
                                      const FlopsConvention& convention,
                                      const typename Tracer::template Known<double>& attention_sequence) {
  const char* const page = "docs/method/parameters_and_flops.md";
  Total<Tracer, Flops> mixers, mlps, cores, depths;
  for (const LayerKind& kind : stack.kinds) {
    const LayerFlops<Tracer> layer = layer_training_flops(trace, model, kind, convention, attention_sequence);
    const auto count = trace.method("layers_of_kind", kind.count, page);
    mixers.add(named("mixer_flops_of_kind", count * layer.mixer_projections));
    mlps.add(named("mlp_flops_of_kind", count * layer.mlp));
    cores.add(named("core_attention_flops_of_kind", count * layer.core_attention));
  }
  FlopsPerToken<Tracer> flops;
  flops.mixer_projections = mixers.sum(trace, "mixer_flops_per_token");
  flops.mlp = mlps.sum(trace, "mlp_flops_per_token");
  flops.core_attention = cores.sum(trace, "core_attention_flops_per_token");
  const auto hidden = trace.fact(model, "hidden_size", model.hidden_size);
  const auto table = named("output_head_parameters", trace.fact(model, "vocab_size", model.vocab_size) * hidden);
  flops.output_head = named("output_head_flops", matmul_training_flops(table));
  if (convention.multi_token_depths > 0 && !stack.order.empty()) {
    const LayerKind& last = stack.kinds[static_cast<std::size_t>(stack.order.back())];
    const LayerFlops<Tracer> layer = layer_training_flops(trace, model, last, convention, attention_sequence);
    const auto projection =
        named("multi_token_projection", matmul_training_flops(named("multi_token_projection_parameters",
                                                                    latent_projection_parameters(hidden, hidden))));
    const auto depth = sum_of(trace, "multi_token_depth_flops", layer.mixer_projections, layer.mlp,
                              layer.core_attention, projection, flops.output_head);
    depths.add(
        named("multi_token_flops", trace.method("multi_token_depths", convention.multi_token_depths, page) * depth));
  }
  flops.multi_token = depths.sum(trace, "multi_token_flops_per_token");
  Total<Tracer, Flops> embedding;
  if (convention.embedding_counted && !model.tied_embeddings)
    embedding.add(named("embedding_flops", matmul_training_flops(table)));
  flops.embedding = embedding.sum(trace, "embedding_flops_per_token");
  flops.total = sum_of(trace, "flops_per_token", flops.mixer_projections, flops.mlp, flops.output_head,
                       flops.core_attention, flops.multi_token, flops.embedding);
  return flops;
}

template <class Tracer>
FlopsPerToken<Tracer> flops_per_token(Tracer& trace, const Model& model, const FlopsConvention& convention,
                                      const typename Tracer::template Known<double>& attention_sequence) {
  return flops_per_token(trace, model, layer_stack(model), convention, attention_sequence);
}

}  // namespace podwright
