#pragma once
/// Floating-point operations per token (one multiply-add is 2), by named convention.
/// docs/method/parameters_and_flops.md. Training work is three forward passes; forward work of any part is a third of
/// the training work.
#include "base/formula.h"
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
constexpr Flops matmul_training_flops(double parameters) { return Flops(6.0 * parameters); }
inline constexpr Formula<matmul_training_flops> kMatmulTrainingFlops{.id = "model.matmul_training_flops",
                                                                     .inputs = {"parameters"},
                                                                     .equation = "6 * parameters",
                                                                     .source = "arXiv 2001.08361 section 2.1"};

/// Scores and weighted values of one layer in training, for one query that reads `attended` keys on average.
constexpr Flops core_attention_training_flops(double heads, double head_dim, double v_head_dim, double attended) {
  return Flops(6.0 * heads * (head_dim + v_head_dim) * attended);
}
inline constexpr Formula<core_attention_training_flops> kCoreAttentionTrainingFlops{
    .id = "model.core_attention_training_flops",
    .inputs = {"heads", "head_dim", "v_head_dim", "attended"},
    .equation = "6 * heads * (head_dim + v_head_dim) * attended",
    .source = "arXiv 2205.05198 appendix A"};

/// Keys that the average query of a causal sequence reads when it reads at most `window` of them.
constexpr double causal_window_keys(double sequence, double window) {
  const double read = window < sequence ? window : sequence;
  return read * (1.0 - read / (2.0 * sequence));
}
inline constexpr Formula<causal_window_keys> kCausalWindowKeys{
    .id = "model.causal_window_keys",
    .inputs = {"sequence", "window"},
    .equation = "min(window, sequence) * (1 - min(window, sequence) / (2 * sequence))",
    .source = "sum over positions of min(position, window)"};

/// The same in the convention that counts masked positions too.
constexpr double full_window_keys(double sequence, double window) { return window < sequence ? window : sequence; }
inline constexpr Formula<full_window_keys> kFullWindowKeys{.id = "model.full_window_keys",
                                                           .inputs = {"sequence", "window"},
                                                           .equation = "min(window, sequence)",
                                                           .source = "definition"};

constexpr double causal_keys(double sequence) { return sequence / 2.0; }
inline constexpr Formula<causal_keys> kCausalKeys{
    .id = "model.causal_keys", .inputs = {"sequence"}, .equation = "sequence / 2", .source = "mean position"};

/// Attention that restarts at multiples of `window`, causal inside.
constexpr double causal_chunk_keys(double sequence, double window) {
  return (window < sequence ? window : sequence) / 2.0;
}
inline constexpr Formula<causal_chunk_keys> kCausalChunkKeys{.id = "model.causal_chunk_keys",
                                                             .inputs = {"sequence", "window"},
                                                             .equation = "min(window, sequence) / 2",
                                                             .source = "mean position inside a chunk"};

/// Sequence length that gives packed documents their attention work: sum of squares over sum.
constexpr double packed_sequence(double sum_of_squares, double sum) { return sum_of_squares / sum; }
inline constexpr Formula<packed_sequence> kPackedSequence{.id = "model.packed_sequence",
                                                          .inputs = {"sum_of_squares", "sum"},
                                                          .equation = "sum_of_squares / sum",
                                                          .source = "attention within documents only"};

/// Selector of sparse attention in training: one score per head and key.
constexpr Flops indexer_training_flops(double heads, double head_dim, double attended) {
  return Flops(6.0 * heads * head_dim * attended);
}
inline constexpr Formula<indexer_training_flops> kIndexerTrainingFlops{.id = "model.indexer_training_flops",
                                                                       .inputs = {"heads", "head_dim", "attended"},
                                                                       .equation = "6 * heads * head_dim * attended",
                                                                       .source = "DeepSeek-V3.2-Exp reference code"};

/// Scan of a Mamba-2 layer in training.
constexpr Flops mamba_2_scan_training_flops(double width, double state_size) {
  return Flops(21.0 * width * state_size);
}
inline constexpr Formula<mamba_2_scan_training_flops> kMamba2ScanTrainingFlops{
    .id = "model.mamba_2_scan_training_flops",
    .inputs = {"width", "state_size"},
    .equation = "21 * width * state_size",
    .source = "Megatron-LM, FLOPs of a hybrid model (scan: 7 per forward element)"};

