#include "catalog/weight_file.h"

#include <algorithm>
#include <initializer_list>

#include "base/lower_case.h"

namespace podwright {
namespace {

bool has(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// One of the parts between the points of a name.
bool has_part(std::string_view name, std::initializer_list<std::string_view> parts) {
  while (!name.empty()) {
    const std::size_t end = std::min(name.find('.'), name.size());
    if (std::find(parts.begin(), parts.end(), name.substr(0, end)) != parts.end()) return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

/// "attn_q.weight" of "blk.12.attn_q.weight"; nothing where the name is none of a block.
std::optional<std::string_view> in_gguf_block(std::string_view name) {
  if (name.substr(0, 4) != "blk.") return {};
  const std::size_t end = name.find('.', 4);
  if (end == std::string_view::npos) return {};
  return name.substr(end + 1);
}

TensorClass class_in_gguf_block(std::string_view name) {
  if (has(name, {"nextn", "rope_freqs", "rope_factors"})) return TensorClass::other;
  if (has(name, {"_shexp"})) return TensorClass::shared_experts;
  if (has(name, {"ffn_gate_inp", "exp_probs_b"})) return TensorClass::router;
  if (has(name, {"_exps"})) return TensorClass::experts;
  if (has(name, {"norm", "attn_sinks"}) || name.ends_with(".bias")) return TensorClass::norms;
  if (has(name, {"ffn_"})) return TensorClass::dense_mlp;
  if (has(name, {"attn", "ssm_", "indexer", "shortconv", "time_mix"})) return TensorClass::attention;
  return TensorClass::other;
}

std::optional<TensorClass> class_in_gguf_ends(std::string_view name) {
  if (has_part(name, {"token_embd", "position_embd", "token_embd_norm", "token_types"})) return TensorClass::embedding;
  if (name == "output.weight") return TensorClass::output_head;
  if (name == "output.bias" || has_part(name, {"output_norm"})) return TensorClass::norms;
  return {};
}

TensorClass class_in_checkpoint(std::string_view name) {
  if (has(name, {"visual", "vision", "image", "audio", "multi_modal", "mm_projector", "mtp.", "rotary_emb"}))
    return TensorClass::other;
  if (has(name, {"embed_tokens", "word_embeddings", "embed_in.", "tok_embeddings", "embed_positions"}) ||
      has_part(name, {"wte", "wpe"}))
    return TensorClass::embedding;
  const bool bias = name.ends_with(".bias");
  if (has_part(name, {"lm_head", "embed_out"})) return bias ? TensorClass::norms : TensorClass::output_head;
  if (has(name, {"shared_expert", "shared_mlp"})) return TensorClass::shared_experts;
  if (has_part(name, {"gate", "router"})) return TensorClass::router;
  if (has(name, {"experts"})) return TensorClass::experts;
  if (has(name, {"norm", "ln_", "sinks"}) || bias) return TensorClass::norms;
  if (has(name, {"attn", "attention", "mixer", "mamba", "ssm"})) return TensorClass::attention;
  if (has(name, {"mlp", "feed_forward", "ffn", "fc1", "fc2", "fc_in", "fc_out", "dense_h_to_4h", "dense_4h_to_h"}))
    return TensorClass::dense_mlp;
  return TensorClass::other;
}

/// The tensors in the order of `less`.
template <class Less>
std::vector<const WeightTensor*> in_order(const std::vector<WeightTensor>& tensors, Less less) {
  std::vector<const WeightTensor*> sorted;
  for (const WeightTensor& tensor : tensors) sorted.push_back(&tensor);
  std::sort(sorted.begin(), sorted.end(),
            [less](const WeightTensor* a, const WeightTensor* b) { return less(*a, *b); });
  return sorted;
}

}  // namespace

std::optional<std::string> tensor_that_stands_twice(const std::vector<WeightTensor>& tensors) {
  const auto by_name = in_order(tensors, [](const WeightTensor& a, const WeightTensor& b) { return a.name < b.name; });
  const auto twice = std::adjacent_find(
      by_name.begin(), by_name.end(), [](const WeightTensor* a, const WeightTensor* b) { return a->name == b->name; });
  if (twice == by_name.end()) return {};
  return (*twice)->name.substr(0, 60);
}

std::optional<std::string> tensors_that_overlap(const std::vector<WeightTensor>& tensors) {
  const auto by_place =
      in_order(tensors, [](const WeightTensor& a, const WeightTensor& b) { return a.offset < b.offset; });
  const WeightTensor* before = nullptr;
  for (const WeightTensor* tensor : by_place) {
    if (tensor->bytes <= 0) continue;
    if (before != nullptr && before->offset + before->bytes > tensor->offset)
      return "The tensors \"" + before->name.substr(0, 60) + "\" and \"" + tensor->name.substr(0, 60) +
             "\" share bytes.";
    before = tensor;
  }
  return {};
}

TensorClass tensor_class(std::string_view name) {
  if (const auto inside = in_gguf_block(name)) return class_in_gguf_block(*inside);
  if (const auto end = class_in_gguf_ends(name)) return *end;
  return class_in_checkpoint(lower_case(name));
}

WeightTotal& operator+=(WeightTotal& total, const WeightTensor& tensor) {
  total.tensors += 1;
  total.bytes += tensor.bytes;
  if (total.weights && tensor.weights)
    *total.weights += *tensor.weights;
  else
    total.weights.reset();
  return total;
}

std::optional<double> bits_per_weight(const WeightTotal& total) {
  if (!total.weights || *total.weights <= 0) return {};
  return 8.0 * total.bytes / *total.weights;
}

WeightSummary weight_summary(const std::vector<WeightTensor>& tensors) {
  WeightSummary summary;
  for (const WeightTensor& tensor : tensors) {
    const auto known = std::find(summary.types.begin(), summary.types.end(), tensor.type);
    const std::size_t type = static_cast<std::size_t>(known - summary.types.begin());
    if (known == summary.types.end()) {
      summary.types.push_back(tensor.type);
      summary.by_type.push_back({});
    }
    summary.by_type[type] += tensor;
    summary.by_class[static_cast<std::size_t>(tensor_class(tensor.name))] += tensor;
    summary.total += tensor;
  }
  return summary;
}

}  // namespace podwright
