#include "perf/ceilings.h"

#include <algorithm>

#include "base/math.h"

namespace podwright {

namespace {

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  return math::quantile(std::move(values), 0.5);
}

const Gpu* gpu_by_id(const Catalog& catalog, std::string_view id) {
  for (const Gpu& gpu : catalog.gpus)
    if (gpu.id == id) return &gpu;
  return nullptr;
}

/// GPUs of the catalog with a row of this operation and precision.
std::vector<const Gpu*> gpus_with(const Catalog& catalog, std::string_view operation, std::string_view precision) {
  std::vector<const Gpu*> gpus;
  for (const KernelRate& rate : catalog.kernel_rates) {
    if (rate.operation != operation || rate.precision != precision) continue;
    const Gpu* gpu = gpu_by_id(catalog, rate.gpu_id);
    if (gpu != nullptr && std::find(gpus.begin(), gpus.end(), gpu) == gpus.end()) gpus.push_back(gpu);
  }
  return gpus;
}

/// Median over the rows of an operation of what they reach of the peak of their GPU, where that is known (above 0). An
/// empty `precision` is any.
template <class Peak>
std::optional<double> median_share(const Catalog& catalog, std::string_view operation, std::string_view precision,
                                   const Peak& peak_of) {
  std::vector<double> shares;
  for (const KernelRate& rate : catalog.kernel_rates) {
    if (rate.operation != operation || (!precision.empty() && rate.precision != precision)) continue;
    const Gpu* gpu = gpu_by_id(catalog, rate.gpu_id);
    const double peak = gpu == nullptr ? 0 : peak_of(*gpu);
    if (peak > 0) shares.push_back(rate.typical / peak);
  }
  return median(std::move(shares));
}

bool has_direct_links(const Gpu& gpu) {
  return gpu.link_bandwidth_one_way && gpu.link_bandwidth_one_way->base_units() > 0;
}

/// A card that reaches its neighbours over PCIe.
bool is_card(const Gpu& gpu) { return gpu.pcie_generation && gpu.form_factor.rfind("PCIe", 0) == 0; }

/// Both precisions have a peak, and the same: fp16 and bf16 run on the same units.
bool same_units(const Gpu& gpu, std::string_view one, std::string_view other) {
  const auto& peaks = gpu.peak_dense_flops;
  const auto a = peaks.find(std::string(one));
  const auto b = peaks.find(std::string(other));
  return a != peaks.end() && b != peaks.end() && a->second == b->second;
}

/// The best product in the GPU's own file.
std::optional<CatalogRate> own_matmul(const Gpu& gpu, const std::string& word) {
  const auto own = gpu.measured_matmul_flops.find(word);
  if (own == gpu.measured_matmul_flops.end()) return std::nullopt;
  return CatalogRate{.row = nullptr, .field = "measured_matmul_tflops." + word, .value = own->second.base_units()};
}

bool has_peak(const Gpu& gpu, std::string_view precision) {
  return gpu.peak_dense_flops.count(std::string(precision)) > 0;
}

}  // namespace

bool measured_vendor(const Catalog& catalog, const Gpu& gpu) {
  for (const std::string& vendor : catalog.measured_vendors)
    if (vendor == gpu.vendor) return true;
  return false;
}

std::string roofline_alone(const Gpu& gpu) {
  const std::string vendor = gpu.vendor.empty() ? "of this vendor" : "of " + gpu.vendor;
  return "Roofline alone: no kernel, engine or run on a GPU " + vendor + " is measured. The data sheet of " + gpu.name +
         " times the shares that measured GPUs of other vendors reach is used instead; memory follows the "
         "conventions measured there. Use it for comparison, not as a promise.";
}

std::optional<std::string> vendor_caution(const Catalog& catalog, const Gpu& gpu) {
  if (measured_vendor(catalog, gpu)) return std::nullopt;
  if (!has_own_rates(catalog, gpu.id)) return roofline_alone(gpu);
  return "Kernels of " + gpu.name +
         " are measured here, engines and runs on devices of its vendor are not: what engines lose elsewhere is "
         "used instead.";
}

