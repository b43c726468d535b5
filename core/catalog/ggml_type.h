#pragma once
/// How the tensor types of GGUF files are stored: blocks of weights with their scales.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/item.h"

namespace podwright {

struct GgmlType : CatalogItem {
  double number = 0;         ///< in the files; the name is that of the enumeration: Q4_K
  double block_weights = 1;  ///< weights of a block
  double block_bytes = 0;    ///< bytes of a block, scales included
};

/// Null where the number is not known.
const GgmlType* find_ggml_type(const std::vector<GgmlType>& types, double number);

/// Reads ggml_types.csv. Columns: number, name, block_weights, block_bytes, source.
void read_ggml_types(const std::string& path, std::string_view text, std::vector<GgmlType>& types, Errors& errors);

}  // namespace podwright
