#include "model/linear_weights.h"

#include <algorithm>

namespace podwright {
namespace {

void add_attention(const Model& model, const LayerKind& kind, LinearWeights& list) {
  const double hidden = model.hidden_size;
  const double queries = kind.heads * kind.head_dim;
  const double keys = kind.kv_heads * kind.head_dim;
  const double values = kind.shared_kv ? 0.0 : kind.kv_heads * kind.v_head_dim;
  const double output = kind.heads * kind.v_head_dim;
  if (kind.latent) {
    if (model.q_lora_rank > 0) {
      list.add({.name = "q_down", .in = hidden, .out = model.q_lora_rank, .split = TensorSplit::none});
      list.add({.name = "q_up", .in = model.q_lora_rank, .out = queries});
    } else {
      list.add({.name = "q", .in = hidden, .out = queries});
    }
    list.add(
        {.name = "kv_down", .in = hidden, .out = model.kv_lora_rank + model.qk_rope_dim, .split = TensorSplit::none});
    list.add({.name = "kv_up", .in = model.kv_lora_rank, .out = kind.heads * (model.qk_nope_dim + kind.v_head_dim)});
  } else {
    list.add({.name = "qkv", .in = hidden, .out = queries + keys + values});
  }
  if (model.attention_output_gate && kind.attention == AttentionKind::full)
    list.add({.name = "gate", .in = hidden, .out = output});
  if (model.indexer && kind.attention == AttentionKind::sparse) {
    list.add({.name = "indexer_q", .in = model.q_lora_rank, .out = model.indexer->heads * model.indexer->head_dim});
    list.add({.name = "indexer_k", .in = hidden, .out = model.indexer->head_dim, .split = TensorSplit::none});
    list.add({.name = "indexer_weights", .in = hidden, .out = model.indexer->heads, .split = TensorSplit::none});
  }
  list.add({.name = "o", .in = output, .out = hidden, .split = TensorSplit::rows});
}

void add_linear_mixer(const Model& model, LinearWeights& list) {
  if (!model.linear_attention) return;
  const LinearAttention& mixer = *model.linear_attention;
  const double hidden = model.hidden_size;
  double in_width = 0;
  double out_width = mixer.heads * mixer.head_dim;
  switch (mixer.kind) {
    case LinearAttention::Kind::gated_delta_net:
      out_width = mixer.value_heads * mixer.value_head_dim;
      in_width = 2.0 * mixer.key_heads * mixer.key_head_dim + 2.0 * out_width + 2.0 * mixer.value_heads;
      break;
    case LinearAttention::Kind::mamba_2:
      in_width = 2.0 * out_width + 2.0 * mixer.groups * mixer.state_size + mixer.heads;
      break;
    case LinearAttention::Kind::kda:
      in_width = 4.0 * out_width + mixer.heads;
      break;
  }
  list.add({.name = "mixer_in", .in = hidden, .out = in_width});
  list.add({.name = "mixer_out", .in = out_width, .out = hidden, .split = TensorSplit::rows});
}

/// A gated MLP's gate and up projection are one product.
void add_mlp(const Model& model, LinearRole role, double inner, double width, double copies, double active,
             LinearWeights& list) {
  const double inputs = model.mlp_matrices - 1.0;
  list.add({.name = inputs > 1.0 ? "gate_up" : "up",
            .role = role,
            .in = inner,
            .out = inputs * width,
            .copies = copies,
            .active = active});
  list.add({.name = "down",
            .role = role,
            .in = width,
            .out = inner,
            .copies = copies,
            .active = active,
            .split = TensorSplit::rows});
}

struct TargetOfWeight {
  std::string_view weight;
  LoraTarget target;
};
constexpr std::array<TargetOfWeight, 9> kTargetsOfWeights{{{"qkv", LoraTarget::q_proj},
                                                           {"qkv", LoraTarget::k_proj},
                                                           {"qkv", LoraTarget::v_proj},
                                                           {"q", LoraTarget::q_proj},
                                                           {"o", LoraTarget::o_proj},
                                                           {"gate_up", LoraTarget::gate_proj},
                                                           {"gate_up", LoraTarget::up_proj},
                                                           {"up", LoraTarget::up_proj},
                                                           {"down", LoraTarget::down_proj}}};

/// Outputs of a target that may be a part of a fused weight.
double width_of(LoraTarget target, const LinearWeight& weight, const LayerKind& kind) {
  if (weight.name == "gate_up") return weight.out / 2.0;
  if (weight.name != "qkv") return weight.out;
  if (target == LoraTarget::q_proj) return kind.heads * kind.head_dim;
  if (target == LoraTarget::k_proj) return kind.kv_heads * kind.head_dim;
  return kind.shared_kv ? 0.0 : kind.kv_heads * kind.v_head_dim;
}

}  // namespace

LinearWeights linear_weights(const Model& model, const LayerKind& kind) {
  LinearWeights list;
  const double hidden = model.hidden_size;
  if (has_attention(kind)) add_attention(model, kind, list);
  if (kind.attention == AttentionKind::linear) add_linear_mixer(model, list);
  if (kind.mlp == MlpKind::dense || (kind.mlp == MlpKind::moe && model.moe_parallel_dense_mlp)) {
    add_mlp(model, LinearRole::mlp, hidden, kind.ffn_hidden_size, 1, 1, list);
  }
  if (kind.mlp == MlpKind::moe) {
    const double latent = model.moe_latent_size;
    add_mlp(model, LinearRole::shared, hidden, model.shared_ffn_hidden_size, 1, 1, list);
    list.add(
        {.name = "latent_down", .role = LinearRole::shared, .in = hidden, .out = latent, .split = TensorSplit::none});
    list.add(
        {.name = "latent_up", .role = LinearRole::shared, .in = latent, .out = hidden, .split = TensorSplit::rows});
    add_mlp(model, LinearRole::expert, latent > 0 ? latent : hidden, model.moe_ffn_hidden_size, model.experts,
            model.experts_per_token, list);
  }
  return list;
}

LinearWeights adapted_weights(const Model& model, const LayerKind& kind, const std::vector<LoraTarget>& targets) {
  const LinearWeights all = linear_weights(model, kind);
  if (targets.empty()) return all;
  LinearWeights adapted;
  for (const LinearWeight& weight : all)
    for (const auto& [name, target] : kTargetsOfWeights)
      if (weight.name == name && std::find(targets.begin(), targets.end(), target) != targets.end()) {
        LinearWeight part = weight;
        part.out = width_of(target, weight, kind);
        adapted.add(part);
      }
  return adapted;
}

}  // namespace podwright
