#pragma once
/// What a config.json leaves to the code that reads it: which MLP, norms, biases and windows a model_type stands for.
/// They are in huggingface/data/dialects.json. Source of every entry: configuration_<model_type>.py and
/// modeling_<model_type>.py of the transformers library (github.com/huggingface/transformers, src/transformers/models),
/// version 4.57 and the main branch of 2026.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/model.h"

namespace podwright {

/// Which layers slide where the file has no list of layer types.
enum class WindowRule {
  none,                    ///< a window in the file has no meaning
  every_layer,             ///< where the file gives a window
  from_max_window_layers,  ///< with use_sliding_window: the layers from max_window_layers on
  periodic,                ///< all but every n-th
  chunked,                 ///< all but every n-th work on chunks
};

inline constexpr std::array<std::string_view, 5> kWindowRuleWords{"none", "every-layer", "from-max-window-layers",
                                                                  "periodic", "chunked"};

struct Dialect {
  std::vector<std::string> model_types;
  double mlp_matrices = 3;
  double norms_per_layer = 2;
  bool norm_bias = false;
  BiasKind biases = BiasKind::none;       ///< always there
  bool attention_bias_otherwise = false;  ///< what holds where the key attention_bias is absent
  /// What `attention_bias: true` adds: none where it does something that the arithmetic cannot say.
  BiasKind attention_bias_meaning = BiasKind::attention;
  QkNormKind qk_norm = QkNormKind::none;
  bool qk_norm_by_key = false;  ///< only with use_qk_norm
  std::optional<bool> tied;     ///< where tie_word_embeddings is absent
  WindowRule windows = WindowRule::none;
  double window_period = 0;                     ///< periodic, chunked: every so many layers one sees everything
  double head_dim = 0;                          ///< where absent; 0: hidden_size / num_attention_heads
  double learned_positions = -1;                ///< rows beyond the context length; below 0: none are learned
  bool four_times_hidden = false;               ///< width of the MLP where the file has none
  bool experts_have_intermediate_size = false;  ///< intermediate_size is the width of one expert
  bool router_bias = false;
  bool expert_bias = false;
  bool attention_sinks = false;
  bool shared_expert_gate = false;
  bool attention_output_gate = false;
  bool lm_head_bias = false;
  bool embedding_norm = false;
  std::optional<LinearAttention::Kind> mixer;  ///< of layers that are not attention
};

/// Null for a model_type that this table does not know.
const Dialect* find_dialect(std::string_view model_type);

/// True for keys that change neither parameters nor FLOPs nor the KV cache: token ids, dropout, initialisation,
/// generation, positions.
bool changes_nothing(std::string_view key);

}  // namespace podwright
