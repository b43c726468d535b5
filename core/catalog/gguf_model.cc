#include "catalog/gguf_model.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/lower_case.h"
#include "base/number_text.h"
#include "catalog/model_ranges.h"

namespace podwright {
namespace {

/// Which layers of an architecture slide where the file gives a window but not the layers: all but every n-th.
/// Source: github.com/ggml-org/llama.cpp, src/llama-model.cpp, set_swa_pattern.
struct SlidingPeriod {
  std::string_view architecture;
  double period;
};
constexpr SlidingPeriod kSlidingPeriods[] = {{"gemma2", 2}, {"gemma3", 6}, {"gpt-oss", 2}, {"cohere2", 4}};

class GgufModelReader {
 public:
  explicit GgufModelReader(const GgufFile& file)
      : file_(file), architecture_(file.text("general.architecture").value_or("")) {}

  Result<Model> read() {
    if (architecture_.empty()) missing("general.architecture", "the kind of model");
    read_name();
    read_sizes();
    if (!problems_.empty()) return tl::unexpected<Errors>(std::move(problems_));
    read_structure();
    read_experts();
    read_latent();
    read_windows();
    read_unread();
    if (!problems_.empty()) return tl::unexpected<Errors>(std::move(problems_));
    model_.arch = model_.experts > 0 ? "moe" : "dense";
    return std::move(model_);
  }

 private:
  void missing(const std::string& key, const std::string& meaning) {
    problems_.push_back({"missing", key, "The file lacks \"" + key + "\": " + meaning + ".",
                         "Name the model in the request by its catalog id or its config.json."});
  }
  std::string key(std::string_view name) const { return architecture_ + "." + std::string(name); }
  void out_of_range(const std::string& path, double value, Range range) {
    const std::string found = std::isfinite(value) ? shortest_number(value) : "no finite number";
    problems_.push_back({"out-of-range", path, "\"" + path.substr(0, 60) + "\" is " + found + ".",
                         "Legal: a whole number, " + range_text(range) + "; is the file whole?"});
  }
  /// The value where it is a whole number of the range, else 0 after a problem.
  double checked(const std::string& path, double value, Range range) {
    if (value >= range.min && value <= range.max && value == std::floor(value)) return value;
    out_of_range(path, value, range);
    return 0;
  }
  /// A count, or the largest of a list that gives each layer its own, some of them none.
  std::optional<double> number(std::string_view name, Range range) {
    const std::string at = key(name);
    if (const auto single = file_.number(at)) return checked(at, *single, range);
    const GgufValue* list = file_.list(at);
    if (list == nullptr || list->numbers.empty()) return {};
    const std::vector<double>& values = list->numbers;
    for (const double value : values)
      if (!(value >= 0 && value <= range.max)) return out_of_range(at, value, range), 0;
    const bool same = std::all_of(values.begin(), values.end(), [&](double x) { return x == values.front(); });
    if (!same) model_.unread_fields.push_back(at + ": differs from layer to layer");
    return checked(at, *std::max_element(values.begin(), values.end()), range);
  }
  double needed(std::string_view name, Range range, const std::string& meaning) {
    const auto value = number(name, range);
    if (!value) missing(key(name), meaning);
    return value.value_or(0);
  }
  /// A part that is there and not switched off.
  bool has_part(std::string_view name) const {
    if (const auto single = file_.number(key(name))) return *single > 0;
    const GgufValue* list = file_.list(key(name));
    return list != nullptr && std::any_of(list->numbers.begin(), list->numbers.end(), [](double x) { return x > 0; });
  }
  const WeightTensor* tensor(std::string_view name) const {
    for (const WeightTensor& tensor : file_.tensors)
      if (tensor.name == name) return &tensor;
    return nullptr;
  }
  /// The first tensor of any block whose name continues like this.
  const WeightTensor* in_blocks(std::string_view end) const {
    for (const WeightTensor& tensor : file_.tensors) {
      const std::string_view name = tensor.name;
      if (name.substr(0, 4) != "blk." || name.size() < end.size()) continue;
      const std::size_t dot = name.find('.', 4);
      if (dot != std::string_view::npos && name.substr(dot + 1) == end) return &tensor;
    }
    return nullptr;
  }
  static double last_dimension(const WeightTensor& tensor) { return tensor.shape.empty() ? 0 : tensor.shape.back(); }
  static double first_dimension(const WeightTensor& tensor) { return tensor.shape.empty() ? 0 : tensor.shape.front(); }
  double rows_of(const WeightTensor& tensor) { return checked(tensor.name, last_dimension(tensor), kModelRows); }
  double width_of(const WeightTensor& tensor) { return checked(tensor.name, first_dimension(tensor), kModelWidth); }

