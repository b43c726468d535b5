#pragma once
/// What kernels and collectives reach on a GPU, as measured and published: the ceilings of the roofline.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/item.h"

namespace podwright {

/// One measured rate. `operation` is
/// gemm, context-attention (FLOP/s); weight-streaming, kv-reading (B/s);
/// all-reduce-bus-bandwidth, all-gather-bus-bandwidth, all-to-all-bus-bandwidth (B/s per GPU, inside one link domain of
/// `ranks` GPUs); network-bus-bandwidth (B/s per GPU, `ranks` GPUs on several nodes); all-reduce-latency (s, library
/// collective), fused-all-reduce-latency (s, a serving engine's own kernel); host-link (B/s
/// between GPU and host, one direction); layer-overhead (s of launch and host work
/// per layer and engine step; `gpu_id` is "any").
struct KernelRate : CatalogItem {
  std::string gpu_id;
  std::string operation;
  std::string precision;  ///< bf16, fp8, fp4, any
  double ranks = 1;
  double low = 0;      ///< base units
  double typical = 0;  ///< base units
  double high = 0;     ///< base units
  std::string note;
};

/// Reads kernel_rates.csv. Columns: gpu_id, operation, precision, ranks, low, typical, high, unit (TFLOP/s, TB/s, GB/s,
/// us), source, note. Errors have the path "<path>:<line>".
Result<std::vector<KernelRate>> read_kernel_rates(std::string_view path, std::string_view text);

}  // namespace podwright
