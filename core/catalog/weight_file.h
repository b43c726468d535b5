#pragma once
/// Tensors of a file of weights, read from its header alone. docs/method/model_files.md.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

/// Part of a model that a tensor belongs to. norms: also biases and attention sinks. other: what the arithmetic of a
/// language model does not know (vision towers, rotation tables, modules that predict further tokens).
enum class TensorClass { embedding, output_head, attention, dense_mlp, experts, shared_experts, router, norms, other };
inline constexpr std::size_t kTensorClasses = 9;
inline constexpr std::array<std::string_view, kTensorClasses> kTensorClassWords{
    "embedding", "output_head", "attention", "dense_mlp", "experts", "shared_experts", "router", "norms", "other"};

struct WeightTensor {
  std::string name;
  std::string type;               ///< as the format writes it: Q4_K, BF16
  double offset = 0;              ///< of its bytes, behind the header
  std::vector<double> shape;      ///< in the order of the file: GGUF innermost first, safetensors outermost first
  double bytes = 0;               ///< stored, scales of its blocks included
  std::optional<double> weights;  ///< 0 for scales and zeros of other tensors; absent where weights are packed into
                                  ///< wider integers and the file does not say how many
};

struct WeightFile {
  std::vector<WeightTensor> tensors;
  double header_bytes = 0;  ///< before the first tensor's data
  double data_bytes = 0;    ///< up to the end of the last tensor
};

/// Longer headers are refused before they are read: the limit of safetensors, and far more than any GGUF file has.
inline constexpr double kMostHeaderBytes = 100e6;

/// The name of a tensor that stands twice; absent where each stands once.
std::optional<std::string> tensor_that_stands_twice(const std::vector<WeightTensor>& tensors);
/// A sentence about two tensors of a file that share bytes; absent where none do.
std::optional<std::string> tensors_that_overlap(const std::vector<WeightTensor>& tensors);

/// Names of GGUF files (blk.0.attn_q.weight) and of the usual checkpoints (model.layers.0.self_attn.q_proj.weight).
TensorClass tensor_class(std::string_view name);

/// Bytes and weights of one class or one type.
struct WeightTotal {
  double tensors = 0;
  double bytes = 0;
  std::optional<double> weights = 0.0;  ///< absent where one tensor's is not known
};
WeightTotal& operator+=(WeightTotal& total, const WeightTensor& tensor);
/// Bits of one weight, scales included; absent where the weights are not known or there are none.
std::optional<double> bits_per_weight(const WeightTotal& total);

struct WeightSummary {
  std::array<WeightTotal, kTensorClasses> by_class;
  std::vector<std::string> types;  ///< in the order of their first tensor
  std::vector<WeightTotal> by_type;
  WeightTotal total;
};
WeightSummary weight_summary(const std::vector<WeightTensor>& tensors);

}  // namespace podwright