  void read_name() {
    model_.family = architecture_;
    model_.name = file_.text("general.name").value_or(architecture_);
    model_.id = "gguf";
    std::string id;
    for (const char c : lower_case(model_.name)) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
      if (plain)
        id += c;
      else if (!id.empty() && id.back() != '-')
        id += '-';
    }
    while (!id.empty() && id.back() == '-') id.pop_back();
    if (!id.empty()) model_.id = id;
    model_.origin = "file";
    model_.source = "GGUF metadata";
  }

  void read_sizes() {
    model_.layers = needed("block_count", kModelLayers, "the number of layers");
    model_.hidden_size = needed("embedding_length", kModelWidth, "the hidden size");
    model_.attention_heads = needed("attention.head_count", kModelWidth, "the attention heads");
    if (!problems_.empty()) return;
    const Range some_heads{.min = 0, .max = model_.attention_heads};
    model_.kv_heads = number("attention.head_count_kv", some_heads).value_or(model_.attention_heads);
    if (model_.kv_heads <= 0) model_.kv_heads = model_.attention_heads;
    read_head_width();
    model_.ffn_hidden_size = number("feed_forward_length", kModelWidthOrNone).value_or(0);
    model_.context_tokens = number("context_length", kModelTokensOrNone).value_or(0);
    model_.vocab_size = number("vocab_size", kModelRowsOrNone).value_or(0);
    if (const WeightTensor* table = tensor("token_embd.weight")) model_.vocab_size = rows_of(*table);
    if (const GgufValue* tokens = file_.list("tokenizer.ggml.tokens"); tokens != nullptr && model_.vocab_size <= 0)
      model_.vocab_size = checked("tokenizer.ggml.tokens", tokens->count, kModelRows);
    if (model_.vocab_size <= 0) missing(key("vocab_size"), "the size of the vocabulary");
  }

  void read_head_width() {
    const double even = model_.hidden_size / model_.attention_heads;
    const auto width = number("attention.key_length", kModelWidth);
    if (!width && even != std::floor(even))
      missing(key("attention.key_length"), "the width of a head, which the hidden size and the heads do not give");
    model_.head_dim = width.value_or(even);
    const double value_dim = number("attention.value_length", kModelWidth).value_or(model_.head_dim);
    if (value_dim != model_.head_dim) model_.v_head_dim = value_dim;
  }

  void read_structure() {
    if (file_.tensors.empty()) return;  // the first of several files may hold metadata alone
    model_.tied_embeddings = tensor("output.weight") == nullptr;
    model_.lm_head_bias = tensor("output.bias") != nullptr;
    model_.embedding_norm = tensor("token_embd_norm.weight") != nullptr;
    if (const WeightTensor* positions = tensor("position_embd.weight"))
      model_.position_embeddings = rows_of(*positions);
    model_.norm_bias = tensor("output_norm.bias") != nullptr;
    const bool gated = in_blocks("ffn_gate.weight") != nullptr || in_blocks("ffn_gate_exps.weight") != nullptr;
    const WeightTensor* up = in_blocks("ffn_up.weight");
    const bool joined = up != nullptr && last_dimension(*up) == 2 * model_.ffn_hidden_size;
    model_.mlp_matrices = gated || joined || in_blocks("ffn_gate_up_exps.weight") != nullptr ? 3 : 2;
    double norms = 0;
    for (const char* name : {"attn_norm", "attn_norm_2", "ffn_norm", "post_attention_norm", "post_ffw_norm",
                             "attn_post_norm", "ffn_post_norm"})
      if (in_blocks(std::string(name) + ".weight") != nullptr) norms += 1;
    model_.norms_per_layer = norms;
    read_biases();
    if (const WeightTensor* norm = in_blocks("attn_q_norm.weight"); norm != nullptr)
      model_.qk_norm = first_dimension(*norm) == model_.head_dim ? QkNormKind::head : QkNormKind::full;
    model_.attention_sinks = in_blocks("attn_sinks.weight") != nullptr || in_blocks("attn_sinks") != nullptr;
  }

  void read_biases() {
    const bool qkv = in_blocks("attn_q.bias") != nullptr || in_blocks("attn_qkv.bias") != nullptr;
    const bool output = in_blocks("attn_output.bias") != nullptr;
    const bool mlp = in_blocks("ffn_up.bias") != nullptr;
    if (mlp)
      model_.biases = qkv || output ? BiasKind::attention_mlp : BiasKind::mlp;
    else if (output)
      model_.biases = BiasKind::attention;
    else if (qkv)
      model_.biases = BiasKind::qkv;
  }

