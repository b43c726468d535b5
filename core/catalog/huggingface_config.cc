#include "catalog/huggingface_config.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/lower_case.h"
#include "base/number_text.h"
#include "catalog/huggingface_dialect.h"
#include "catalog/model_ranges.h"

namespace podwright {
namespace {

using Names = std::initializer_list<std::string_view>;

/// Reads the keys of one object of the file. A key that is null counts as absent, as the libraries that write the file
/// mean it.
class ConfigObject {
 public:
  ConfigObject(const JsonNode& node, const std::string& path, ErrorList& errors)
      : node_(node), reader_(node, path, errors) {}

  /// The first of the names that is in the object; all of them become known. Null where none does.
  const JsonNode* find(Names names, std::string_view* used = nullptr) {
    const JsonNode* found = nullptr;
    for (const std::string_view name : names) {
      known_.emplace_back(name);
      const JsonNode* value = node_.find(name);
      if (found != nullptr || value == nullptr || value->type == JsonType::null) continue;
      found = value;
      if (used != nullptr) *used = name;
    }
    return found;
  }
  bool has(Names names) { return find(names) != nullptr; }
  /// Makes keys known that have nothing to say here.
  void pass_over(Names names) { find(names); }

  double count(Names names, Range range, double otherwise = 0) {
    std::string_view name;
    if (find(names, &name) == nullptr) return otherwise;
    return static_cast<double>(once(name, [&] { return reader_.count(name, range); }).value_or(0));
  }
  /// Missing is an error, which carries the first of the names.
  double needed(Names names, Range range, std::string_view meaning) {
    if (!has(names)) reader_.missing(*names.begin(), meaning);
    return count(names, range);
  }
  bool flag(Names names, bool otherwise = false) {
    std::string_view name;
    if (find(names, &name) == nullptr) return otherwise;
    return once(name, [&] { return reader_.flag(name); }).value_or(otherwise);
  }
  std::string text(Names names) {
    std::string_view name;
    if (find(names, &name) == nullptr) return "";
    return once(name, [&] { return reader_.text(name); }).value_or("");
  }
  const JsonNode* object(std::string_view name) {
    return find({name}) == nullptr ? nullptr
                                   : once(name, [&] { return present(reader_.object(name)); }).value_or(nullptr);
  }
  const JsonNode* list(std::string_view name) {
    return find({name}) == nullptr ? nullptr
                                   : once(name, [&] { return present(reader_.list(name)); }).value_or(nullptr);
  }

  void conflict(std::string_view name, std::string message, std::string hint) {
    reader_.error(name, "conflict", std::move(message), std::move(hint));
  }
  void wrong_item(std::string_view name, const JsonNode& item, std::size_t index, std::string_view expected) {
    reader_.errors().add(item.order,
                         {"wrong-type", reader_.path(name) + "/" + std::to_string(index),
                          "Every item of \"" + std::string(name) + "\" must be " + std::string(expected) + ".",
                          "Write " + std::string(expected) + "."});
  }

  /// Adds the keys that no one read and that may change the result.
  void list_unread(std::string_view prefix, std::vector<std::string>& unread) const {
    for (std::size_t i = 0; i < node_.keys.size(); ++i) {
      const std::string& key = node_.keys[i];
      const JsonNode& value = node_.items[i];
      const bool empty =
          value.type == JsonType::null || ((value.is_list() || value.is_object()) && value.items.empty());
      if (!empty && std::find(known_.begin(), known_.end(), key) == known_.end() && !changes_nothing(key))
        unread.push_back(std::string(prefix) + key);
    }
  }

 private:
  static std::optional<const JsonNode*> present(const JsonNode* node) {
    return node == nullptr ? std::nullopt : std::optional(node);
  }
  /// A key that is read twice gives its error only once.
  template <class Read>
  auto once(std::string_view name, Read read) -> decltype(read()) {
    if (std::find(wrong_.begin(), wrong_.end(), name) != wrong_.end()) return std::nullopt;
    auto value = read();
    if (!value) wrong_.emplace_back(name);
    return value;
  }

  const JsonNode& node_;
  ObjectReader reader_;
  std::vector<std::string> known_;
  std::vector<std::string> wrong_;
};

/// One layer of the stack.
struct Layer {
  AttentionKind attention = AttentionKind::full;
  MlpKind mlp = MlpKind::dense;
};

bool divides(double divisor, double number) {
  return divisor >= 1 && number / divisor == static_cast<double>(static_cast<long long>(number / divisor));
}

/// Reads the language model: the whole file, or its text_config.
class ConfigReader {
 public:
  /// `prefix` stands before the names of unread fields.
  ConfigReader(const JsonNode& text, const std::string& path, std::string prefix, ErrorList& errors)
      : config_(text, path, errors), prefix_(std::move(prefix)) {}

