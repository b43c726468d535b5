#pragma once
/// Bytes that a sequence keeps on the GPUs while it is served: keys and values, latents, selector keys, constant
/// states. docs/method/parameters_and_flops.md.
#include "base/arithmetic.h"
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

/// KV-cache bytes of one token in one layer on one GPU: keys and values of whole heads, at least of one.
auto kv_bytes_per_layer(Of<double> auto kv_heads, Of<double> auto tensor, Of<double> auto head_dim,
                        Of<double> auto v_head_dim, Of<Bytes> auto element) {
  const auto heads = ceil(kv_heads / tensor);
  return cited("arXiv 2305.13245", max(heads, 1.0) * (head_dim + v_head_dim) * element);
}

/// Latent and rotary key of one token in one layer; every tensor-parallel rank holds them.
constexpr auto latent_kv_bytes_per_layer(Of<double> auto kv_lora_rank, Of<double> auto qk_rope_dim,
                                         Of<Bytes> auto element) {
  return cited("arXiv 2405.04434 section 2.1.4", (kv_lora_rank + qk_rope_dim) * element);
}

constexpr auto indexer_bytes_per_layer(Of<double> auto head_dim, Of<Bytes> auto element) {
  return cited("DeepSeek-V3.2-Exp reference code", head_dim * element);
}

/// Tokens that a layer keeps of a sequence, in whole blocks.
auto stored_tokens(Of<double> auto sequence, Of<double> auto block) {
  return cited("arXiv 2309.06180", ceil(sequence / block) * block);
}

/// Tokens that a windowed layer keeps: the window and what is being processed, never more than the sequence.
auto windowed_tokens(Of<double> auto sequence, Of<double> auto window, Of<double> auto in_flight,
                     Of<double> auto block) {
  const auto kept = min(window + in_flight, sequence);
  return cited("arXiv 2309.06180", ceil(kept / block) * block);
}

/// KV-cache bytes of so many tokens in layers of one kind.
constexpr auto kv_bytes_of_tokens(Of<double> auto layers, Of<double> auto tokens, Of<Bytes> auto per_layer) {
  return layers * tokens * per_layer;
}

/// Recurrent state of one layer on one of `tensor` GPUs.
constexpr auto recurrent_state_bytes(Of<double> auto heads, Of<double> auto key_dim, Of<double> auto value_dim,
                                     Of<double> auto tensor, Of<Bytes> auto element) {
  return cited("arXiv 2405.21060", heads / tensor * key_dim * value_dim * element);
}

/// Inputs that a short convolution remembers.
constexpr auto convolution_state_bytes(Of<double> auto channels, Of<double> auto kernel, Of<double> auto tensor,
                                       Of<Bytes> auto element) {
  return cited("arXiv 2405.21060", channels / tensor * (kernel - 1.0) * element);
}

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
  if (!has_attention(kind)) return Bytes(0);
  const char* const page = "docs/method/parameters_and_flops.md";
  Total<Tracer, Bytes> parts;
  const auto element = trace.method("kv_element", store.element, page);
  if (kind.latent && store.latent_token_layer > Bytes(0)) {
    parts.add(trace.method("packed_latent", store.latent_token_layer, page));
  } else if (kind.latent) {
    parts.add(named("latent_kv_bytes",
                    latent_kv_bytes_per_layer(trace.fact(model, "kv_lora_rank", model.kv_lora_rank),
                                              trace.fact(model, "qk_rope_dim", model.qk_rope_dim), element)));
  } else {
    const auto facts = layer_facts(trace, model, kind);
    parts.add(named("kv_bytes", kv_bytes_per_layer(facts.kv_heads, trace.method("tensor", store.tensor, page),
                                                   facts.head_dim, facts.v_head_dim, element)));
  }
  if (store.indexer && model.indexer && kind.attention == AttentionKind::sparse) {
    parts.add(
        named("indexer_bytes", indexer_bytes_per_layer(trace.fact(model, "indexer.head_dim", model.indexer->head_dim),
                                                       trace.method("indexer_element", store.indexer_element, page))));
  }
  return parts.sum(trace, "kv_bytes_of_layer");
}

/// Constant state of one sequence in one linear layer on one GPU.
template <class Tracer>
typename Tracer::template Known<Bytes> state_layer_bytes(Tracer& trace, const Model& model, const LayerKind& kind,
                                                         const KvStore& store) {
  if (kind.attention != AttentionKind::linear || !model.linear_attention) return Bytes(0);
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
  return sum_of(
      trace, "state_bytes_of_layer",
      named("recurrent_state", recurrent_state_bytes(heads, keys, values, tensor,
                                                     trace.method("recurrent_element", store.recurrent_element, page))),
      named("convolution_state",
            convolution_state_bytes(trace.method("convolution_channels", convolution_channels(mixer), page),
                                    fact("linear_attention.conv_kernel", mixer.conv_kernel), tensor,
                                    trace.method("convolution_element", store.convolution_element, page))));
}

/// Bytes of one token of one sequence below any window, over `layers` layers of each kind (all layers: one entry per
/// kind, its count).
template <class Tracer>
typename Tracer::template Known<Bytes> kv_bytes_per_token(Tracer& trace, const Model& model, const LayerStack& stack,
                                                          const std::vector<double>& layers, const KvStore& store) {
  Total<Tracer, Bytes> total;
  for (std::size_t i = 0; i < stack.kinds.size(); ++i) {
    const auto count = trace.method("layers_of_kind", layers[i], "docs/method/parameters_and_flops.md");
    total.add(named("kv_bytes_of_kind", count * kv_layer_token_bytes(trace, model, stack.kinds[i], store)));
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
    total.add(named("kv_bytes_of_kind", count * kv_layer_token_bytes(trace, model, stack.kinds[i], store)));
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
      total.add(named("state_of_kind", count * state_layer_bytes(trace, model, kind, store)));
      continue;
    }
    if (!has_attention(kind)) continue;
    const bool windowed = store.hybrid_allocator && kind.window_tokens > 0 &&
                          (kind.attention == AttentionKind::sliding || kind.attention == AttentionKind::chunked);
    const bool own = kind.group >= 0 && model.layer_groups[static_cast<std::size_t>(kind.group)].window_tokens > 0;
    const auto kept =
        windowed ? named("windowed_tokens",
                         windowed_tokens(
                             tokens,
                             layer_fact(trace, model, kind, "window_tokens", "sliding_window", kind.window_tokens, own),
                             trace.method("in_flight_tokens", store.in_flight_tokens, page), block))
                 : named("stored_tokens", stored_tokens(tokens, block));
    total.add(named("kv_of_kind", kv_bytes_of_tokens(count, kept, kv_layer_token_bytes(trace, model, kind, store))));
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
