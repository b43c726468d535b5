#pragma once
/// How the tensor types of GGUF files are stored: blocks of weights with their scales.
#include <vector>

#include "catalog/item.h"

namespace podwright {

struct GgmlType : CatalogItem {
  double number = 0;         ///< in the files; the name is that of the enumeration: Q4_K
  double block_weights = 1;  ///< weights of a block
  double block_bytes = 0;    ///< bytes of a block, scales included
};

/// Null where the number is not known.
inline const GgmlType* find_ggml_type(const std::vector<GgmlType>& types, double number) {
  for (const GgmlType& type : types)
    if (type.number == number) return &type;
  return nullptr;
}

}  // namespace podwright
