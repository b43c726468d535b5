/// A model as an object of the catalog: one list of fields, read and written.
#include <string>
#include <vector>

#include "base/json_write.h"
#include "catalog/item_reader.h"
#include "catalog/model_writer.h"

namespace podwright {
namespace {

constexpr Range kCount{.min = 1, .max = 1e9};
constexpr Range kCountOrNone{.min = 0, .max = 1e9};

/// When a count is written: a size that every model has, or one that is there only where it is not `otherwise`.
/// without_experts, with_latent: always where the model is of this kind.
enum class Written { always, if_other, without_experts, with_latent };

template <class Of>
struct CountField {
  std::string_view key;
  double Of::*value;
  Range range = kCountOrNone;
  Written written = Written::if_other;
  double otherwise = 0;
};

constexpr CountField<Model> kModelCounts[] = {
    {"layers", &Model::layers, {.min = 1, .max = 1e5}, Written::always},
    {"hidden_size", &Model::hidden_size, kCount, Written::always},
    {"attention_heads", &Model::attention_heads, kCount, Written::always},
    {"kv_heads", &Model::kv_heads, kCount, Written::always},
    {"head_dim", &Model::head_dim, kCount, Written::always},
    {"ffn_hidden_size", &Model::ffn_hidden_size, kCountOrNone, Written::without_experts},
    {"mlp_matrices", &Model::mlp_matrices, {.min = 2, .max = 3}, Written::always},
    {"vocab_size", &Model::vocab_size, kCount, Written::always},
    {"experts", &Model::experts},
    {"experts_per_token", &Model::experts_per_token},
    {"shared_experts", &Model::shared_experts},
    {"moe_ffn_hidden_size", &Model::moe_ffn_hidden_size},
    {"shared_ffn_hidden_size", &Model::shared_ffn_hidden_size},
    {"first_dense_layers", &Model::first_dense_layers},
    {"moe_every_n_layers", &Model::moe_every_n_layers, kCount, Written::if_other, 1},
    {"multi_token_depths", &Model::multi_token_depths},
    {"routed_nodes_max", &Model::routed_nodes_max},
    {"moe_latent_size", &Model::moe_latent_size},
    {"q_lora_rank", &Model::q_lora_rank, kCountOrNone, Written::with_latent},
    {"kv_lora_rank", &Model::kv_lora_rank},
    {"qk_rope_dim", &Model::qk_rope_dim, kCountOrNone, Written::with_latent},
    {"qk_nope_dim", &Model::qk_nope_dim, kCountOrNone, Written::with_latent},
    {"v_head_dim", &Model::v_head_dim},
    {"sliding_window", &Model::sliding_window},
    {"context_tokens", &Model::context_tokens, kCount},
    {"position_embeddings", &Model::position_embeddings},
    {"norms_per_layer", &Model::norms_per_layer, {.min = 0, .max = 16}, Written::always},
};

/// What changes no size, and yet what is trained.
struct NumberField {
  std::string_view key;
  double Model::*value;
};

constexpr NumberField kModelNumbers[] = {
    {"rope_base", &Model::rope_base},
    {"rope_scaling_factor", &Model::rope_scaling_factor},
    {"norm_epsilon", &Model::norm_epsilon},
    {"router_loss", &Model::router_loss},
};

struct FlagField {
  std::string_view key;
  bool Model::*value;
};

constexpr FlagField kModelFlags[] = {
    {"norm_bias", &Model::norm_bias},
    {"lm_head_bias", &Model::lm_head_bias},
    {"embedding_norm", &Model::embedding_norm},
    {"router_bias", &Model::router_bias},
    {"router_pre_softmax", &Model::router_pre_softmax},
    {"expert_bias", &Model::expert_bias},
    {"shared_expert_gate", &Model::shared_expert_gate},
    {"attention_sinks", &Model::attention_sinks},
    {"attention_output_gate", &Model::attention_output_gate},
    {"moe_latent_norm", &Model::moe_latent_norm},
    {"moe_parallel_dense_mlp", &Model::moe_parallel_dense_mlp},
};

constexpr CountField<LayerGroup> kGroupCounts[] = {
    {"heads", &LayerGroup::heads, kCount},
    {"kv_heads", &LayerGroup::kv_heads, kCount},
    {"head_dim", &LayerGroup::head_dim, kCount},
    {"v_head_dim", &LayerGroup::v_head_dim, kCount},
    {"window_tokens", &LayerGroup::window_tokens, kCount},
    {"read_tokens", &LayerGroup::read_tokens, kCount},
    {"ffn_hidden_size", &LayerGroup::ffn_hidden_size, kCount},
};

constexpr CountField<Indexer> kIndexerCounts[] = {
    {"heads", &Indexer::heads, kCount},
    {"head_dim", &Indexer::head_dim, kCount},
    {"top_k", &Indexer::top_k, kCount},
};

/// Sizes of linear layers: of all kinds, of all but the gated delta net, of it alone, of Mamba-2 alone.
constexpr CountField<LinearAttention> kConvolutionCounts[] = {
    {"conv_kernel", &LinearAttention::conv_kernel, kCount},
};
constexpr CountField<LinearAttention> kHeadCounts[] = {
    {"heads", &LinearAttention::heads, kCount},
    {"head_dim", &LinearAttention::head_dim, kCount},
};
constexpr CountField<LinearAttention> kMambaCounts[] = {
    {"groups", &LinearAttention::groups, kCount},
    {"state_size", &LinearAttention::state_size, kCount},
};
constexpr CountField<LinearAttention> kDeltaNetCounts[] = {
    {"key_heads", &LinearAttention::key_heads, kCount},
    {"value_heads", &LinearAttention::value_heads, kCount},
    {"key_head_dim", &LinearAttention::key_head_dim, kCount},
    {"value_head_dim", &LinearAttention::value_head_dim, kCount},
};

constexpr Range kTotal{.min = 1, .max = 9e15};

const std::vector<std::string> kArchWords = {"dense", "moe", "hybrid-dense", "hybrid-moe"};

template <class Of, std::size_t N>
void read_counts(ObjectReader& reader, const CountField<Of> (&fields)[N], Of& of) {
  for (const CountField<Of>& field : fields) keep(of.*field.value, reader.count(field.key, field.range));
}

template <class Of, std::size_t N>
void read_needed(ObjectReader& reader, const CountField<Of> (&fields)[N], Of& of, std::string_view meaning) {
  read_counts(reader, fields, of);
  for (const CountField<Of>& field : fields)
    if (!reader.has(field.key)) reader.missing(field.key, meaning);
}

void read_layer_group(ObjectReader& reader, LayerGroup& group) {
  keep(group.count, reader.count("count", kCount));
  keep(group.attention, read_word<AttentionKind>(reader, "attention", kAttentionWords));
  keep(group.mlp, read_word<MlpKind>(reader, "mlp", kMlpWords));
  read_counts(reader, kGroupCounts, group);
  keep(group.shared_kv, reader.flag("shared_kv"));
  if (!reader.has("count")) reader.missing("count", "how many layers are of this kind");
  if (!reader.has("attention"))
    reader.missing("attention", "how these layers mix tokens", "Legal: full, sliding, chunked, sparse, linear, none.");
  const bool windowed = group.attention == AttentionKind::sliding || group.attention == AttentionKind::chunked;
  if (windowed && !reader.has("window_tokens")) reader.missing("window_tokens", "how many tokens the window holds");
}

void read_linear_attention(ObjectReader& reader, LinearAttention& linear) {
  keep(linear.kind, read_word<LinearAttention::Kind>(reader, "kind", LinearAttention::kKindWords));
  if (!reader.has("kind"))
    reader.missing("kind", "which kind of linear layer", "Legal: gated-delta-net, mamba-2, kda.");
  const char* const meaning = "a size of the linear layers";
  if (linear.kind == LinearAttention::Kind::gated_delta_net)
    read_needed(reader, kDeltaNetCounts, linear, meaning);
  else
    read_needed(reader, kHeadCounts, linear, meaning);
  if (linear.kind == LinearAttention::Kind::mamba_2) read_needed(reader, kMambaCounts, linear, meaning);
  read_needed(reader, kConvolutionCounts, linear, meaning);
}

void read_indexer(ObjectReader& reader, Indexer& indexer) {
  read_needed(reader, kIndexerCounts, indexer, "a size of the indexer");
}

void read_layers(ObjectReader& reader, Model& model) {
  if (reader.has("layer_groups")) model.layer_groups.clear();
  read_list(reader, "layer_groups", model.layer_groups, read_layer_group);
  keep(model.linear_attention, read_object(reader, "linear_attention", read_linear_attention));
  keep(model.indexer, read_object(reader, "indexer", read_indexer));
}

void read_structure(ObjectReader& reader, Model& model) {
  keep(model.tied_embeddings, reader.flag("tied_embeddings"));
  keep(model.biases, read_word<BiasKind>(reader, "biases", kBiasWords));
  keep(model.qk_norm, read_word<QkNormKind>(reader, "qk_norm", kQkNormWords));
  for (const FlagField& field : kModelFlags) keep(model.*field.value, reader.flag(field.key));
  for (const NumberField& field : kModelNumbers) keep(model.*field.value, reader.number(field.key, {.min = 0}));
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

template <class Of, std::size_t N>
void write_counts(JsonWriter& out, const CountField<Of> (&fields)[N], const Of& of) {
  for (const CountField<Of>& field : fields)
    if (of.*field.value != field.otherwise) out.number(field.key, of.*field.value);
}

void write_group(JsonWriter& out, const LayerGroup& group) {
  out.begin_object();
  out.number("count", group.count);
  out.text("attention", word_of(group.attention, kAttentionWords));
  if (group.mlp != MlpKind::by_position) out.text("mlp", word_of(group.mlp, kMlpWords));
  write_counts(out, kGroupCounts, group);
  if (group.shared_kv) out.boolean("shared_kv", true);
  out.end_object();
}

bool is_written(const Model& m, const CountField<Model>& field) {
  if (m.*field.value != field.otherwise || field.written == Written::always) return true;
  return field.written == Written::without_experts ? !(m.experts > 0)
                                                   : field.written == Written::with_latent && m.kv_lora_rank > 0;
}

void write_sizes(JsonWriter& out, const Model& m) {
  for (const CountField<Model>& field : kModelCounts)
    if (is_written(m, field)) out.number(field.key, m.*field.value);
}

void write_structure(JsonWriter& out, const Model& m) {
  out.boolean("tied_embeddings", m.tied_embeddings);
  if (m.biases != BiasKind::none) out.text("biases", word_of(m.biases, kBiasWords));
  if (m.qk_norm != QkNormKind::none) out.text("qk_norm", word_of(m.qk_norm, kQkNormWords));
  for (const FlagField& field : kModelFlags)
    if (m.*field.value) out.boolean(field.key, true);
  for (const NumberField& field : kModelNumbers)
    if (m.*field.value > 0) out.number(field.key, m.*field.value);
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
    write_counts(out, kHeadCounts, linear);
    write_counts(out, kMambaCounts, linear);
    write_counts(out, kDeltaNetCounts, linear);
    write_counts(out, kConvolutionCounts, linear);
    out.end_object();
  }
  if (m.indexer) {
    out.begin_object("indexer");
    write_counts(out, kIndexerCounts, *m.indexer);
    out.end_object();
  }
}

}  // namespace

void read_model(const JsonNode& node, const ItemPlace& place, Model& model, ErrorList& errors) {
  ObjectReader reader(node, place.path, errors);
  read_item_head(node, reader, place, model);
  keep(model.family, reader.text("family"));
  keep(model.organisation, reader.text("organisation"));
  keep(model.release, reader.text("release"));
  keep(model.arch, reader.word("arch", kArchWords));
  read_counts(reader, kModelCounts, model);
  reader.count("full_attention_layers", kCountOrNone);
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
  reader.text("notes");
  if (place.complete) require_fields(reader, model);
  check_consistency(reader, model);
  reader.finish();
}

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
