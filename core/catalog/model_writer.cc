#include "catalog/model_writer.h"

#include <string_view>

#include "base/json_write.h"
#include "base/words.h"

namespace podwright {
namespace {

struct NamedCount {
  std::string_view key;
  double value;
  double otherwise = 0;  ///< not written where the value is this
};
struct NamedFlag {
  std::string_view key;
  bool value;
};

template <std::size_t N>
void write_counts(JsonWriter& out, const NamedCount (&counts)[N]) {
  for (const NamedCount& count : counts)
    if (count.value != count.otherwise) out.number(count.key, count.value);
}

void write_group(JsonWriter& out, const LayerGroup& group) {
  out.begin_object();
  out.number("count", group.count);
  out.text("attention", word_of(group.attention, kAttentionWords));
  if (group.mlp != MlpKind::by_position) out.text("mlp", word_of(group.mlp, kMlpWords));
  write_counts(out, {{"heads", group.heads},
                     {"kv_heads", group.kv_heads},
                     {"head_dim", group.head_dim},
                     {"v_head_dim", group.v_head_dim},
                     {"window_tokens", group.window_tokens},
                     {"read_tokens", group.read_tokens},
                     {"ffn_hidden_size", group.ffn_hidden_size}});
  if (group.shared_kv) out.boolean("shared_kv", true);
  out.end_object();
}

void write_sizes(JsonWriter& out, const Model& m) {
  const bool experts = m.experts > 0;
  write_counts(out, {{"layers", m.layers, -1},
                     {"hidden_size", m.hidden_size, -1},
                     {"attention_heads", m.attention_heads, -1},
                     {"kv_heads", m.kv_heads, -1},
                     {"head_dim", m.head_dim, -1},
                     {"ffn_hidden_size", m.ffn_hidden_size, experts ? 0.0 : -1.0},
                     {"mlp_matrices", m.mlp_matrices, -1},
                     {"vocab_size", m.vocab_size, -1},
                     {"experts", m.experts},
                     {"experts_per_token", m.experts_per_token},
                     {"shared_experts", m.shared_experts},
                     {"moe_ffn_hidden_size", m.moe_ffn_hidden_size},
                     {"shared_ffn_hidden_size", m.shared_ffn_hidden_size},
                     {"first_dense_layers", m.first_dense_layers},
                     {"moe_every_n_layers", m.moe_every_n_layers, 1},
                     {"multi_token_depths", m.multi_token_depths},
                     {"routed_nodes_max", m.routed_nodes_max},
                     {"moe_latent_size", m.moe_latent_size},
                     {"q_lora_rank", m.q_lora_rank, m.kv_lora_rank > 0 ? -1.0 : 0.0},
                     {"kv_lora_rank", m.kv_lora_rank},
                     {"qk_rope_dim", m.qk_rope_dim, m.kv_lora_rank > 0 ? -1.0 : 0.0},
                     {"qk_nope_dim", m.qk_nope_dim, m.kv_lora_rank > 0 ? -1.0 : 0.0},
                     {"v_head_dim", m.v_head_dim},
                     {"sliding_window", m.sliding_window},
                     {"context_tokens", m.context_tokens},
                     {"position_embeddings", m.position_embeddings},
                     {"norms_per_layer", m.norms_per_layer, -1}});
}

void write_structure(JsonWriter& out, const Model& m) {
  out.boolean("tied_embeddings", m.tied_embeddings);
  if (m.biases != BiasKind::none) out.text("biases", word_of(m.biases, kBiasWords));
  if (m.qk_norm != QkNormKind::none) out.text("qk_norm", word_of(m.qk_norm, kQkNormWords));
  const NamedFlag flags[] = {{"norm_bias", m.norm_bias},
                             {"lm_head_bias", m.lm_head_bias},
                             {"embedding_norm", m.embedding_norm},
                             {"router_bias", m.router_bias},
                             {"expert_bias", m.expert_bias},
                             {"shared_expert_gate", m.shared_expert_gate},
                             {"attention_sinks", m.attention_sinks},
                             {"attention_output_gate", m.attention_output_gate},
                             {"moe_latent_norm", m.moe_latent_norm},
                             {"moe_parallel_dense_mlp", m.moe_parallel_dense_mlp}};
  for (const NamedFlag& flag : flags)
    if (flag.value) out.boolean(flag.key, true);
}

void write_layers(JsonWriter& out, const Model& m) {
  if (!m.layer_groups.empty()) {
    out.begin_list("layer_groups");
    for (const LayerGroup& group : m.layer_groups) write_group(out, group);
    out.end_list();
  }
  if (m.linear_attention) {
    const LinearAttention& linear = *m.linear_attention;
    out.begin_object("linear_attention");
    out.text("kind", word_of(linear.kind, LinearAttention::kKindWords));
    write_counts(out, {{"heads", linear.heads},
                       {"head_dim", linear.head_dim},
                       {"groups", linear.groups},
                       {"state_size", linear.state_size},
                       {"key_heads", linear.key_heads},
                       {"value_heads", linear.value_heads},
                       {"key_head_dim", linear.key_head_dim},
                       {"value_head_dim", linear.value_head_dim},
                       {"conv_kernel", linear.conv_kernel}});
    out.end_object();
  }
  if (m.indexer) {
    out.begin_object("indexer");
    write_counts(out, {{"heads", m.indexer->heads}, {"head_dim", m.indexer->head_dim}, {"top_k", m.indexer->top_k}});
    out.end_object();
  }
}

}  // namespace

std::string model_json(const Model& model) {
  JsonWriter out;
  out.begin_object();
  out.text("id", model.id);
  if (!model.name.empty() && model.name != model.id) out.text("name", model.name);
  if (!model.family.empty()) out.text("family", model.family);
  if (!model.arch.empty()) out.text("arch", model.arch);
  write_sizes(out, model);
  write_structure(out, model);
  write_layers(out, model);
  if (!model.native_dtype.empty()) out.text("native_dtype", model.native_dtype);
  if (!model.unread_fields.empty()) {
    std::string why;
    for (const std::string& field : model.unread_fields) why += (why.empty() ? "" : "; ") + field;
    out.text("incomplete", why);
  }
  out.end_object();
  return out.take();
}

}  // namespace podwright
