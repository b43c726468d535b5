#include <array>
#include <string>
#include <vector>

#include "base/words.h"
#include "catalog/item_reader.h"

namespace podwright {
namespace {

constexpr Range kCount{.min = 1, .max = 1e9};
constexpr Range kCountOrNone{.min = 0, .max = 1e9};
constexpr Range kTotal{.min = 1, .max = 9e15};

template <class T, std::size_t N>
void keep_word(ObjectReader& reader, std::string_view key, const std::array<std::string_view, N>& words, T& field) {
  if (const auto word = reader.word(key, {words.begin(), words.end()})) field = *of_word<T>(*word, words);
}

const std::vector<std::string> kArchWords = {"dense", "moe", "hybrid-dense", "hybrid-moe"};

LayerGroup read_layer_group(const JsonNode& node, const std::string& path, ErrorList& errors) {
  LayerGroup group;
  ObjectReader reader(node, path, errors);
  keep(group.count, reader.count("count", kCount));
  keep_word(reader, "attention", kAttentionWords, group.attention);
  keep_word(reader, "mlp", kMlpWords, group.mlp);
  keep(group.heads, reader.count("heads", kCount));
  keep(group.kv_heads, reader.count("kv_heads", kCount));
  keep(group.head_dim, reader.count("head_dim", kCount));
  keep(group.v_head_dim, reader.count("v_head_dim", kCount));
  keep(group.window_tokens, reader.count("window_tokens", kCount));
  keep(group.read_tokens, reader.count("read_tokens", kCount));
  keep(group.ffn_hidden_size, reader.count("ffn_hidden_size", kCount));
  keep(group.shared_kv, reader.flag("shared_kv"));
  if (!reader.has("count")) reader.missing("count", "how many layers are of this kind");
  if (!reader.has("attention"))
    reader.missing("attention", "how these layers mix tokens", "Legal: full, sliding, chunked, sparse, linear, none.");
  const bool windowed = group.attention == AttentionKind::sliding || group.attention == AttentionKind::chunked;
  if (windowed && !reader.has("window_tokens")) reader.missing("window_tokens", "how many tokens the window holds");
  reader.finish();
  return group;
}

LinearAttention read_linear_attention(const JsonNode& node, const std::string& path, ErrorList& errors) {
  LinearAttention linear;
  ObjectReader reader(node, path, errors);
  keep_word(reader, "kind", LinearAttention::kKindWords, linear.kind);
  if (!reader.has("kind"))
    reader.missing("kind", "which kind of linear layer", "Legal: gated-delta-net, mamba-2, kda.");
  const auto needed = [&](std::string_view key, double& field) {
    keep(field, reader.count(key, kCount));
    if (!reader.has(key)) reader.missing(key, "a size of the linear layers");
  };
  if (linear.kind == LinearAttention::Kind::gated_delta_net) {
    needed("key_heads", linear.key_heads);
    needed("value_heads", linear.value_heads);
    needed("key_head_dim", linear.key_head_dim);
    needed("value_head_dim", linear.value_head_dim);
  } else {
    needed("heads", linear.heads);
    needed("head_dim", linear.head_dim);
  }
  if (linear.kind == LinearAttention::Kind::mamba_2) {
    needed("groups", linear.groups);
    needed("state_size", linear.state_size);
  }
  needed("conv_kernel", linear.conv_kernel);
  reader.finish();
  return linear;
}

Indexer read_indexer(const JsonNode& node, const std::string& path, ErrorList& errors) {
  Indexer indexer;
  ObjectReader reader(node, path, errors);
  const auto needed = [&](std::string_view key, double& field) {
    keep(field, reader.count(key, kCount));
    if (!reader.has(key)) reader.missing(key, "a size of the indexer");
  };
  needed("heads", indexer.heads);
  needed("head_dim", indexer.head_dim);
  needed("top_k", indexer.top_k);
  reader.finish();
  return indexer;
}

void read_layers(ObjectReader& reader, Model& model) {
  if (const JsonNode* list = reader.list("layer_groups")) {
    model.layer_groups.clear();
    for (std::size_t i = 0; i < list->items.size(); ++i)
      model.layer_groups.push_back(
          read_layer_group(list->items[i], reader.path("layer_groups") + "/" + std::to_string(i), reader.errors()));
  }
  if (const JsonNode* node = reader.object("linear_attention"))
    model.linear_attention = read_linear_attention(*node, reader.path("linear_attention"), reader.errors());
  if (const JsonNode* node = reader.object("indexer"))
    model.indexer = read_indexer(*node, reader.path("indexer"), reader.errors());
}

void read_counts(ObjectReader& reader, Model& model) {
  keep(model.layers, reader.count("layers", {.min = 1, .max = 1e5}));
  keep(model.hidden_size, reader.count("hidden_size", kCount));
  keep(model.attention_heads, reader.count("attention_heads", kCount));
  keep(model.kv_heads, reader.count("kv_heads", kCount));
  keep(model.head_dim, reader.count("head_dim", kCount));
  keep(model.ffn_hidden_size, reader.count("ffn_hidden_size", kCountOrNone));
  keep(model.mlp_matrices, reader.count("mlp_matrices", {.min = 2, .max = 3}));
  keep(model.vocab_size, reader.count("vocab_size", kCount));
  keep(model.experts, reader.count("experts", kCountOrNone));
  keep(model.experts_per_token, reader.count("experts_per_token", kCountOrNone));
  keep(model.shared_experts, reader.count("shared_experts", kCountOrNone));
  keep(model.moe_ffn_hidden_size, reader.count("moe_ffn_hidden_size", kCountOrNone));
  keep(model.shared_ffn_hidden_size, reader.count("shared_ffn_hidden_size", kCountOrNone));
  keep(model.first_dense_layers, reader.count("first_dense_layers", kCountOrNone));
  keep(model.moe_every_n_layers, reader.count("moe_every_n_layers", kCount));
  keep(model.multi_token_depths, reader.count("multi_token_depths", kCountOrNone));
  keep(model.routed_nodes_max, reader.count("routed_nodes_max", kCountOrNone));
  keep(model.moe_latent_size, reader.count("moe_latent_size", kCountOrNone));
  keep(model.q_lora_rank, reader.count("q_lora_rank", kCountOrNone));
  keep(model.kv_lora_rank, reader.count("kv_lora_rank", kCountOrNone));
  keep(model.qk_rope_dim, reader.count("qk_rope_dim", kCountOrNone));
  keep(model.qk_nope_dim, reader.count("qk_nope_dim", kCountOrNone));
  keep(model.v_head_dim, reader.count("v_head_dim", kCountOrNone));
  keep(model.sliding_window, reader.count("sliding_window", kCountOrNone));
  reader.count("full_attention_layers", kCountOrNone);
  keep(model.context_tokens, reader.count("context_tokens", kCount));
  keep(model.position_embeddings, reader.count("position_embeddings", kCountOrNone));
  keep(model.norms_per_layer, reader.count("norms_per_layer", {.min = 0, .max = 16}));
}

void read_structure(ObjectReader& reader, Model& model) {
  keep(model.tied_embeddings, reader.flag("tied_embeddings"));
  keep_word(reader, "biases", kBiasWords, model.biases);
  keep_word(reader, "qk_norm", kQkNormWords, model.qk_norm);
  keep(model.norm_bias, reader.flag("norm_bias"));
  keep(model.lm_head_bias, reader.flag("lm_head_bias"));
  keep(model.embedding_norm, reader.flag("embedding_norm"));
  keep(model.router_bias, reader.flag("router_bias"));
  keep(model.expert_bias, reader.flag("expert_bias"));
  keep(model.shared_expert_gate, reader.flag("shared_expert_gate"));
  keep(model.attention_sinks, reader.flag("attention_sinks"));
  keep(model.attention_output_gate, reader.flag("attention_output_gate"));
  keep(model.moe_latent_norm, reader.flag("moe_latent_norm"));
  keep(model.moe_parallel_dense_mlp, reader.flag("moe_parallel_dense_mlp"));
}

void require_fields(ObjectReader& reader, const Model& model) {
  for (const char* key : {"layers", "hidden_size", "attention_heads", "kv_heads", "head_dim", "vocab_size"})
    if (!reader.has(key)) reader.missing(key, "a size of the model");
  if (!model.unread_fields.empty()) return;
  const bool has_experts = model.experts > 0;
  if (!has_experts && !reader.has("ffn_hidden_size")) reader.missing("ffn_hidden_size", "width of the MLP");
  if (has_experts)
    for (const char* key : {"experts_per_token", "moe_ffn_hidden_size"})
      if (!reader.has(key)) reader.missing(key, "a size of the experts");
  if (model.kv_lora_rank > 0)
    for (const char* key : {"q_lora_rank", "qk_rope_dim", "qk_nope_dim", "v_head_dim"})
      if (!reader.has(key)) reader.missing(key, "a size of the latent attention");
}

/// Contradictions between fields that are each legal.
void check_consistency(ObjectReader& reader, const Model& model) {
  if (model.experts_per_token > model.experts)
    reader.error("experts_per_token", "conflict", "More experts per token than experts.", "At most \"experts\".");
  if (model.kv_heads > model.attention_heads)
    reader.error("kv_heads", "conflict", "More key-value heads than attention heads.", "At most \"attention_heads\".");
  if (model.layer_groups.empty()) return;
  double sum = 0;
  bool linear = false;
  for (const LayerGroup& group : model.layer_groups) {
    sum += group.count;
    linear = linear || group.attention == AttentionKind::linear;
  }
  if (sum != model.layers)
    reader.error("layer_groups", "conflict", "The groups do not add up to \"layers\".",
                 "Let the counts sum to \"layers\".");
  if (linear && !model.linear_attention)
    reader.missing("linear_attention", "the sizes of the linear layers that \"layer_groups\" names");
}

}  // namespace

void read_model(const JsonNode& node, const ItemPlace& place, Model& model, ErrorList& errors) {
  ObjectReader reader(node, place.path, errors);
  read_item_head(node, reader, place, model);
  keep(model.family, reader.text("family"));
  keep(model.organisation, reader.text("organisation"));
  keep(model.release, reader.text("release"));
  keep(model.arch, reader.word("arch", kArchWords));
  read_counts(reader, model);
  read_structure(reader, model);
  keep(model.attention_pattern, reader.text("attention_pattern"));
  read_layers(reader, model);
  keep(model.total_parameters, reader.count("total_parameters", kTotal));
  keep(model.total_parameters_label, reader.text("total_parameters_label"));
  reader.text("count_check");
  keep(model.active_parameters, reader.count("active_parameters", kTotal));
  keep(model.active_parameters_label, reader.text("active_parameters_label"));
  keep(model.kv_bytes_per_token_bf16, reader.count("kv_bytes_per_token_bf16", kCountOrNone));
  keep(model.kv_growing_bytes_per_token_bf16, reader.count("kv_growing_bytes_per_token_bf16", kCountOrNone));
  keep(model.native_dtype, reader.text("native_dtype"));
  keep(model.licence, reader.text("licence"));
  if (const auto why = reader.text("incomplete")) model.unread_fields.push_back(*why);
  keep(model.notes, reader.text("notes"));
  if (place.complete) require_fields(reader, model);
  check_consistency(reader, model);
  reader.finish();
}

}  // namespace podwright
