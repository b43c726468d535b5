#pragma once
/// What kernels reach on a GPU, as measured and published: the ceilings of the roofline.
#include <string>

#include "catalog/item.h"

namespace podwright {

/// One measured rate. `operation` is gemm (FLOP/s), weight-streaming, kv-reading (B/s), context-attention (FLOP/s),
/// all-reduce-bus-bandwidth (B/s over `ranks` GPUs), all-reduce-latency (s over `ranks` GPUs).
struct KernelRate : CatalogItem {
  std::string gpu_id;
  std::string operation;
  std::string precision;
  double ranks = 1;
  double low = 0;      ///< base units
  double typical = 0;  ///< base units
  double high = 0;     ///< base units
};

}  // namespace podwright
