#include "catalog/huggingface_config.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/lower_case.h"
#include "base/number_text.h"
#include "catalog/huggingface_layers.h"
#include "catalog/huggingface_object.h"
#include "catalog/model_ranges.h"

namespace podwright {
namespace {

/// Reads the language model: the whole file, or its text_config.
class ConfigReader {
 public:
  explicit ConfigReader(ConfigPart& part) : part_(part) {}

  /// `wrapper_type` is the model_type of the object around this one; it serves where this one has none.
  void read(const std::string& wrapper_type) {
    part_.model_type = config_.has({"model_type"}) ? config_.text({"model_type"}) : wrapper_type;
    const Dialect* known = find_dialect(part_.model_type);
    if (known == nullptr)
      unread("model_type: unknown, taken as the Llama family, without biases and norms of queries and keys");
    if (known != nullptr) part_.dialect = *known;
    read_sizes();
    read_experts();
    read_conventions();
    read_training();
    if (model_.layers >= 1) read_config_layers(part_);
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

 private:
  void unread(std::string_view key) { part_.unread(key); }
  void unread_if_set(std::string_view key) { part_.unread_if_set(key); }
  bool is_type(std::string_view begin) const { return part_.is_type(begin); }

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

  /// What changes no size, and yet what is trained.
  void read_training() {
    const JsonNode* rotary = config_.find({"rope_parameters"});
    const JsonNode* base = rotary == nullptr ? nullptr : rotary->find("rope_theta");
    model_.rope_base =
        base != nullptr && base->is_number() ? base->number : config_.positive({"rope_theta", "rotary_emb_base"});
    read_rope_scaling(rotary != nullptr ? rotary : config_.find({"rope_scaling"}));
    model_.norm_epsilon = config_.positive({"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"});
    if (model_.experts == 0) return;
    model_.router_loss = config_.positive({"router_aux_loss_coef", "aux_loss_alpha"});
    const JsonNode* normalised = config_.find({"norm_topk_prob"});
    model_.router_pre_softmax = normalised != nullptr && normalised->type == JsonType::boolean && !normalised->boolean;
  }

  /// Llama 3's alone; other scalings stretch a model that was trained without them.
  void read_rope_scaling(const JsonNode* scaling) {
    if (scaling == nullptr) return;
    const JsonNode* kind = scaling->find("rope_type");
    if (kind == nullptr) kind = scaling->find("type");
    const JsonNode* factor = scaling->find("factor");
    if (kind != nullptr && kind->text == "llama3" && factor != nullptr && factor->is_number() && factor->number > 0)
      model_.rope_scaling_factor = factor->number;
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

  ConfigPart& part_;
  ConfigObject& config_ = part_.config;
  const Dialect& dialect_ = part_.dialect;
  Model& model_ = part_.model;
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
  ConfigPart part{.config = ConfigObject(nested == nullptr ? node : *nested, text_path, errors),
                  .prefix = nested == nullptr ? "" : "text_config."};
  ConfigReader reader(part);
  reader.read(nested == nullptr ? "" : root.text({"model_type"}));
  reader.read_tying(nested == nullptr ? nullptr : &root);
  Model& model = part.model;
  model.native_dtype = stored_format(root, root_path, errors);
  const std::string name = root.text({"_name_or_path"});
  model.id = name.empty() ? "config-json" : name;
  model.name = model.id;
  model.total_parameters_label = size_in_name(name);
  model.origin = "request" + root_path;
  model.source = kConfigFile;
  model.family = part.model_type.empty() ? "unknown type" : part.model_type;
  if (nested == nullptr) {
    part.config.pass_over({"torch_dtype", "dtype", "quantization_config", "_name_or_path", "text_config"});
    part.config.list_unread(part.prefix, model.unread_fields);
  } else {
    const std::string inner = stored_format(part.config, text_path, errors);
    if (model.native_dtype.empty()) model.native_dtype = inner;
    part.config.list_unread(part.prefix, model.unread_fields);
    root.pass_over({"model_type", "tie_word_embeddings"});
    root.list_unread("", model.unread_fields);
  }
  if (errors.size() != errors_before) return std::nullopt;
  return std::move(model);
}

}  // namespace podwright
