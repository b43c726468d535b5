#pragma once
/// Facts of a language model, as its published configuration gives them. Counts are plain numbers; absent counts are 0
/// where 0 means "none". The arithmetic (parameters, FLOPs, KV bytes) is model/model_shape.h.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/item.h"

namespace podwright {

/// full: KV grows with the context. sliding, chunked: KV of at most `window_tokens`. sparse: all KV stored, part of it
/// read. linear: constant state per sequence. none: no token mixer (a layer that is only an MLP).
enum class AttentionKind { full, sliding, chunked, sparse, linear, none };
inline constexpr std::array<std::string_view, 6> kAttentionWords{"full",   "sliding", "chunked",
                                                                 "sparse", "linear",  "none"};
/// by_position: as first_dense_layers and moe_every_n_layers say.
enum class MlpKind { by_position, dense, moe, none };
inline constexpr std::array<std::string_view, 4> kMlpWords{"by-position", "dense", "moe", "none"};
enum class BiasKind { none, qkv, attention, attention_mlp, mlp };
inline constexpr std::array<std::string_view, 5> kBiasWords{"none", "qkv", "attention", "attention-mlp", "mlp"};
enum class QkNormKind { none, head, full };
inline constexpr std::array<std::string_view, 3> kQkNormWords{"none", "head", "full"};

/// Layers of one kind; the order inside the stack is not given. Zero means "as the model".
struct LayerGroup {
  double count = 0;
  AttentionKind attention = AttentionKind::full;
  MlpKind mlp = MlpKind::by_position;
  double heads = 0;
  double kv_heads = 0;
  double head_dim = 0;
  double v_head_dim = 0;
  double window_tokens = 0;
  double read_tokens = 0;
  double ffn_hidden_size = 0;
  bool shared_kv = false;  ///< the key projection serves as value too; the cache is counted twice all the same
};

/// Constant-state layers.
struct LinearAttention {
  enum class Kind { gated_delta_net, mamba_2, kda };
  static constexpr std::array<std::string_view, 3> kKindWords{"gated-delta-net", "mamba-2", "kda"};
  Kind kind = Kind::mamba_2;
  double heads = 0;       ///< mamba_2, kda
  double head_dim = 0;    ///< mamba_2, kda
  double groups = 0;      ///< mamba_2
  double state_size = 0;  ///< mamba_2
  double key_heads = 0;   ///< gated_delta_net, as the four below
  double value_heads = 0;
  double key_head_dim = 0;
  double value_head_dim = 0;
  double conv_kernel = 0;
};

/// Learned selection of the tokens that sparse attention reads.
struct Indexer {
  double heads = 0;
  double head_dim = 0;
  double top_k = 0;
};

/// Model::source of a Hugging Face file.
inline constexpr std::string_view kConfigFile = "config.json";

struct Model : CatalogItem {
  std::string family;
  std::string organisation;
  std::string release;
  std::string arch;  ///< dense, moe, hybrid-dense, hybrid-moe
  double layers = 0;
  double hidden_size = 0;
  double attention_heads = 0;
  double kv_heads = 0;
  double head_dim = 0;
  double ffn_hidden_size = 0;
  double mlp_matrices = 3;  ///< 3 gated, 2 not
  double vocab_size = 0;
  double experts = 0;
  double experts_per_token = 0;
  double shared_experts = 0;
  double moe_ffn_hidden_size = 0;
  double shared_ffn_hidden_size = 0;  ///< of all shared experts together
  double first_dense_layers = 0;
  double moe_every_n_layers = 1;
  double multi_token_depths = 0;  ///< modules that predict further tokens, each a layer of the last kind
  double routed_nodes_max = 0;    ///< nodes that the experts of one token may stand on; 0: any
  double q_lora_rank = 0;
  double kv_lora_rank = 0;  ///< above 0: multi-head latent attention
  double qk_rope_dim = 0;
  double qk_nope_dim = 0;
  double v_head_dim = 0;
  std::string attention_pattern;
  double sliding_window = 0;
  std::vector<LayerGroup> layer_groups;  ///< empty: all layers full attention
  std::optional<LinearAttention> linear_attention;
  std::optional<Indexer> indexer;
  double context_tokens = 0;
  double rope_base = 0;             ///< of rotary embeddings; this and the next three: 0 where unknown
  double rope_scaling_factor = 0;   ///< of low frequencies, as in Llama 3
  double norm_epsilon = 0;          ///< added to the variance in a norm
  double router_loss = 0;           ///< weight of the auxiliary loss that balances experts
  bool router_pre_softmax = false;  ///< experts weigh by their share among all, not among those that were chosen
  bool tied_embeddings = false;
  BiasKind biases = BiasKind::none;
  QkNormKind qk_norm = QkNormKind::none;
  double norms_per_layer = 2;
  bool norm_bias = false;
  double position_embeddings = 0;  ///< learned rows
  bool lm_head_bias = false;
  bool embedding_norm = false;
  bool router_bias = false;
  bool expert_bias = false;
  bool shared_expert_gate = false;
  bool attention_sinks = false;
  bool attention_output_gate = false;
  double moe_latent_size = 0;
  bool moe_latent_norm = false;
  bool moe_parallel_dense_mlp = false;
  std::optional<double> total_parameters;  ///< as the catalog states it
  std::optional<double> active_parameters;
  std::string total_parameters_label;  ///< as published: "70.6B"
  std::string active_parameters_label;
  std::optional<double> kv_bytes_per_token_bf16;
  std::optional<double> kv_growing_bytes_per_token_bf16;
  std::string native_dtype;
  std::string licence;
  std::vector<std::string> unread_fields;  ///< fields of a config.json that change the result and are not understood
};

}  // namespace podwright