const KernelRate* find_kernel_rate(const Catalog& catalog, std::string_view gpu_id, std::string_view operation,
                                   std::string_view precision, double ranks) {
  const std::uint64_t key = kernel_rate_key(gpu_id, operation, precision);
  const KernelRate* enough = nullptr;
  const KernelRate* largest = nullptr;
  for (const KernelRate& rate : catalog.kernel_rates) {
    if (!is_kernel_rate_of(rate, key, gpu_id, operation, precision)) continue;
    if (rate.ranks >= ranks && (enough == nullptr || rate.ranks < enough->ranks)) enough = &rate;
    if (largest == nullptr || rate.ranks > largest->ranks) largest = &rate;
  }
  return enough != nullptr ? enough : largest;
}

std::string_view rate_precision(std::string_view precision) {
  if (precision == "fp16" || precision == "tf32" || precision == "fp32") return "bf16";
  if (precision == "int8" || precision == "mxfp8" || precision == "fp8-block") return "fp8";
  if (precision == "nvfp4" || precision == "mxfp4") return "fp4";
  return precision;
}

std::string_view streaming_precision(double bits) {
  if (bits > 12) return "bf16";
  return bits > 7 ? "fp8" : "fp4";
}

std::string gemm_precision(const Gpu& gpu, std::string_view wanted) {
  const bool wide = wanted == "bf16" || wanted == "fp16" || wanted == "fp32" || wanted == "tf32";
  if (has_peak(gpu, wanted)) return std::string(wanted);
  if (!wide) return has_peak(gpu, "bf16") ? "bf16" : "";
  if (wanted == "tf32") return has_peak(gpu, "fp32") ? "fp32" : "";
  for (const char* candidate : {"bf16", "fp16", "fp32"})
    if (wanted != "fp32" && has_peak(gpu, candidate)) return candidate;
  return "";
}

std::optional<CatalogRate> measured_gemm(const Catalog& catalog, const Gpu& gpu, std::string_view precision) {
  const std::string row_word(rate_precision(precision));
  if (const KernelRate* row = find_kernel_rate(catalog, gpu.id, "gemm", precision))
    return CatalogRate{.row = row, .field = "", .value = row->typical};
  // A row of another precision of the same peak holds too.
  if (row_word != precision && !same_units(gpu, precision, row_word)) return std::nullopt;
  if (const KernelRate* row = find_kernel_rate(catalog, gpu.id, "gemm", row_word))
    return CatalogRate{.row = row, .field = "", .value = row->typical};
  return own_matmul(gpu, row_word);
}

std::optional<CatalogRate> best_measured_matmul(const Catalog& catalog, const Gpu& gpu, std::string_view precision) {
  auto best = measured_gemm(catalog, gpu, precision);
  if (best && best->row != nullptr) best->value = best->row->high;
  const std::string word(rate_precision(precision));
  const auto own = own_matmul(gpu, word);
  return !own || !same_units(gpu, precision, word) || (best && best->value >= own->value) ? best : own;
}

std::optional<double> reached_share_gemm(const Catalog& catalog, const Gpu& gpu, std::string_view precision) {
  const std::string row_word(rate_precision(precision));
  std::vector<double> same_vendor;
  std::vector<double> all;
  const std::vector<const Gpu*> with_row = gpus_with(catalog, "gemm", row_word);
  for (const Gpu& other : catalog.gpus) {
    if (other.measured_matmul_flops.count(row_word) == 0 &&
        std::find(with_row.begin(), with_row.end(), &other) == with_row.end())
      continue;
    const auto peak = other.peak_dense_flops.find(row_word);
    if (peak == other.peak_dense_flops.end() || !measured_vendor(catalog, other)) continue;
    const auto measured = measured_gemm(catalog, other, row_word);
    if (!measured) continue;
    const double share = measured->value / peak->second.base_units();
    all.push_back(share);
    if (other.vendor == gpu.vendor) same_vendor.push_back(share);
  }
  return median(same_vendor.empty() ? std::move(all) : std::move(same_vendor));
}

std::optional<double> reached_share_attention(const Catalog& catalog) {
  return median_share(catalog, "context-attention", "", [](const Gpu& gpu) {
    const auto peak = gpu.peak_dense_flops.find("bf16");
    return peak == gpu.peak_dense_flops.end() ? 0 : peak->second.base_units();
  });
}

std::optional<double> reached_share_memory(const Catalog& catalog, std::string_view operation,
                                           std::string_view precision) {
  return median_share(catalog, operation, precision,
                      [](const Gpu& gpu) { return gpu.memory_bandwidth ? gpu.memory_bandwidth->base_units() : 0; });
}

