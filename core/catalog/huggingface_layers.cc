#include "catalog/huggingface_layers.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "catalog/model_ranges.h"

namespace podwright {
namespace {

/// One layer of the stack.
struct Layer {
  AttentionKind attention = AttentionKind::full;
  MlpKind mlp = MlpKind::dense;
};

class LayerReader {
 public:
  explicit LayerReader(ConfigPart& part) : part_(part), layers_(static_cast<std::size_t>(part.model.layers)) {}

  void read() {
    place_experts();
    place_attention();
    read_window();
    read_mixer();
    group_layers();
  }

 private:
  void unread(std::string_view key) { part_.unread(key); }
  void unread_if_set(std::string_view key) { part_.unread_if_set(key); }
  bool is_type(std::string_view begin) const { return part_.is_type(begin); }
  bool any_layer(AttentionKind kind) const {
    return std::any_of(layers_.begin(), layers_.end(), [kind](const Layer& layer) { return layer.attention == kind; });
  }
  bool any_layer(MlpKind kind) const {
    return std::any_of(layers_.begin(), layers_.end(), [kind](const Layer& layer) { return layer.mlp == kind; });
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
        if (window && find_dialect(part_.model_type) == nullptr) unread("sliding_window");
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

  ConfigPart& part_;
  ConfigObject& config_ = part_.config;
  const Dialect& dialect_ = part_.dialect;
  Model& model_ = part_.model;
  std::vector<Layer> layers_;
};

}  // namespace

void read_config_layers(ConfigPart& part) { LayerReader(part).read(); }

}  // namespace podwright
