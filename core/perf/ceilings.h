#pragma once
/// What the kernels of one GPU reach, and what its links carry: measured where a table has it, else the data sheet's
/// peak times the share that measured GPUs reach (an estimate, and told as one). Absent where neither exists. Page:
/// docs/method/roofline.md. Of measured machines the rates are the catalog's times what the machine reached against the
/// reference machine of its GPU in the same probe, so that healthy hardware leaves plans as they are:
/// docs/method/probes.md#plans.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/infeasible.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/catalog.h"
#include "catalog/gpu.h"
#include "catalog/kernel_rate.h"
#include "perf/host_kernels.h"
#include "perf/roofline.h"

namespace podwright {

/// `value`, that of the row's `field` ("typical", "high"), traced to the catalog, the machine and its reference.
template <class Tracer, class Rate>
Known<Tracer, Rate> known_rate(Tracer& trace, const KernelRate& row, std::string_view field, Rate value) {
  if (!row.relative) return trace.fact(row, field, value);
  const RelativeRate& from = *row.relative;
  const auto catalog =
      trace.fact(from.catalog, field, Rate(field == "high" ? from.catalog.high : from.catalog.typical));
  const auto ratio = named("perf.rate_ratio", cited("docs/method/probes.md#plans",
                                                    trace.fact(from.host, "rate", Rate(from.host_rate)) /
                                                        trace.fact(from.reference, "rate", Rate(from.reference_rate))));
  return named("perf.calibrated_rate", catalog * ratio);
}

inline constexpr std::string_view kEstimatedCeilingPage = "docs/method/roofline.md#gpus-without-measured-kernels";
inline constexpr std::string_view kLinkPage = "docs/method/roofline.md#links";

/// A measured figure: a row of kernel_rates.csv or the best matrix product in the GPU's own file.
struct CatalogRate {
  const KernelRate* row = nullptr;
  std::string field;  ///< of the GPU, where `row` is null
  double value = 0;   ///< base units
};

/// False where neither kernels nor runs of any GPU of its vendor are measured: what is told of it is a roofline alone,
/// from its data sheet and the shares that GPUs of measured vendors reach, with the widest interval.
bool measured_vendor(const Catalog& catalog, const Gpu& gpu);
/// What an answer says of such a GPU.
std::string roofline_alone(const Gpu& gpu);
/// The same as far as it applies: with probes of the machine itself only engines and runs are not measured. Absent for
/// measured vendors.
std::optional<std::string> vendor_caution(const Catalog& catalog, const Gpu& gpu);

/// Smallest number of ranks that is at least `ranks`, else the largest; null where the GPU has no row.
const KernelRate* find_kernel_rate(const Catalog& catalog, std::string_view gpu_id, std::string_view operation,
                                   std::string_view precision, double ranks = 1);
std::optional<CatalogRate> measured_gemm(const Catalog& catalog, const Gpu& gpu, std::string_view precision);
/// The best measured matrix product of a precision; absent where none is.
std::optional<CatalogRate> best_measured_matmul(const Catalog& catalog, const Gpu& gpu, std::string_view precision);

/// Precision of the matrix products on this GPU for weights whose kernels want `wanted` (bf16, fp16, fp8, int8, fp4,
/// ...): 8- and 4-bit products that the GPU lacks run in 16 bit (weights-only), 16 bit is bf16, else fp16, else fp32.
/// Empty where it cannot run.
std::string gemm_precision(const Gpu& gpu, std::string_view wanted);
/// Row word of a precision: fp16, tf32 and fp32 share the rows of bf16, int8 and the mx formats those of fp8, nvfp4
/// that of fp4.
std::string_view rate_precision(std::string_view precision);
/// Row word for reading weights or KV of this width.
std::string_view streaming_precision(double bits);

/// Median share of the data sheet's peak that GPUs of the same vendor reach, where that is not measured those of
/// measured vendors.
std::optional<double> reached_share_gemm(const Catalog& catalog, const Gpu& gpu, std::string_view precision);
std::optional<double> reached_share_attention(const Catalog& catalog);
std::optional<double> reached_share_memory(const Catalog& catalog, std::string_view operation,
                                           std::string_view precision);
std::optional<double> reached_share_link(const Catalog& catalog, std::string_view operation, double ranks);
std::optional<double> reached_share_network(const Catalog& catalog);
/// Median start-up time of a collective over GPUs that have a row.
std::optional<double> median_latency(const Catalog& catalog, std::string_view operation, double ranks);

/// GPUs that reach each other without the network: the largest system that holds this GPU, its link domain, or the
/// largest group measured (for a PCIe card also on a card of the same generation).
double node_gpus(const Catalog& catalog, const Gpu& gpu);
/// Those of `system` where there is one.
double node_gpus(const Catalog& catalog, const Gpu& gpu, const System* system);
/// A system that holds this GPU and whose NIC rate is known; null where none.
const System* system_with_network(const Catalog& catalog, const Gpu& gpu);
/// Row of a card without direct links and of the same vendor and PCIe generation, over at least `ranks`; null where
/// none or where `gpu` is no card.
const KernelRate* pcie_rate(const Catalog& catalog, const Gpu& gpu, std::string_view operation, double ranks);

/// Matrix products of `precision` (as gemm_precision gives it).
template <class Tracer>
std::optional<Known<Tracer, FlopsPerSecond>> gemm_ceiling(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                          const std::string& precision,
                                                          std::vector<std::string>& assumptions) {
  const auto measured = measured_gemm(catalog, gpu, precision);
  const auto peak = gpu.peak_dense_flops.find(precision);
  const bool known_vendor = measured_vendor(catalog, gpu) || has_own_rates(catalog, gpu.id);
  const auto share = measured && known_vendor ? std::optional<double>() : reached_share_gemm(catalog, gpu, precision);
  // The best product of a vendor that is not measured otherwise is what a step may reach at most, not what it does.
  const bool below_share =
      measured && share && peak != gpu.peak_dense_flops.end() && measured->value < *share * raw(peak->second);
  if (measured && (known_vendor || below_share)) {
    const FlopsPerSecond rate(measured->value);
    if (measured->row != nullptr) return known_rate(trace, *measured->row, "typical", rate);
    return trace.fact(gpu, measured->field, rate);
  }
  if (peak == gpu.peak_dense_flops.end() || !share) return std::nullopt;
  assumptions.push_back((measured ? "One best " : "No measured ") + precision + " matrix product of " + gpu.name +
                        (measured ? " is measured" : "") + ": peak times the median share that measured GPUs reach.");
  const auto known_peak = trace.fact(gpu, "peak_dense_tflops." + precision, peak->second);
  const auto known_share = trace.method("perf.reached_share_gemm", *share, kEstimatedCeilingPage);
  return named("perf.gemm_ceiling", estimated_ceiling(known_peak, known_share));
}

/// The best matrix product that anybody measured, above which nothing runs; absent where none is.
template <class Tracer>
std::optional<Known<Tracer, FlopsPerSecond>> best_products(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                           std::string_view precision) {
  const auto measured = best_measured_matmul(catalog, gpu, precision);
  if (!measured) return std::nullopt;
  const FlopsPerSecond rate(measured->value);
  return measured->row != nullptr ? known_rate(trace, *measured->row, "high", rate)
                                  : trace.fact(gpu, measured->field, rate);
}

/// Prefill and training attention (16 bit).
template <class Tracer>
std::optional<Known<Tracer, FlopsPerSecond>> attention_ceiling(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                               std::vector<std::string>& assumptions) {
  if (const KernelRate* row = find_kernel_rate(catalog, gpu.id, "context-attention", "bf16"))
    return known_rate(trace, *row, "typical", FlopsPerSecond(row->typical));
  const std::string precision = gemm_precision(gpu, "bf16");
  const auto peak = gpu.peak_dense_flops.find(precision);
  const auto share = reached_share_attention(catalog);
  if (peak == gpu.peak_dense_flops.end() || !share) return std::nullopt;
  assumptions.push_back("No measured attention kernel of " + gpu.name +
                        ": peak times the median share that measured GPUs reach.");
  const auto known_peak = trace.fact(gpu, "peak_dense_tflops." + precision, peak->second);
  const auto known_share = trace.method("perf.reached_share_attention", *share, kEstimatedCeilingPage);
  return named("perf.attention_ceiling", estimated_ceiling(known_peak, known_share));
}

/// `operation` is weight-streaming or kv-reading, `precision` as streaming_precision gives it.
template <class Tracer>
std::optional<Known<Tracer, BytesPerSecond>> memory_ceiling(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                            std::string_view operation, std::string_view precision,
                                                            std::vector<std::string>& assumptions) {
  if (const KernelRate* row = find_kernel_rate(catalog, gpu.id, operation, precision))
    return known_rate(trace, *row, "typical", BytesPerSecond(row->typical));
  const auto share = reached_share_memory(catalog, operation, precision);
  if (!gpu.memory_bandwidth || !share) return std::nullopt;
  assumptions.push_back("No measured " + std::string(operation) + " (" + std::string(precision) + ") of " + gpu.name +
                        ": memory bandwidth times the median share that measured GPUs reach.");
  const auto peak = trace.fact(gpu, "memory_bandwidth_gb_per_s", *gpu.memory_bandwidth);
  const auto known_share = trace.method("perf.reached_share_memory", *share, kEstimatedCeilingPage);
  return named("perf.memory_ceiling", estimated_ceiling(peak, known_share));
}

/// Bus bandwidth of a collective over `ranks` GPUs of one node.
template <class Tracer>
std::optional<Known<Tracer, BytesPerSecond>> node_ceiling(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                          std::string_view operation, double ranks,
                                                          std::vector<std::string>& assumptions) {
  const double domain = gpu.link_bandwidth_one_way ? gpu.link_domain_gpus.value_or(0) : 0;
  const KernelRate* row = find_kernel_rate(catalog, gpu.id, operation, "any", ranks);
  if (row != nullptr && ranks <= std::max(domain, row->ranks))
    return known_rate(trace, *row, "typical", BytesPerSecond(row->typical));
  if (ranks <= domain) {
    const auto share = reached_share_link(catalog, operation, ranks);
    if (!share) return std::nullopt;
    assumptions.push_back("No measured " + std::string(operation) + " of " + gpu.name +
                          ": link bandwidth times the median share that measured GPUs reach.");
    const auto peak = trace.fact(gpu, "link.gb_per_s_one_way", *gpu.link_bandwidth_one_way);
    const auto known_share = trace.method("perf.reached_share_link", *share, kLinkPage);
    return named("perf.link_ceiling", estimated_ceiling(peak, known_share));
  }
  row = pcie_rate(catalog, gpu, operation, ranks);
  if (row == nullptr) return std::nullopt;
  assumptions.push_back("No measured " + std::string(operation) + " of " + gpu.name + " over " +
                        std::to_string(static_cast<int>(ranks)) + " GPUs: that of " + row->gpu_id +
                        ", which has the same PCIe generation and no direct links.");
  return known_rate(trace, *row, "typical", BytesPerSecond(row->typical));
}

/// Start-up time of a collective over `ranks` GPUs of one node: the GPU's own row, else the median of those that have
/// one.
template <class Tracer>
std::optional<Known<Tracer, Seconds>> start_up_time(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                    std::string_view operation, double ranks,
                                                    std::vector<std::string>& assumptions) {
  if (const KernelRate* row = find_kernel_rate(catalog, gpu.id, operation, "any", ranks))
    return known_rate(trace, *row, "typical", Seconds(row->typical));
  const auto latency = median_latency(catalog, operation, ranks);
  if (!latency) return std::nullopt;
  assumptions.push_back("No measured start-up time of a collective on " + gpu.name +
                        ": median of the GPUs that have one.");
  return trace.method("perf.start_up_time", Seconds(*latency), kLinkPage);
}

/// Per GPU across nodes: NIC line rate times the share that measured clusters reach.
template <class Tracer>
std::optional<Known<Tracer, BytesPerSecond>> network_ceiling(Tracer& trace, const Catalog& catalog,
                                                             const System& system) {
  const auto share = reached_share_network(catalog);
  if (!system.compute_nic_bandwidth || !system.compute_nic_count || system.gpu_count <= 0 || !share)
    return std::nullopt;
  const auto line_rate = trace.fact(system, "compute_nic_gbit_per_s", *system.compute_nic_bandwidth);
  const auto nics = trace.fact(system, "compute_nic_count", *system.compute_nic_count);
  const auto gpus = trace.fact(system, "gpu_count", system.gpu_count);
  const auto known_share = trace.method("perf.reached_share_network", *share, kLinkPage);
  return named("perf.network_ceiling", network_bandwidth_per_gpu(line_rate, nics, gpus, known_share));
}

/// Adds patches of the key ("precision", "weight_precision") to reasons of code format-not-supported that have none.
void add_format_ways_out(const Gpu& gpu, std::string_view key, std::vector<Infeasible>& reasons);

/// Row of the GPU itself, else of another GPU with the same PCIe generation; null where neither is measured. Chips that
/// share a package with their processor have no PCIe between them, so only their own rows count.
const KernelRate* host_link_rate(const Catalog& catalog, const Gpu& gpu);

/// Bandwidth of one direction. A row of another GPU is given in `assumptions`.
template <class Tracer>
std::optional<Known<Tracer, BytesPerSecond>> host_link(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                       std::vector<std::string>& assumptions) {
  const KernelRate* row = host_link_rate(catalog, gpu);
  if (row == nullptr) return std::nullopt;
  if (row->gpu_id != gpu.id)
    assumptions.push_back("The link between " + gpu.name + " and its host carries what was measured on " + row->gpu_id +
                          ", of the same PCIe generation.");
  return known_rate(trace, *row, "typical", BytesPerSecond(row->typical));
}

}  // namespace podwright
