#pragma once
/// What kernels and collectives reach on a GPU, as measured and published: the ceilings of the roofline.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/item.h"

namespace podwright {

struct RelativeRate;

/// One measured rate. `operation` is
/// gemm, context-attention (FLOP/s); weight-streaming, kv-reading (B/s);
/// all-reduce-bus-bandwidth, all-gather-bus-bandwidth, all-to-all-bus-bandwidth (B/s per GPU, inside one link domain of
/// `ranks` GPUs); network-bus-bandwidth (B/s per GPU, `ranks` GPUs on several nodes); all-reduce-latency (s, library
/// collective), fused-all-reduce-latency (s, a serving engine's own kernel); host-link (B/s
/// between GPU and host, one direction); layer-overhead (s of launch and host work
/// per layer and engine step; `gpu_id` is "any"); sustained-factor (sustained over burst time of large products, 1).
struct KernelRate : CatalogItem {
  std::string gpu_id;
  std::string operation;
  std::string precision;  ///< bf16, fp8, fp4, any
  double ranks = 1;
  double low = 0;      ///< base units
  double typical = 0;  ///< base units
  double high = 0;     ///< base units
  std::string note;
  std::uint64_t key = 0;  ///< kernel_rate_key() of the first three; 0: not given, compare the words
  /// How a machine's measurement scaled the catalog's row; null where the row is the catalog's or a machine's own.
  std::shared_ptr<const RelativeRate> relative;
};

/// A row of the catalog and what a machine reached against the reference machine in the same probe.
struct RelativeRate {
  KernelRate catalog;     ///< as it was
  CatalogItem host;       ///< the machine's result
  CatalogItem reference;  ///< the reference profile's
  double host_rate = 0;   ///< base units, as the next
  double reference_rate = 0;
  double half_width = 0;  ///< of the logarithm of their ratio
};

/// Of the same GPU, operation, precision and number of ranks.
inline bool same_quantity(const KernelRate& a, const KernelRate& b) {
  return a.gpu_id == b.gpu_id && a.operation == b.operation && a.precision == b.precision && a.ranks == b.ranks;
}

/// Start-up times: less is better.
inline bool is_time(const KernelRate& rate) { return rate.operation.find("latency") != std::string::npos; }

/// "gemm bf16", "all-reduce-bus-bandwidth, 8 ranks".
std::string quantity_text(const KernelRate& rate);

/// Tells nearly all rows apart without comparing words; never 0.
std::uint64_t kernel_rate_key(std::string_view gpu_id, std::string_view operation, std::string_view precision);

/// The row is of this GPU, operation and precision; `key` is theirs.
inline bool is_kernel_rate_of(const KernelRate& rate, std::uint64_t key, std::string_view gpu_id,
                              std::string_view operation, std::string_view precision) {
  if (rate.key != 0 && rate.key != key) return false;
  return rate.gpu_id == gpu_id && rate.operation == operation && rate.precision == precision;
}

}  // namespace podwright
