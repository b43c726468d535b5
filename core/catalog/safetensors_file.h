#pragma once
/// The header of a safetensors file, and the index of a checkpoint in several files.
/// Source: github.com/huggingface/safetensors, README, "Format".
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_read.h"
#include "base/result.h"
#include "catalog/weight_file.h"

namespace podwright {

/// True where the beginning looks like a length followed by a JSON object.
bool is_safetensors(std::string_view beginning);

/// Bytes of the length and the header behind it; absent where fewer than 8 bytes are given.
std::optional<double> safetensors_header_bytes(std::string_view beginning);

/// Reads the header from the beginning of a file of `file_bytes` bytes (0: not known). Codes: "truncated", and
/// "not-safetensors" with the path of the tensor in the header.
Result<WeightFile> read_safetensors(std::string_view beginning, double file_bytes);

struct SafetensorsIndex {
  std::vector<std::string> files;     ///< in the order of their first tensor
  std::vector<std::string> tensors;   ///< names
  std::optional<double> total_bytes;  ///< as the index states them
};
/// Reads the text of model.safetensors.index.json.
Result<SafetensorsIndex> read_safetensors_index(std::string_view text);
Result<SafetensorsIndex> read_safetensors_index(const JsonNode& node);

}  // namespace podwright