  /// `wrapper_type` is the model_type of the object around this one; it serves where this one has none.
  void read(const std::string& wrapper_type) {
    model_type_ = config_.has({"model_type"}) ? config_.text({"model_type"}) : wrapper_type;
    const Dialect* known = find_dialect(model_type_);
    // An unknown type is read by its keys alone, with the gated MLP, two RMSNorms and no biases of the Llama family.
    if (known == nullptr) unread("model_type");
    if (known != nullptr) dialect_ = *known;
    read_sizes();
    read_experts();
    read_conventions();
    if (model_.layers < 1) return;
    layers_.resize(static_cast<std::size_t>(model_.layers));
    place_experts();
    place_attention();
    read_window();
    read_mixer();
    group_layers();
  }
  /// The wrapper of a multimodal model decides before its text part.
  void read_tying(ConfigObject* wrapper) {
    const bool here = config_.has({"tie_word_embeddings"});
    if (wrapper != nullptr && wrapper->has({"tie_word_embeddings"})) {
      model_.tied_embeddings = wrapper->flag({"tie_word_embeddings"});
    } else if (here) {
      model_.tied_embeddings = config_.flag({"tie_word_embeddings"});
    } else if (dialect_.tied) {
      model_.tied_embeddings = *dialect_.tied;
    } else {
      unread("tie_word_embeddings");
    }
  }
  void list_unread() { config_.list_unread(prefix_, model_.unread_fields); }
  ConfigObject& config() { return config_; }
  Model& model() { return model_; }

 private:
  void unread(std::string_view key) { model_.unread_fields.push_back(prefix_ + std::string(key)); }
  /// A switch or a number whose effect the arithmetic cannot say.
  void unread_if_set(std::string_view key) {
    const JsonNode* value = config_.find({key});
    if (value == nullptr) return;
    const bool off =
        (value->type == JsonType::boolean && !value->boolean) || (value->is_number() && value->number == 0);
    if (!off) unread(key);
  }
  bool is_type(std::string_view begin) const { return std::string_view(model_type_).substr(0, begin.size()) == begin; }
  bool any_layer(AttentionKind kind) const {
    return std::any_of(layers_.begin(), layers_.end(), [kind](const Layer& layer) { return layer.attention == kind; });
  }
  bool any_layer(MlpKind kind) const {
    return std::any_of(layers_.begin(), layers_.end(), [kind](const Layer& layer) { return layer.mlp == kind; });
  }