/// Delta rule of a gated delta net or Kimi delta attention in training: four products with the state.
constexpr Flops delta_rule_training_flops(double heads, double key_head_dim, double value_head_dim) {
  return Flops(24.0 * heads * key_head_dim * value_head_dim);
}
inline constexpr Formula<delta_rule_training_flops> kDeltaRuleTrainingFlops{
    .id = "model.delta_rule_training_flops",
    .inputs = {"heads", "key_head_dim", "value_head_dim"},
    .equation = "24 * heads * key_head_dim * value_head_dim",
    .source = "Megatron-LM, FLOPs of a gated delta net"};

/// So many layers of one kind.
constexpr Flops flops_of_layers(double layers, Flops per_layer) { return layers * per_layer; }
inline constexpr Formula<flops_of_layers> kFlopsOfLayers{.id = "model.flops_of_layers",
                                                         .inputs = {"layers", "per_layer"},
                                                         .equation = "layers * per_layer",
                                                         .source = "definition"};

/// Work of the tokens of a step, a batch or a whole run.
constexpr Flops flops_of_tokens(Flops per_token, double tokens) { return per_token * tokens; }
inline constexpr Formula<flops_of_tokens> kFlopsOfTokens{.id = "model.flops_of_tokens",
                                                         .inputs = {"per_token", "tokens"},
                                                         .equation = "per_token * tokens",
                                                         .source = "definition"};

/// A third of training: the forward pass alone.
constexpr Flops forward_flops(Flops training) { return training / 3.0; }
inline constexpr Formula<forward_flops> kForwardFlops{.id = "model.forward_flops",
                                                      .inputs = {"training"},
                                                      .equation = "training / 3",
                                                      .source = "backward does twice the forward work"};

/// Work that the hardware does with every layer computed again before its backward pass.
constexpr Flops hardware_flops_full_recompute(Flops model_flops) { return model_flops + model_flops / 3.0; }
inline constexpr Formula<hardware_flops_full_recompute> kHardwareFlopsFullRecompute{
    .id = "model.hardware_flops_full_recompute",
    .inputs = {"model_flops"},
    .equation = "model_flops + model_flops / 3",
    .source = "arXiv 2205.05198 appendix A"};

/// Work that the hardware does with core attention computed again.
constexpr Flops hardware_flops_selective_recompute(Flops model_flops, Flops core_attention) {
  return model_flops + core_attention / 3.0;
}
inline constexpr Formula<hardware_flops_selective_recompute> kHardwareFlopsSelectiveRecompute{
    .id = "model.hardware_flops_selective_recompute",
    .inputs = {"model_flops", "core_attention"},
    .equation = "model_flops + core_attention / 3",
    .source = "arXiv 2205.05198 section 5"};

/// Share of the peak that useful (mfu) or executed (hfu) work reaches.
constexpr double flops_utilisation(Flops work, Seconds time, double gpus, FlopsPerSecond peak_per_gpu) {
  return work / (time * gpus * peak_per_gpu);
}
inline constexpr Formula<flops_utilisation> kFlopsUtilisation{.id = "model.flops_utilisation",
                                                              .inputs = {"work", "time", "gpus", "peak_per_gpu"},
                                                              .equation = "work / (time * gpus * peak_per_gpu)",
                                                              .source = "arXiv 2204.02311 appendix B"};

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
    return causal ? trace.step("attended_keys", kCausalKeys, sequence) : sequence;
  const bool own = kind.group >= 0;
  const auto window =
      windowed ? layer_fact(trace, model, kind, "window_tokens", "sliding_window", limit,
                            own && model.layer_groups[static_cast<std::size_t>(kind.group)].window_tokens > 0)
               : layer_fact(trace, model, kind, "read_tokens", "indexer.top_k", limit,
                            own && model.layer_groups[static_cast<std::size_t>(kind.group)].read_tokens > 0);
  if (!causal) return trace.step("attended_keys", kFullWindowKeys, sequence, window);
  if (kind.attention == AttentionKind::chunked) return trace.step("attended_keys", kCausalChunkKeys, sequence, window);
  return trace.step("attended_keys", kCausalWindowKeys, sequence, window);
}

