#pragma once
/// How weights (or KV elements) are stored: bits per weight with scales included.
#include <string>

#include "catalog/item.h"

namespace podwright {

struct WeightFormat : CatalogItem {
  double bits_per_weight = 16;     ///< of a quantised linear weight, scales included
  bool quantises_embeddings = false;  ///< false: embeddings and output head stay 16 bit
  bool file_average = false;       ///< the figure is an average over a whole file (GGUF), so it covers embeddings too
  std::string compute_precision;   ///< precision of the matrix products: bf16, fp8, int8, fp4
};

}  // namespace podwright