  void read_sizes() {
    // gemma3's published files leave out what equals the library's defaults (configuration_gemma3.py,
    // Gemma3TextConfig).
    const bool gemma3 = is_type("gemma3");
    model_.layers = config_.needed({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, kModelLayers,
                                   "how many layers the model has");
    model_.hidden_size =
        config_.needed({"hidden_size", "n_embd", "n_embed", "d_model"}, kModelWidth, "the width of the hidden state");
    const Names heads{"num_attention_heads", "n_head", "n_heads"};
    model_.attention_heads = gemma3 ? config_.count(heads, kModelWidth, 8)
                                    : config_.needed(heads, kModelWidth, "how many query heads a layer has");
    const Names rows{"vocab_size", "padded_vocab_size"};
    model_.vocab_size = gemma3 ? config_.count(rows, kModelRows, 262208)
                               : config_.needed(rows, kModelRows, "how many tokens the vocabulary holds");
    const Names context{"max_position_embeddings", "n_positions", "seq_length",
                        "max_sequence_length",     "max_seq_len", "n_ctx"};
    model_.context_tokens = config_.count(context, kModelTokens, gemma3 ? 131072 : 0);
    if (dialect_.learned_positions >= 0) {
      if (!config_.has(context))
        config_.needed({"max_position_embeddings"}, kModelTokens, "how many positions have a learned embedding");
      model_.position_embeddings = model_.context_tokens + dialect_.learned_positions;
    }
    read_kv_heads(gemma3 ? 4 : model_.attention_heads);
    read_latent_attention();
    if (model_.kv_lora_rank == 0) read_head_dim();
    read_mlp_width();
  }

  void read_kv_heads(double otherwise) {
    std::string_view key = "num_attention_heads";
    if (is_type("falcon")) {
      // configuration_falcon.py: num_kv_heads speaks for the new decoder architecture, multi_query for the first one.
      const bool new_decoder = config_.flag({"new_decoder_architecture"});
      const bool multi_query = config_.flag({"multi_query"}, true);
      const double given = config_.count({"num_kv_heads", "n_head_kv"}, kModelWidth, otherwise);
      model_.kv_heads = new_decoder ? given : multi_query ? 1 : otherwise;
    } else if (is_type("gpt_bigcode")) {
      model_.kv_heads = config_.flag({"multi_query"}, true) ? 1 : otherwise;
    } else {
      const Names names{"num_key_value_heads", "num_kv_heads", "multi_query_group_num"};
      config_.find(names, &key);
      model_.kv_heads = config_.count(names, kModelWidth, otherwise);
    }
    if (model_.kv_heads < 1 || model_.attention_heads < 1 || divides(model_.kv_heads, model_.attention_heads)) return;
    config_.conflict(key,
                     shortest_number(model_.attention_heads) + " query heads cannot share " +
                         shortest_number(model_.kv_heads) + " key-value heads evenly.",
                     "The number of key-value heads divides that of query heads.");
  }

  void read_latent_attention() {
    model_.kv_lora_rank = config_.count({"kv_lora_rank"}, kModelWidth);
    if (model_.kv_lora_rank == 0) return;
    model_.q_lora_rank = config_.count({"q_lora_rank"}, kModelWidthOrNone);
    model_.qk_rope_dim = config_.needed({"qk_rope_head_dim"}, kModelWidth, "the rotary part of a head");
    model_.qk_nope_dim = config_.needed({"qk_nope_head_dim"}, kModelWidth, "the part of a head without positions");
    model_.v_head_dim = config_.needed({"v_head_dim"}, kModelWidth, "the width of a value head");
    model_.head_dim = model_.qk_rope_dim + model_.qk_nope_dim;
    config_.pass_over({"head_dim"});  // repeats one of the parts
    if (!config_.has({"index_topk"})) return;
    model_.indexer = Indexer{
        .heads = config_.needed({"index_n_heads"}, kModelWidth, "how many heads the selector of sparse attention has"),
        .head_dim = config_.needed({"index_head_dim"}, kModelWidth, "the width of a head of the selector"),
        .top_k = config_.count({"index_topk"}, kModelTokens)};
  }

  void read_head_dim() {
    const Names names{"head_dim", "attention_head_dim", "kv_channels"};
    model_.head_dim = config_.count(names, kModelWidth, dialect_.head_dim);
    if (model_.head_dim == 0 && !config_.has(names) && model_.hidden_size >= 1 && model_.attention_heads >= 1) {
      if (divides(model_.attention_heads, model_.hidden_size)) {
        model_.head_dim = model_.hidden_size / model_.attention_heads;
      } else {
        config_.needed({"head_dim"}, kModelWidth,
                       "hidden_size is not a multiple of num_attention_heads, so the width of a head does not follow");
      }
    }
    const double v_head_dim = config_.count({"v_head_dim"}, kModelWidth);
    if (v_head_dim != model_.head_dim) model_.v_head_dim = v_head_dim;
  }

  void read_mlp_width() {
    const Names names{"intermediate_size", "ffn_hidden_size", "ffn_dim", "n_inner"};
    if (is_type("llama4")) {
      // configuration_llama4.py: intermediate_size is an expert's width, intermediate_size_mlp a dense layer's.
      model_.moe_ffn_hidden_size = config_.needed({"intermediate_size"}, kModelWidth, "the width of one expert");
      model_.ffn_hidden_size = config_.needed({"intermediate_size_mlp"}, kModelWidth, "the width of a dense MLP");
    } else if (dialect_.four_times_hidden) {
      model_.ffn_hidden_size = config_.count(names, kModelWidth, 4 * model_.hidden_size);
    } else if (config_.has({"moe_intermediate_size"}) &&
               config_.has({"num_experts", "n_routed_experts", "num_local_experts"})) {
      model_.ffn_hidden_size = config_.count(names, kModelWidth);  // needed only where a layer is dense
    } else {
      model_.ffn_hidden_size = config_.needed(names, kModelWidth, "the width of the MLP");
    }
  }

  void read_experts() {
    model_.mlp_matrices = dialect_.mlp_matrices;
    const Names names{"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"};
    model_.experts = config_.count(names, kModelExpertsOrNone);
    if (is_type("gemma4") && !config_.flag({"enable_moe_block"})) model_.experts = 0;
    const Names chosen_names{"num_experts_per_tok", "experts_per_token", "num_experts_per_token",
                             "top_k_experts",       "moe_top_k",         "moe_topk"};
    std::string_view chosen = "num_experts_per_tok";
    config_.find(chosen_names, &chosen);
    const double width = config_.count({"moe_intermediate_size"}, kModelWidth);
    const double shared = config_.count({"n_shared_experts", "num_shared_experts"}, kModelExpertsOrNone);
    const double shared_width = config_.count(
        {"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "shared_intermediate_size"},
        kModelWidthOrNone);
    const double latent_size = config_.count({"moe_latent_size"}, kModelWidth);
    const bool routing_bias = config_.text({"topk_method"}) == "noaux_tc" || config_.flag({"use_routing_bias"});
    if (model_.experts == 0) {
      // granitemoehybrid without experts: the shared MLP is the only one.
      if (is_type("granitemoe") && shared_width > 0) model_.ffn_hidden_size = shared_width;
      if (is_type("llama4")) model_.moe_ffn_hidden_size = 0;
      return;
    }
    model_.experts_per_token = config_.needed(chosen_names, kModelExperts, "how many experts a token passes through");
    if (model_.experts_per_token > model_.experts)
      config_.conflict(chosen,
                       "A token cannot pass through " + shortest_number(model_.experts_per_token) + " of " +
                           shortest_number(model_.experts) + " experts.",
                       "At most as many as there are experts.");
    if (config_.has({"moe_intermediate_size"})) {
      model_.moe_ffn_hidden_size = width;
    } else if (!is_type("llama4")) {
      model_.moe_ffn_hidden_size = model_.ffn_hidden_size;
      if (!dialect_.experts_have_intermediate_size) unread("moe_intermediate_size");
    }
    if (is_type("llama4")) {
      model_.shared_experts = 1;
      model_.shared_ffn_hidden_size = model_.moe_ffn_hidden_size;
    } else if (shared_width > 0) {
      model_.shared_experts = std::max(shared, 1.0);
      model_.shared_ffn_hidden_size = shared_width * model_.shared_experts;
    } else {
      model_.shared_experts = shared;
      model_.shared_ffn_hidden_size = shared * model_.moe_ffn_hidden_size;
    }
    model_.shared_expert_gate = dialect_.shared_expert_gate && model_.shared_ffn_hidden_size > 0;
    model_.router_bias = dialect_.router_bias || routing_bias;
    model_.expert_bias = dialect_.expert_bias;
    model_.moe_latent_size = latent_size;
    model_.moe_parallel_dense_mlp = is_type("gemma4");
  }

  void read_conventions() {
    model_.norms_per_layer = dialect_.norms_per_layer;
    model_.norm_bias = dialect_.norm_bias;
    model_.lm_head_bias = dialect_.lm_head_bias;
    model_.embedding_norm = dialect_.embedding_norm;
    model_.attention_sinks = dialect_.attention_sinks;
    model_.attention_output_gate = config_.flag({"attn_output_gate"}, dialect_.attention_output_gate);
    read_biases();
    read_qk_norm();
    if (is_type("falcon")) {
      // modeling_falcon.py: one norm serves attention and MLP where they run side by side in the first architecture.
      const bool one_norm = config_.flag({"parallel_attn"}, true) && !config_.flag({"new_decoder_architecture"});
      model_.norms_per_layer = config_.count({"num_ln_in_parallel_attn"}, {.min = 1, .max = 2}, one_norm ? 1 : 2);
    }
    if (is_type("gemma4")) {
      if (model_.experts > 0)
        model_.norms_per_layer += 3;  // before the experts, behind them, behind the dense MLP beside them
      for (const std::string_view key : {"hidden_size_per_layer_input", "num_kv_shared_layers", "use_double_wide_mlp"})
        unread_if_set(key);
      config_.pass_over({"vocab_size_per_layer_input"});
    }
    if (is_type("opt")) {
      if (config_.count({"word_embed_proj_dim"}, kModelWidth, model_.hidden_size) != model_.hidden_size)
        unread("word_embed_proj_dim");
      for (const std::string_view key : {"enable_bias", "do_layer_norm_before", "layer_norm_elementwise_affine"})
        if (!config_.flag({key}, true)) unread(key);
    }
    if (const std::string kind = config_.text({"mlp_type"}); !kind.empty() && kind != "default") unread("mlp_type");
    unread_if_set("is_encoder_decoder");
  }

  void read_qk_norm() {
    const bool wanted = config_.flag({"use_qk_norm"}) || config_.flag({"qk_layernorm"});
    if (!dialect_.qk_norm_by_key || wanted) model_.qk_norm = dialect_.qk_norm;
    // llama4's norm of queries and keys has no parameters.
    if (wanted && model_.qk_norm == QkNormKind::none && !is_type("llama4"))
      unread(config_.flag({"use_qk_norm"}) ? "use_qk_norm" : "qk_layernorm");
    const std::string kind = config_.text({"qk_norm_type"});
    if (!kind.empty() && kind != "per_layer") unread("qk_norm_type");
  }

  void read_biases() {
    const bool all = dialect_.biases == BiasKind::attention_mlp;
    model_.biases = dialect_.biases;
    const Names names{"attention_bias", "use_qkv_bias", "add_qkv_bias", "qkv_bias"};
    std::string_view key = "attention_bias";
    config_.find(names, &key);
    const bool attention = config_.flag(names, all || dialect_.attention_bias_otherwise);
    const bool output = config_.flag({"attention_out_bias"});  // seed_oss
    const BiasKind meaning = key == "attention_bias" ? dialect_.attention_bias_meaning : BiasKind::qkv;
    if (all && !attention) model_.biases = BiasKind::mlp;
    if (dialect_.biases == BiasKind::none && attention) {
      model_.biases = meaning == BiasKind::qkv && output ? BiasKind::attention : meaning;
      if (meaning == BiasKind::none) unread(key);
    }
    if (output && !attention) unread("attention_out_bias");
    read_mlp_bias();
    // starcoder2's use_bias: all biases or none. Elsewhere such a key is not known to add any.
    std::string_view name;
    if (config_.find({"use_bias", "bias", "no_bias"}, &name) != nullptr) {
      const bool biased = config_.flag({name}) != (name == "no_bias");
      if (all && !biased) model_.biases = BiasKind::none;
      if (dialect_.biases == BiasKind::none && biased) unread(name);
    }
    if (is_type("phimoe")) model_.lm_head_bias = config_.flag({"lm_head_bias"});
  }

  /// The catalog's words know biases of an MLP of two matrices only.
  void read_mlp_bias() {
    const bool always = dialect_.biases == BiasKind::attention_mlp || dialect_.biases == BiasKind::mlp;
    const bool there = config_.flag({"mlp_bias"}, always);
    if (there == always) return;
    if (there && dialect_.mlp_matrices == 2 && model_.biases == BiasKind::none) {
      model_.biases = BiasKind::mlp;
    } else if (there && dialect_.mlp_matrices == 2 && model_.biases == BiasKind::attention) {
      model_.biases = BiasKind::attention_mlp;
    } else {
      unread("mlp_bias");
    }
  }

  bool has_item_per_layer(std::string_view key, const JsonNode& list) {
    if (list.items.size() == layers_.size()) return true;
    config_.conflict(key,
                     "\"" + std::string(key) + "\" speaks of " + std::to_string(list.items.size()) +
                         " layers, the model has " + std::to_string(layers_.size()) + ".",
                     "One item for each layer.");
    return false;
  }
  /// Marks the layers that a list names by their places.
  void mark_places(std::string_view key, MlpKind kind) {
    const JsonNode* places = config_.list(key);
    if (places == nullptr) return;
    for (std::size_t i = 0; i < places->items.size(); ++i) {
      const JsonNode& place = places->items[i];
      if (!place.is_number() || !place.whole || place.number < 0) {
        config_.wrong_item(key, place, i, "the number of a layer, from 0");
      } else if (place.number < static_cast<double>(layers_.size())) {
        layers_[static_cast<std::size_t>(place.number)].mlp = kind;
      }
    }
  }
  /// Calls `mark` for each layer with whether the list of 0 and 1 has a 1 there.
  template <class Mark>
  void mark_each(std::string_view key, Mark mark) {
    const JsonNode* flags = config_.list(key);
    if (flags == nullptr || !has_item_per_layer(key, *flags)) return;
    for (std::size_t i = 0; i < flags->items.size(); ++i) {
      const JsonNode& flag = flags->items[i];
      if (!flag.is_number() || (flag.number != 0 && flag.number != 1)) {
        config_.wrong_item(key, flag, i, "0 or 1");
      } else {
        mark(layers_[i], flag.number == 1);
      }
    }
  }

  void place_experts() {
    const double first = config_.count({"first_k_dense_replace"}, kModelPlaces);
    const JsonNode* frequency = config_.find({"moe_layer_freq"});
    const bool flags = frequency != nullptr && frequency->is_list();
    const double every = flags ? 1 : config_.count({"moe_layer_freq"}, kModelLayers, 1);
    const double sparse_step = config_.count({"decoder_sparse_step"}, kModelPlaces, 1);
    const double interleave = config_.count({"interleave_moe_layer_step"}, kModelPlaces, 1);
    const double period = config_.count({"expert_layer_period"}, kModelLayers, 1);
    const double offset = config_.count({"expert_layer_offset"}, kModelPlaces);
    for (std::size_t i = 0; i < layers_.size() && model_.experts > 0; ++i) {
      const auto place = static_cast<double>(i);
      const bool moe = place >= first && divides(every, place) && divides(sparse_step, place + 1) &&
                       divides(interleave, place + 1) && place >= offset && divides(period, place - offset);
      layers_[i].mlp = moe ? MlpKind::moe : MlpKind::dense;
    }
    if (model_.experts == 0) {
      config_.pass_over({"moe_layers", "mlp_only_layers"});
      return;
    }
    if (flags)
      mark_each("moe_layer_freq", [](Layer& layer, bool moe) { layer.mlp = moe ? MlpKind::moe : MlpKind::dense; });
    if (const JsonNode* places = config_.list("moe_layers"); places != nullptr && !places->items.empty()) {
      for (Layer& layer : layers_) layer.mlp = MlpKind::dense;
      mark_places("moe_layers", MlpKind::moe);
    }
    mark_places("mlp_only_layers", MlpKind::dense);
    const JsonNode* types = config_.list("mlp_layer_types");
    if (types == nullptr || !has_item_per_layer("mlp_layer_types", *types)) return;
    for (std::size_t i = 0; i < types->items.size(); ++i) {
      const std::string& type = types->items[i].text;
      if (type != "dense" && type != "sparse")
        config_.wrong_item("mlp_layer_types", types->items[i], i, "\"dense\" or \"sparse\"");
      layers_[i].mlp = type == "dense" ? MlpKind::dense : MlpKind::moe;
    }
  }

  /// Sets the kind of one layer by its name; false for a name that is not known.
  bool name_layer(Layer& layer, std::string_view name) {
    const bool nemotron = is_type("nemotron_h");
    if (name == "full_attention" || name == "attention" || name == "*") {
      layer.attention = model_.indexer ? AttentionKind::sparse : AttentionKind::full;
    } else if (name == "sliding_attention") {
      layer.attention = AttentionKind::sliding;
    } else if (name == "chunked_attention") {
      layer.attention = AttentionKind::chunked;
    } else if (dialect_.mixer && (name == "linear_attention" || name == "mamba" || name == "M")) {
      layer.attention = AttentionKind::linear;
    } else if (nemotron && (name == "mlp" || name == "-" || name == "moe" || name == "E")) {
      layer = {.attention = AttentionKind::none, .mlp = name == "moe" || name == "E" ? MlpKind::moe : MlpKind::dense};
      return true;
    } else {
      layer.attention = AttentionKind::none;
      return false;
    }
    if (nemotron) layer.mlp = MlpKind::none;  // a layer of Nemotron-H is one mixer or one MLP
    return true;
  }

  void place_attention() {
    if (model_.indexer)
      for (Layer& layer : layers_) layer.attention = AttentionKind::sparse;
    std::string_view key;
    const std::string pattern = config_.text({"hybrid_override_pattern"});
    const auto slides = [](Layer& layer, bool sliding) {
      layer.attention = sliding ? AttentionKind::sliding : AttentionKind::full;
    };
    if (config_.find({"layers_block_type", "layer_types"}, &key) != nullptr) {
      place_by_names(key);
    } else if (!pattern.empty()) {
      place_by_pattern(pattern);
    } else if (config_.has({"hybrid_layer_pattern"})) {
      mark_each("hybrid_layer_pattern", slides);
    } else if (config_.has({"attn_type_list"})) {
      mark_each("attn_type_list", [](Layer& layer, bool softmax) {
        layer.attention = softmax ? AttentionKind::full : AttentionKind::none;
      });
      if (any_layer(AttentionKind::none)) unread("attn_type_list");  // lightning attention
    } else if (dialect_.mixer == LinearAttention::Kind::gated_delta_net) {
      place_periodically(config_.count({"full_attention_interval"}, kModelLayers, 4), AttentionKind::linear);
    } else if (dialect_.mixer) {
      config_.needed({"layer_types"}, kModelLayers, "which layers are attention and which are not");
    } else {
      place_windows();
    }
    config_.pass_over({"full_attention_interval", "sliding_window_pattern", "_sliding_window_pattern",
                       "max_window_layers", "use_sliding_window", "no_rope_layers"});
  }
  void place_by_names(std::string_view key) {
    const JsonNode* types = config_.list(key);
    if (types == nullptr || !has_item_per_layer(key, *types)) return;
    bool all_known = true;
    for (std::size_t i = 0; i < types->items.size(); ++i) {
      if (!types->items[i].is_text()) {
        config_.wrong_item(key, types->items[i], i, "text");
      } else {
        all_known = name_layer(layers_[i], types->items[i].text) && all_known;
      }
    }
    if (!all_known) unread(key);
  }
  void place_by_pattern(std::string_view pattern) {
    if (pattern.size() != layers_.size()) {
      config_.conflict("hybrid_override_pattern",
                       "The pattern speaks of " + std::to_string(pattern.size()) + " layers, the model has " +
                           std::to_string(layers_.size()) + ".",
                       "One letter for each layer.");
      return;
    }
    bool all_known = true;
    for (std::size_t i = 0; i < pattern.size(); ++i)
      all_known = name_layer(layers_[i], pattern.substr(i, 1)) && all_known;
    if (!all_known) unread("hybrid_override_pattern");
  }
  /// Every `period`-th layer sees everything, the others are of the kind named.
  void place_periodically(double period, AttentionKind others) {
    for (std::size_t i = 0; i < layers_.size() && period >= 1; ++i)
      if (!divides(period, static_cast<double>(i + 1))) layers_[i].attention = others;
  }
  void place_windows() {
    const double tokens = config_.count({"sliding_window", "sliding_window_size"}, kModelTokensOrNone);
    const bool window = tokens > 0 && (model_.context_tokens == 0 || tokens < model_.context_tokens);
    switch (dialect_.windows) {
      case WindowRule::none:
        if (window && find_dialect(model_type_) == nullptr) unread("sliding_window");
        break;
      case WindowRule::every_layer:
        for (Layer& layer : layers_)
          if (window) layer.attention = AttentionKind::sliding;
        break;
      case WindowRule::from_max_window_layers:
        if (window && config_.flag({"use_sliding_window"})) {
          const double first = config_.needed({"max_window_layers"}, kModelPlaces, "the first layer with a window");
          for (auto i = static_cast<std::size_t>(first); i < layers_.size(); ++i)
            layers_[i].attention = AttentionKind::sliding;
        }
        break;
      case WindowRule::periodic:
        place_periodically(
            config_.count({"sliding_window_pattern", "_sliding_window_pattern"}, kModelLayers, dialect_.window_period),
            AttentionKind::sliding);
        break;
      case WindowRule::chunked:
        // no_rope_layers: 1 for a layer with rotary positions, which works on chunks, 0 for one that sees everything.
        if (const JsonNode* rotary = config_.list("no_rope_layers"); rotary != nullptr && !rotary->items.empty()) {
          mark_each("no_rope_layers", [](Layer& layer, bool chunked) {
            layer.attention = chunked ? AttentionKind::chunked : AttentionKind::full;
          });
        } else {
          place_periodically(config_.count({"no_rope_layer_interval"}, kModelLayers, dialect_.window_period),
                             AttentionKind::chunked);
        }
        break;
    }
  }
  void read_window() {
    const double window =
        config_.count({"sliding_window", "sliding_window_size"}, kModelTokensOrNone, is_type("gemma3") ? 4096 : 0);
    const double chunk = config_.count({"attention_chunk_size"}, kModelTokens);
    if (any_layer(AttentionKind::sliding)) {
      if (window == 0) config_.needed({"sliding_window"}, kModelTokens, "how many tokens a sliding layer sees");
      model_.sliding_window = window;
    } else if (any_layer(AttentionKind::chunked)) {
      if (chunk == 0) config_.needed({"attention_chunk_size"}, kModelTokens, "how many tokens a chunk holds");
      model_.sliding_window = chunk;
    }
  }

  void read_mixer() {
    if (!dialect_.mixer || !any_layer(AttentionKind::linear)) return;
    LinearAttention mixer{.kind = *dialect_.mixer};
    if (mixer.kind == LinearAttention::Kind::gated_delta_net) {
      mixer.key_heads = config_.needed({"linear_num_key_heads"}, kModelWidth, "how many key heads a linear layer has");
      mixer.value_heads =
          config_.needed({"linear_num_value_heads"}, kModelWidth, "how many value heads a linear layer has");
      mixer.key_head_dim =
          config_.needed({"linear_key_head_dim"}, kModelWidth, "the width of a linear layer's key head");
      mixer.value_head_dim =
          config_.needed({"linear_value_head_dim"}, kModelWidth, "the width of a linear layer's value head");
      mixer.conv_kernel = config_.needed({"linear_conv_kernel_dim"}, kModelWidth, "the length of the convolution");
    } else {
      mixer.heads =
          config_.needed({"mamba_num_heads", "mamba_n_heads"}, kModelWidth, "how many heads a Mamba layer has");
      mixer.head_dim = config_.needed({"mamba_head_dim", "mamba_d_head"}, kModelWidth, "the width of a Mamba head");
      mixer.groups = config_.needed({"n_groups", "mamba_n_groups"}, kModelWidth, "how many groups share B and C");
      mixer.state_size = config_.needed({"ssm_state_size", "mamba_d_state"}, kModelWidth, "the size of the state");
      mixer.conv_kernel = config_.needed({"conv_kernel", "mamba_d_conv"}, kModelWidth, "the length of the convolution");
      if (!config_.flag({"use_conv_bias", "mamba_conv_bias"}, true)) unread("use_conv_bias");
      unread_if_set("mamba_proj_bias");
    }
    model_.linear_attention = mixer;
  }

  /// True where first_dense_layers and moe_every_n_layers can say which layers are dense; sets them.
  bool placed_by_rule() {
    if (any_layer(MlpKind::none) || any_layer(AttentionKind::none)) return false;
    if (model_.experts == 0) return true;
    const auto is_moe = [](const Layer& layer) { return layer.mlp == MlpKind::moe; };
    const auto first = static_cast<std::size_t>(std::find_if(layers_.begin(), layers_.end(), is_moe) - layers_.begin());
    for (std::size_t every = 1; every <= first + 1 && first < layers_.size(); ++every) {
      const std::size_t dense = first + 1 - every;
      bool fits = true;
      for (std::size_t i = dense; i < layers_.size() && fits; ++i)
        fits = is_moe(layers_[i]) == ((i - dense) % every == every - 1);
      if (!fits) continue;
      model_.first_dense_layers = static_cast<double>(dense);
      model_.moe_every_n_layers = static_cast<double>(every);
      return true;
    }
    return false;
  }

  void group_layers() {
    const bool by_rule = placed_by_rule();
    std::vector<LayerGroup>& groups = model_.layer_groups;
    for (const Layer& layer : layers_) {
      const MlpKind mlp = by_rule ? MlpKind::by_position : layer.mlp;
      auto group = std::find_if(groups.begin(), groups.end(),
                                [&](const LayerGroup& g) { return g.attention == layer.attention && g.mlp == mlp; });
      if (group == groups.end()) group = groups.insert(group, {.attention = layer.attention, .mlp = mlp});
      group->count += 1;
    }
    for (LayerGroup& group : groups) refine(group);
    const LayerGroup& first = groups.front();
    if (groups.size() == 1 && by_rule && first.attention == AttentionKind::full && first.head_dim == 0) groups.clear();

    const bool moe = any_layer(MlpKind::moe);
    const bool hybrid = any_layer(AttentionKind::linear) || any_layer(AttentionKind::none);
    model_.arch = hybrid ? (moe ? "hybrid-moe" : "hybrid-dense") : moe ? "moe" : "dense";
    if (moe && model_.experts == 0)
      config_.needed({"n_routed_experts"}, kModelExperts, "how many experts a layer with experts holds");
    const bool dense = any_layer(MlpKind::dense) || model_.moe_parallel_dense_mlp;
    if (dense && model_.ffn_hidden_size == 0 && !dialect_.four_times_hidden)
      config_.needed({"intermediate_size"}, kModelWidth, "the width of the MLP of dense layers");
  }

  /// What the layers of one kind have of their own.
  void refine(LayerGroup& group) {
    if (group.attention == AttentionKind::sliding || group.attention == AttentionKind::chunked)
      group.window_tokens = model_.sliding_window;
    if (group.attention == AttentionKind::sparse && model_.indexer) group.read_tokens = model_.indexer->top_k;
    if (is_type("gemma4") && group.attention == AttentionKind::full) {
      // configuration_gemma4.py: layers that see everything have wider heads and may use the key as value.
      const double kv_heads = config_.count({"num_global_key_value_heads"}, kModelWidth);
      group.head_dim = config_.count({"global_head_dim"}, kModelWidth, 512);
      group.shared_kv = config_.flag({"attention_k_eq_v"});
      if (group.shared_kv) group.kv_heads = kv_heads;
    }
    if (is_type("mimo_v2") && group.attention == AttentionKind::sliding) {
      const auto own = [this](std::string_view key, double of_model) {
        const double value = config_.count({key}, kModelWidth, of_model);
        return value == of_model ? 0.0 : value;
      };
      group.heads = own("swa_num_attention_heads", model_.attention_heads);
      group.kv_heads = own("swa_num_key_value_heads", model_.kv_heads);
      group.head_dim = own("swa_head_dim", model_.head_dim);
      group.v_head_dim = own("swa_v_head_dim", model_.v_head_dim > 0 ? model_.v_head_dim : model_.head_dim);
      unread_if_set("add_swa_attention_sink_bias");
      unread_if_set("add_full_attention_sink_bias");
    }
  }

  ConfigObject config_;
  std::string prefix_;
  std::string model_type_;
  Dialect dialect_;
  Model model_;
  std::vector<Layer> layers_;
};

std::string number_format(const std::string& dtype) {
  if (dtype == "bfloat16") return "bf16";
  if (dtype == "float16") return "fp16";
  if (dtype == "float32") return "fp32";
  if (dtype.substr(0, 6) == "float8") return "fp8";
  return dtype;
}

/// "fp8", "int4-awq", "nvfp4": how the weights of the file are stored.
std::string quantised_format(const JsonNode& quantisation, const std::string& path, ErrorList& errors) {
  ConfigObject config(quantisation, path, errors);
  const std::string method = config.text({"quant_method"});
  const std::string algorithm = config.text({"quant_algo"});
  const double bits = config.count({"bits", "w_bit"}, {.min = 1, .max = 64});
  if (!algorithm.empty()) return lower_case(algorithm);
  if ((method == "awq" || method == "gptq") && bits > 0) return "int" + shortest_number(bits) + "-" + method;
  return method;
}

/// "bf16", or "mxfp4 / bf16" where most weights are quantised.
std::string stored_format(ConfigObject& config, const std::string& path, ErrorList& errors) {
  const std::string dtype = number_format(config.text({"torch_dtype", "dtype"}));
  const JsonNode* quantisation = config.object("quantization_config");
  const std::string quantised =
      quantisation == nullptr ? "" : quantised_format(*quantisation, path + "/quantization_config", errors);
  if (quantised.empty()) return dtype;
  return dtype.empty() || dtype == quantised ? quantised : quantised + " / " + dtype;
}

/// "70B" of "meta-llama/Llama-2-70b-hf", "500M" of "tiny-500m"; empty where the name states no size.
std::string size_in_name(const std::string& name) {
  const auto digit = [&name](std::size_t i) { return i < name.size() && name[i] >= '0' && name[i] <= '9'; };
  for (std::size_t begin = 0; begin < name.size(); ++begin) {
    const bool word_begins = begin == 0 || name[begin - 1] == '-' || name[begin - 1] == '_' || name[begin - 1] == '/';
    if (!word_begins || !digit(begin)) continue;
    std::size_t end = begin;
    while (digit(end) || (end < name.size() && name[end] == '.' && digit(end + 1))) ++end;
    const char unit = end < name.size() ? name[end] : ' ';
    const bool word_ends = end + 1 >= name.size() || name[end + 1] == '-' || name[end + 1] == '_';
    if (!word_ends) continue;
    if (unit == 'b' || unit == 'B') return name.substr(begin, end - begin) + "B";
    if (unit == 'm' || unit == 'M') return name.substr(begin, end - begin) + "M";
  }
  return "";
}

}  // namespace

bool is_huggingface_config(const JsonNode& node) {
  if (!node.is_object() || (node.find("model_type") == nullptr && node.find("architectures") == nullptr)) return false;
  constexpr std::string_view kSizes[] = {"hidden_size", "num_hidden_layers", "num_attention_heads",
                                         "n_layer",     "n_layers",          "n_embd",
                                         "n_embed",     "d_model",           "text_config"};
  return std::any_of(std::begin(kSizes), std::end(kSizes),
                     [&node](std::string_view key) { return node.find(key) != nullptr; });
}

std::optional<Model> read_huggingface_config(const JsonNode& node, std::string_view path, ErrorList& errors) {
  const std::size_t errors_before = errors.size();
  const std::string root_path(path);
  ConfigObject root(node, root_path, errors);
  const JsonNode* nested = root.object("text_config");
  if (errors.size() != errors_before) return std::nullopt;
  const std::string text_path = nested == nullptr ? root_path : root_path + "/text_config";
  ConfigReader reader(nested == nullptr ? node : *nested, text_path, nested == nullptr ? "" : "text_config.", errors);
  reader.read(nested == nullptr ? "" : root.text({"model_type"}));
  reader.read_tying(nested == nullptr ? nullptr : &root);
  Model& model = reader.model();
  model.native_dtype = stored_format(root, root_path, errors);
  const std::string name = root.text({"_name_or_path"});
  model.id = name.empty() ? "config-json" : name;
  model.name = model.id;
  model.total_parameters_label = size_in_name(name);
  model.origin = "request" + root_path;
  model.source = "config.json";
  if (nested == nullptr) {
    reader.config().pass_over({"torch_dtype", "dtype", "quantization_config", "_name_or_path", "text_config"});
    reader.list_unread();
  } else {
    const std::string inner = stored_format(reader.config(), text_path, errors);
    if (model.native_dtype.empty()) model.native_dtype = inner;
    reader.list_unread();
    root.pass_over({"model_type", "tie_word_embeddings"});
    root.list_unread("", model.unread_fields);
  }
  if (errors.size() != errors_before) return std::nullopt;
  return std::move(model);
}

}  // namespace podwright