std::optional<double> reached_share_link(const Catalog& catalog, std::string_view operation, double ranks) {
  std::vector<double> shares;
  for (const Gpu* gpu : gpus_with(catalog, operation, "any")) {
    if (!has_direct_links(*gpu)) continue;
    if (const KernelRate* row = find_kernel_rate(catalog, gpu->id, operation, "any", ranks))
      shares.push_back(row->typical / gpu->link_bandwidth_one_way->base_units());
  }
  return median(std::move(shares));
}

std::optional<double> reached_share_network(const Catalog& catalog) {
  return median_share(catalog, "network-bus-bandwidth", "", [&](const Gpu& gpu) {
    const System* system = system_with_network(catalog, gpu);
    return system == nullptr
               ? 0
               : system->compute_nic_bandwidth->base_units() * *system->compute_nic_count / system->gpu_count;
  });
}

std::optional<double> median_latency(const Catalog& catalog, std::string_view operation, double ranks) {
  std::vector<double> latencies;
  for (const Gpu* gpu : gpus_with(catalog, operation, "any"))
    if (const KernelRate* row = find_kernel_rate(catalog, gpu->id, operation, "any", ranks))
      latencies.push_back(row->typical);
  return median(std::move(latencies));
}

double node_gpus(const Catalog& catalog, const Gpu& gpu) {
  double most = has_direct_links(gpu) ? gpu.link_domain_gpus.value_or(1) : 1;
  for (const System& system : catalog.systems)
    if (holds_gpu(system, gpu.id)) most = std::max(most, system.gpu_count);
  for (const KernelRate& rate : catalog.kernel_rates)
    if (rate.gpu_id == gpu.id && rate.operation == "all-reduce-bus-bandwidth") most = std::max(most, rate.ranks);
  while (pcie_rate(catalog, gpu, "all-reduce-bus-bandwidth", most + 1) != nullptr)
    most = pcie_rate(catalog, gpu, "all-reduce-bus-bandwidth", most + 1)->ranks;
  return most;
}

double node_gpus(const Catalog& catalog, const Gpu& gpu, const System* system) {
  return system != nullptr && system->gpu_count > 0 ? system->gpu_count : node_gpus(catalog, gpu);
}

const System* system_with_network(const Catalog& catalog, const Gpu& gpu) {
  for (const System& system : catalog.systems) {
    if (!system.compute_nic_bandwidth || !system.compute_nic_count || system.gpu_count <= 0) continue;
    if (holds_gpu(system, gpu.id)) return &system;
  }
  return nullptr;
}

const KernelRate* pcie_rate(const Catalog& catalog, const Gpu& gpu, std::string_view operation, double ranks) {
  if (!is_card(gpu)) return nullptr;
  const std::vector<const Gpu*> with_row = gpus_with(catalog, operation, "any");
  for (const Gpu& other : catalog.gpus) {
    if (std::find(with_row.begin(), with_row.end(), &other) == with_row.end()) continue;
    if (has_direct_links(other) || other.vendor != gpu.vendor || other.pcie_generation != gpu.pcie_generation) continue;
    const KernelRate* row = find_kernel_rate(catalog, other.id, operation, "any", ranks);
    if (row != nullptr && row->ranks >= ranks) return row;
  }
  return nullptr;
}

void add_format_ways_out(const Gpu& gpu, std::string_view key, std::vector<Infeasible>& reasons) {
  for (Infeasible& reason : reasons) {
    if (reason.code != "format-not-supported" || !reason.ways_out.empty()) continue;
    for (const char* precision : {"bf16", "fp16"})
      if (gpu.peak_dense_flops.count(precision) > 0) reason.ways_out.emplace_back(key, precision);
    if (reason.ways_out.empty() && gpu.peak_dense_flops.count("fp32") > 0) reason.ways_out.emplace_back(key, "fp32");
  }
}

const KernelRate* host_link_rate(const Catalog& catalog, const Gpu& gpu) {
  if (const KernelRate* own = find_kernel_rate(catalog, gpu.id, "host-link", "any")) return own;
  if (!gpu.pcie_generation || gpu.form_factor == "Superchip") return nullptr;
  for (const Gpu& other : catalog.gpus) {
    if (other.pcie_generation != gpu.pcie_generation || other.form_factor == "Superchip") continue;
    if (const KernelRate* row = find_kernel_rate(catalog, other.id, "host-link", "any")) return row;
  }
  return nullptr;
}

}  // namespace podwright