template <class Tracer>
Known<Tracer, Flops> scan(Tracer& trace, const Model& model) {
  if (!model.linear_attention) return trace.constant("no_scan", Flops(0), "definition");
  const LinearAttention& mixer = *model.linear_attention;
  const auto fact = [&](std::string_view field, double value) { return trace.fact(model, field, value); };
  switch (mixer.kind) {
    case LinearAttention::Kind::gated_delta_net:
      return trace.step("scan", kDeltaRuleTrainingFlops, fact("linear_attention.value_heads", mixer.value_heads),
                        fact("linear_attention.key_head_dim", mixer.key_head_dim),
                        fact("linear_attention.value_head_dim", mixer.value_head_dim));
    case LinearAttention::Kind::kda: {
      const auto width = fact("linear_attention.head_dim", mixer.head_dim);
      return trace.step("scan", kDeltaRuleTrainingFlops, fact("linear_attention.heads", mixer.heads), width, width);
    }
    case LinearAttention::Kind::mamba_2:
      break;
  }
  const auto width = trace.step("mixer_width", kWidthOfHeads, fact("linear_attention.heads", mixer.heads),
                                fact("linear_attention.head_dim", mixer.head_dim));
  return trace.step("scan", kMamba2ScanTrainingFlops, width, fact("linear_attention.state_size", mixer.state_size));
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
  const auto zero = trace.constant("no_flops", Flops(0), "definition");
  const detail::ActiveWeights active = detail::active_weights(model, kind, convention.gate_counted);
  LayerFlops<Tracer> layer{zero, zero, zero};
  if (active.mixer > 0)
    layer.mixer_projections =
        trace.step("mixer_flops", kMatmulTrainingFlops, trace.method("mixer_weights", active.mixer, page));
  if (active.mlp > 0)
    layer.mlp = trace.step("mlp_flops", kMatmulTrainingFlops, trace.method("active_mlp_weights", active.mlp, page));
  if (kind.attention == AttentionKind::linear) layer.core_attention = detail::scan(trace, model);
  if (has_attention(kind)) {
    const auto facts = layer_facts(trace, model, kind);
    const auto keys = detail::attended_keys(trace, model, kind, convention, attention_sequence);
    layer.core_attention = trace.step("core_attention_flops", kCoreAttentionTrainingFlops, facts.heads, facts.head_dim,
                                      facts.v_head_dim, keys);
    if (model.indexer && kind.attention == AttentionKind::sparse) {
      const bool causal = convention.attention == FlopsConvention::Attention::causal;
      const auto all_keys = causal ? trace.step("scored_keys", kCausalKeys, attention_sequence) : attention_sequence;
      layer.core_attention = sum_of(
          trace, "core_attention_and_indexer_flops", layer.core_attention,
          trace.step("indexer_flops", kIndexerTrainingFlops, trace.fact(model, "indexer.heads", model.indexer->heads),
                     trace.fact(model, "indexer.head_dim", model.indexer->head_dim), all_keys));
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
    mixers.add(trace.step("mixer_flops_of_kind", kFlopsOfLayers, count, layer.mixer_projections));
    mlps.add(trace.step("mlp_flops_of_kind", kFlopsOfLayers, count, layer.mlp));
    cores.add(trace.step("core_attention_flops_of_kind", kFlopsOfLayers, count, layer.core_attention));
  }
  FlopsPerToken<Tracer> flops;
  flops.mixer_projections = mixers.sum(trace, "mixer_flops_per_token");
  flops.mlp = mlps.sum(trace, "mlp_flops_per_token");
  flops.core_attention = cores.sum(trace, "core_attention_flops_per_token");
  const auto hidden = trace.fact(model, "hidden_size", model.hidden_size);
  const auto table =
      trace.step("output_head_parameters", kTableParameters, trace.fact(model, "vocab_size", model.vocab_size), hidden);
  flops.output_head = trace.step("output_head_flops", kMatmulTrainingFlops, table);
  if (convention.multi_token_depths > 0 && !stack.order.empty()) {
    const LayerKind& last = stack.kinds[static_cast<std::size_t>(stack.order.back())];
    const LayerFlops<Tracer> layer = layer_training_flops(trace, model, last, convention, attention_sequence);
    const auto projection =
        trace.step("multi_token_projection", kMatmulTrainingFlops,
                   trace.step("multi_token_projection_parameters", kLatentProjectionParameters, hidden, hidden));
    const auto depth = sum_of(trace, "multi_token_depth_flops", layer.mixer_projections, layer.mlp,
                              layer.core_attention, projection, flops.output_head);
    depths.add(trace.step("multi_token_flops", kFlopsOfLayers,
                          trace.method("multi_token_depths", convention.multi_token_depths, page), depth));
  }
  flops.multi_token = depths.sum(trace, "multi_token_flops_per_token");
  Total<Tracer, Flops> embedding;
  if (convention.embedding_counted && !model.tied_embeddings)
    embedding.add(trace.step("embedding_flops", kMatmulTrainingFlops, table));
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