  void read_experts() {
    model_.experts = number("expert_count", kModelExpertsOrNone).value_or(0);
    if (model_.experts <= 0) return;
    model_.experts_per_token = number("expert_used_count", {.min = 0, .max = model_.experts}).value_or(0);
    if (model_.experts_per_token <= 0) model_.unread_fields.push_back(key("expert_used_count") + ": absent");
    model_.moe_ffn_hidden_size = number("expert_feed_forward_length", kModelWidth).value_or(model_.ffn_hidden_size);
    if (const WeightTensor* down = in_blocks("ffn_down_exps.weight")) model_.moe_ffn_hidden_size = width_of(*down);
    model_.shared_experts = number("expert_shared_count", kModelExpertsOrNone).value_or(0);
    model_.shared_ffn_hidden_size = number("expert_shared_feed_forward_length", kModelWidthOrNone).value_or(0);
    if (const WeightTensor* shared = in_blocks("ffn_down_shexp.weight")) {
      model_.shared_ffn_hidden_size = width_of(*shared);
      if (model_.shared_experts <= 0) model_.shared_experts = 1;
    }
    model_.shared_expert_gate = in_blocks("ffn_gate_inp_shexp.weight") != nullptr;
    model_.router_bias = in_blocks("exp_probs_b.bias") != nullptr || in_blocks("ffn_gate_inp.bias") != nullptr;
    model_.expert_bias = in_blocks("ffn_up_exps.bias") != nullptr;
    model_.first_dense_layers = number("leading_dense_block_count", {.min = 0, .max = model_.layers}).value_or(0);
    if (const auto step = number("interleave_moe_layer_step", kModelPlaces); step && *step > 1)
      model_.moe_every_n_layers = *step;
    const bool dense_layers = model_.first_dense_layers > 0 || model_.moe_every_n_layers > 1;
    if (!dense_layers) model_.ffn_hidden_size = 0;
  }

  void read_latent() {
    model_.kv_lora_rank = number("attention.kv_lora_rank", kModelWidthOrNone).value_or(0);
    if (model_.kv_lora_rank <= 0) return;
    model_.q_lora_rank = number("attention.q_lora_rank", kModelWidthOrNone).value_or(0);
    model_.qk_rope_dim = number("rope.dimension_count", kModelWidthOrNone).value_or(0);
    // Files for the absorbed form write the width of the cache as key_length and that of a head apart.
    const double head = number("attention.key_length_mla", kModelWidth).value_or(model_.head_dim);
    model_.qk_nope_dim = std::max(0.0, head - model_.qk_rope_dim);
    model_.v_head_dim = number("attention.value_length_mla", kModelWidth)
                            .value_or(number("attention.value_length", kModelWidth).value_or(model_.qk_nope_dim));
    model_.head_dim = head;
    model_.kv_heads = model_.attention_heads;
    if (!(model_.qk_rope_dim > 0 && model_.qk_nope_dim > 0))
      model_.unread_fields.push_back(key("rope.dimension_count") + ": the parts of a latent head are not given");
  }

  void read_windows() {
    const double window = number("attention.sliding_window", kModelTokensOrNone).value_or(0);
    if (!(window > 0)) return;
    double full = -1;
    const GgufValue* pattern = file_.list(key("attention.sliding_window_pattern"));
    if (pattern != nullptr && static_cast<double>(pattern->numbers.size()) == model_.layers) {
      full = static_cast<double>(std::count(pattern->numbers.begin(), pattern->numbers.end(), 0.0));
    } else {
      double period = 0;
      if (const auto given = file_.number(key("attention.sliding_window_pattern")))
        period = checked(key("attention.sliding_window_pattern"), *given, kModelPlaces);
      for (const SlidingPeriod& known : kSlidingPeriods)
        if (period <= 0 && known.architecture == architecture_) period = known.period;
      if (period > 0) full = std::floor(model_.layers / period);
    }
    if (full < 0) {
      model_.unread_fields.push_back(key("attention.sliding_window") + ": which layers slide is not in the file");
      return;
    }
    model_.sliding_window = window;
    if (full > 0) model_.layer_groups.push_back({.count = full, .attention = AttentionKind::full});
    if (model_.layers > full)
      model_.layer_groups.push_back(
          {.count = model_.layers - full, .attention = AttentionKind::sliding, .window_tokens = window});
  }

  /// Parts that this reader knows to exist and cannot express.
  void read_unread() {
    for (const char* part : {"ssm.state_size", "wkv.head_size", "attention.indexer.head_count", "shortconv.l_cache",
                             "nextn_predict_layers", "attention.chunk_size", "altup.num_inputs"})
      if (has_part(part)) model_.unread_fields.push_back(key(part) + ": not understood");
    const auto parts = file_.number("split.count");
    if (!parts || checked("split.count", *parts, kModelPlaces) < 2) return;
    if (static_cast<double>(file_.tensors.size()) < file_.number("split.tensors.count").value_or(0))
      model_.unread_fields.push_back("split.count: one of " + shortest_number(*parts) + " files; name all of them");
  }

  const GgufFile& file_;
  std::string architecture_;
  Model model_;
  Errors problems_;
};

}  // namespace

Result<Model> gguf_model(const GgufFile& file) { return GgufModelReader(file).read(); }

}  // namespace podwright
