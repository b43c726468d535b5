#pragma once
/// How weights are stored: bits per weight with scales included, by the kind of tensor.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/object_reader.h"
#include "base/units.h"
#include "catalog/item.h"

namespace podwright {

struct WeightFormat : CatalogItem {
  double bits_per_weight = 16;                ///< of the linear layers (attention and MLP)
  std::optional<double> attention_bits;       ///< of attention's linear layers where they are stored otherwise
  std::optional<double> mlp_bits;             ///< of dense MLP and shared experts where they are stored otherwise
  std::optional<double> beside_experts_bits;  ///< of a mixture's attention, dense MLP and shared experts, as published
  std::optional<double> expert_bits;          ///< of the routed experts where they are stored otherwise
  double embedding_bits = 16;                 ///< of the input embedding table
  double head_bits = 16;                      ///< of the output head
  double norm_bits = 16;                      ///< of norms and biases
  bool file_average = false;                  ///< one average over a whole file: the parts are not distinguished
  std::optional<double> published_average_bits;   ///< over the whole file it was measured on (GGUF, Llama-3-70B)
  std::optional<double> perplexity_loss_percent;  ///< measured on the same model
  std::string files = "safetensors";              ///< that hold it: safetensors, gguf or both
  bool in_gguf() const { return files != "safetensors"; }
  bool in_safetensors() const { return files != "gguf"; }
  std::string compute_precision;  ///< precision of the matrix products: fp32, bf16, fp16, fp8, int8, fp4
  std::string definition;         ///< what the bits are made of
  Bytes other_bytes{};  ///< of a file's tensors outside the model's arithmetic (vision towers), on the first GPUs whole
};

/// Parts of a model whose linear layers a format can store in widths of their own.
enum class WeightPart { attention, mlp, expert };

/// A width and the field of the format that says it.
struct StoredWidth {
  const char* field = "bits_per_weight";
  double bits = 16;
};

/// Bits of a weight of the linear layers of `part`; `mixture` where the model has routed experts.
StoredWidth stored_width(const WeightFormat& format, WeightPart part, bool mixture);

/// Null where the format is not known.
const WeightFormat* find_weight_format(const std::vector<WeightFormat>& formats, std::string_view id);

/// Reads the list of all formats.
void read_weight_formats(const JsonNode& node, const std::string& file, std::vector<WeightFormat>& formats,
                         ErrorList& errors);

}  // namespace podwright
