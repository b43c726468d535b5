#pragma once
/// Bytes that a sequence keeps on the GPUs while it is served: keys and values, latents, selector keys, constant
/// states. docs/method/parameters_and_flops.md.
#include "base/formula.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/model.h"
#include "model/layers.h"
#include "model/parameters.h"
#include "model/total.h"

namespace podwright {

/// How a cache is stored on one GPU. The defaults are one replica on one GPU, as the contract's bytes per token.
struct KvStore {
  Bytes element = bytes(2);              ///< one key or value element, scales included
  Bytes indexer_element = bytes(2);      ///< one element of a selector key
  Bytes recurrent_element = bytes(4);    ///< one element of a recurrent state
  Bytes convolution_element = bytes(2);  ///< one element of a convolution state
  Bytes latent_token_layer =
      bytes(0);                  ///< above 0: packed bytes of one token in one latent layer, in place of elements
  double tensor = 1;             ///< ranks that share the heads; latents are on every rank
  double block_tokens = 1;       ///< tokens per block of a paged cache
  double in_flight_tokens = 0;   ///< of a chunk being processed, kept beyond the window
  bool hybrid_allocator = true;  ///< false: windowed layers keep the whole sequence
  bool indexer = true;           ///< false: leave selector keys out
};

/// Keys and values of one token in one layer on one GPU: at least one head, and whole heads.
inline Bytes kv_bytes_per_layer(double kv_heads, double tensor, double head_dim, double v_head_dim, Bytes element) {
  const double heads = std::ceil(kv_heads / tensor);
  return (heads > 1.0 ? heads : 1.0) * (head_dim + v_head_dim) * element;
}
inline constexpr Formula<kv_bytes_per_layer> kKvBytesPerLayer{
    .id = "model.kv_bytes_per_layer",
    .inputs = {"kv_heads", "tensor", "head_dim", "v_head_dim", "element"},
    .equation = "max(1, ceil(kv_heads / tensor)) * (head_dim + v_head_dim) * element",
    .source = "arXiv 2305.13245"};

/// Latent and rotary key of one token in one layer; every tensor-parallel rank holds them.
constexpr Bytes latent_kv_bytes_per_layer(double kv_lora_rank, double qk_rope_dim, Bytes element) {
  return (kv_lora_rank + qk_rope_dim) * element;
}
inline constexpr Formula<latent_kv_bytes_per_layer> kLatentKvBytesPerLayer{
    .id = "model.latent_kv_bytes_per_layer",
    .inputs = {"kv_lora_rank", "qk_rope_dim", "element"},
    .equation = "(kv_lora_rank + qk_rope_dim) * element",
    .source = "arXiv 2405.04434 section 2.1.4"};

constexpr Bytes indexer_bytes_per_layer(double head_dim, Bytes element) { return head_dim * element; }
inline constexpr Formula<indexer_bytes_per_layer> kIndexerBytesPerLayer{.id = "model.indexer_bytes_per_layer",
                                                                        .inputs = {"head_dim", "element"},
                                                                        .equation = "head_dim * element",
                                                                        .source = "DeepSeek-V3.2-Exp reference code"};

/// Tokens that a layer keeps of a sequence, in whole blocks.
inline double stored_tokens(double sequence, double block) { return std::ceil(sequence / block) * block; }
inline constexpr Formula<stored_tokens> kStoredTokens{.id = "model.stored_tokens",
                                                      .inputs = {"sequence", "block"},
                                                      .equation = "ceil(sequence / block) * block",
                                                      .source = "arXiv 2309.06180"};

/// Tokens that a windowed layer keeps: the window and what is being processed, never more than the sequence.
inline double windowed_tokens(double sequence, double window, double in_flight, double block) {
  const double kept = window + in_flight < sequence ? window + in_flight : sequence;
  return std::ceil(kept / block) * block;
}
inline constexpr Formula<windowed_tokens> kWindowedTokens{
    .id = "model.windowed_tokens",
    .inputs = {"sequence", "window", "in_flight", "block"},
    .equation = "ceil(min(window + in_flight, sequence) / block) * block",
    .source = "arXiv 2309.06180"};

constexpr Bytes kv_bytes_of_layers(double layers, Bytes per_layer) { return layers * per_layer; }
inline constexpr Formula<kv_bytes_of_layers> kKvBytesOfLayers{.id = "model.kv_bytes_of_layers",
                                                              .inputs = {"layers", "per_layer"},
                                                              .equation = "layers * per_layer",
                                                              .source = "definition"};

constexpr Bytes kv_bytes_of_tokens(double layers, double tokens, Bytes per_layer) {
  return layers * tokens * per_layer;
}
inline constexpr Formula<kv_bytes_of_tokens> kKvBytesOfTokens{.id = "model.kv_bytes_of_tokens",
                                                              .inputs = {"layers", "tokens", "per_layer"},
                                                              .equation = "layers * tokens * per_layer",
                                                              .source = "definition"};

/// Recurrent state of one layer on one of `tensor` GPUs.
constexpr Bytes recurrent_state_bytes(double heads, double key_dim, double value_dim, double tensor, Bytes element) {
  return heads / tensor * key_dim * value_dim * element;
}
inline constexpr Formula<recurrent_state_bytes> kRecurrentStateBytes{
    .id = "model.recurrent_state_bytes",
    .inputs = {"heads", "key_dim", "value_dim", "tensor", "element"},
    .equation = "heads / tensor * key_dim * value_dim * element",
    .source = "arXiv 2405.21060"};

/// Inputs that a short convolution remembers.
constexpr Bytes convolution_state_bytes(double channels, double kernel, double tensor, Bytes element) {
  return channels / tensor * (kernel - 1.0) * element;
}
inline constexpr Formula<convolution_state_bytes> kConvolutionStateBytes{
    .id = "model.convolution_state_bytes",
    .inputs = {"channels", "kernel", "tensor", "element"},
    .equation = "channels / tensor * (kernel - 1) * element",
    .source = "arXiv 2405.21060"};

/// Channels that pass the short convolution of a linear mixer.
inline double convolution_channels(const LinearAttention& mixer) {
  switch (mixer.kind) {
    case LinearAttention::Kind::gated_delta_net:
      return 2.0 * mixer.key_heads * mixer.key_head_dim + mixer.value_heads * mixer.value_head_dim;
    case LinearAttention::Kind::mamba_2:
      return mixer.heads * mixer.head_dim + 2.0 * mixer.groups * mixer.state_size;
    case LinearAttention::Kind::kda:
      return 3.0 * mixer.heads * mixer.head_dim;
  }
  return 0;
}

/// Bytes of one token in one layer of a kind on one GPU (zero for layers that keep no tokens).
template <class Tracer>
typename Tracer::template Known<Bytes> kv_layer_token_bytes(Tracer& trace, const Model& model, const LayerKind& kind,
                                                            const KvStore& store) {
  if (!has_attention(kind)) return trace.constant("no_kv", Bytes(0), "definition");
  const char* const page = "docs/method/parameters_and_flops.md";
  Total<Tracer, Bytes> parts;
  const auto element = trace.method("kv_element", store.element, page);
  if (kind.latent && store.latent_token_layer > Bytes(0)) {
    parts.add(trace.method("packed_latent", store.latent_token_layer, page));
  } else if (kind.latent) {
    parts.add(trace.step("latent_kv_bytes", kLatentKvBytesPerLayer,
                         trace.fact(model, "kv_lora_rank", model.kv_lora_rank),
                         trace.fact(model, "qk_rope_dim", model.qk_rope_dim), element));
  } else {
    const auto facts = layer_facts(trace, model, kind);
    parts.add(trace.step("kv_bytes", kKvBytesPerLayer, facts.kv_heads, trace.method("tensor", store.tensor, page),
                         facts.head_dim, facts.v_head_dim, element));
  }
  if (store.indexer && model.indexer && kind.attention == AttentionKind::sparse) {
    parts.add(trace.step("indexer_bytes", kIndexerBytesPerLayer,
                         trace.fact(model, "indexer.head_dim", model.indexer->head_dim),
                         trace.method("indexer_element", store.indexer_element, page)));
  }
  return parts.sum(trace, "kv_bytes_of_layer");
}

/// Constant state of one sequence in one linear layer on one GPU.
template <class Tracer>
typename Tracer::template Known<Bytes> state_layer_bytes(Tracer& trace, const Model& model, const LayerKind& kind,
                                                         const KvStore& store) {
  if (kind.attention != AttentionKind::linear || !model.linear_attention)
    return trace.constant("no_state", Bytes(0), "definition");
  const char* const page = "docs/method/parameters_and_flops.md";
  const LinearAttention& mixer = *model.linear_attention;
  const bool delta_net = mixer.kind == LinearAttention::Kind::gated_delta_net;
  const bool mamba = mixer.kind == LinearAttention::Kind::mamba_2;
  const auto fact = [&](std::string_view field, double value) { return trace.fact(model, field, value); };
  const auto heads =
      delta_net ? fact("linear_attention.value_heads", mixer.value_heads) : fact("linear_attention.heads", mixer.heads);
  const auto keys = delta_net ? fact("linear_attention.key_head_dim", mixer.key_head_dim)
                              : (mamba ? fact("linear_attention.state_size", mixer.state_size)
                                       : fact("linear_attention.head_dim", mixer.head_dim));
  const auto values = delta_net ? fact("linear_attention.value_head_dim", mixer.value_head_dim)
                                : fact("linear_attention.head_dim", mixer.head_dim);
  const auto tensor = trace.method("tensor", store.tensor, page);
  return sum_of(trace, "state_bytes_of_layer",
                trace.step("recurrent_state", kRecurrentStateBytes, heads, keys, values, tensor,
                           trace.method("recurrent_element", store.recurrent_element, page)),
                trace.step("convolution_state", kConvolutionStateBytes,
                           trace.method("convolution_channels", convolution_channels(mixer), page),
                           fact("linear_attention.conv_kernel", mixer.conv_kernel), tensor,
                           trace.method("convolution_element", store.convolution_element, page)));
}

/// Bytes of one token of one sequence below any window, over `layers` layers of each kind (all layers: one entry per
/// kind, its count).
template <class Tracer>
typename Tracer::template Known<Bytes> kv_bytes_per_token(Tracer& trace, const Model& model, const LayerStack& stack,
                                                          const std::vector<double>& layers, const KvStore& store) {
  Total<Tracer, Bytes> total;
  for (std::size_t i = 0; i < stack.kinds.size(); ++i) {
    const auto count = trace.method("layers_of_kind", layers[i], "docs/method/parameters_and_flops.md");
    total.add(trace.step("kv_bytes_of_kind", kKvBytesOfLayers, count,
                         kv_layer_token_bytes(trace, model, stack.kinds[i], store)));
  }
  return total.sum(trace, "kv_bytes_per_token");
}

/// The same for layers whose store grows with the whole context (full and sparse attention).
template <class Tracer>
typename Tracer::template Known<Bytes> growing_kv_bytes_per_token(Tracer& trace, const Model& model,
                                                                  const LayerStack& stack,
                                                                  const std::vector<double>& layers,
                                                                  const KvStore& store) {
  Total<Tracer, Bytes> total;
  for (std::size_t i = 0; i < stack.kinds.size(); ++i) {
    const AttentionKind attention = stack.kinds[i].attention;
    if (attention != AttentionKind::full && attention != AttentionKind::sparse) continue;
    const auto count = trace.method("layers_of_kind", layers[i], "docs/method/parameters_and_flops.md");
    total.add(trace.step("kv_bytes_of_kind", kKvBytesOfLayers, count,
                         kv_layer_token_bytes(trace, model, stack.kinds[i], store)));
  }
  return total.sum(trace, "growing_kv_bytes_per_token");
}

/// What one sequence of `tokens` tokens keeps on one GPU: windows, blocks and constant states included.
template <class Tracer>
typename Tracer::template Known<Bytes> kv_bytes_per_sequence(Tracer& trace, const Model& model, const LayerStack& stack,
                                                             const std::vector<double>& layers, const KvStore& store,
                                                             const typename Tracer::template Known<double>& tokens) {
  const char* const page = "docs/method/parameters_and_flops.md";
  Total<Tracer, Bytes> total;
  const auto block = trace.method("block_tokens", store.block_tokens, page);
  for (std::size_t i = 0; i < stack.kinds.size(); ++i) {
    const LayerKind& kind = stack.kinds[i];
    const auto count = trace.method("layers_of_kind", layers[i], page);
    if (kind.attention == AttentionKind::linear) {
      total.add(trace.step("state_of_kind", kKvBytesOfLayers, count, state_layer_bytes(trace, model, kind, store)));
      continue;
    }
    if (!has_attention(kind)) continue;
    const bool windowed = store.hybrid_allocator && kind.window_tokens > 0 &&
                          (kind.attention == AttentionKind::sliding || kind.attention == AttentionKind::chunked);
    const bool own = kind.group >= 0 && model.layer_groups[static_cast<std::size_t>(kind.group)].window_tokens > 0;
    const auto kept =
        windowed
            ? trace.step("windowed_tokens", kWindowedTokens, tokens,
                         layer_fact(trace, model, kind, "window_tokens", "sliding_window", kind.window_tokens, own),
                         trace.method("in_flight_tokens", store.in_flight_tokens, page), block)
            : trace.step("stored_tokens", kStoredTokens, tokens, block);
    total.add(trace.step("kv_of_kind", kKvBytesOfTokens, count, kept, kv_layer_token_bytes(trace, model, kind, store)));
  }
  return total.sum(trace, "kv_bytes_per_sequence");
}

/// Layers of each kind in the whole stack.
inline std::vector<double> all_layers(const LayerStack& stack) {
  std::vector<double> counts;
  for (const LayerKind& kind : stack.kinds) counts.push_back(kind.count);
  return counts;
}

}  // namespace podwright
