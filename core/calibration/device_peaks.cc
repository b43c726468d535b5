#include "calibration/device_peaks.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "calibration/usable_points.h"
#include "catalog/compute_capability.h"
#include "perf/ceilings.h"

namespace podwright {
namespace {

/// Types of probes, with the words of data sheets for them.
constexpr std::array<std::string_view, 3> kBlockTypes = {"fp8-block", "mxfp8", "nvfp4"};
constexpr std::string_view kSustained = "sustained-factor";

/// Ends of the median's interval; of too few samples the fastest and the slowest twentieth.
double low_of(const ProbeResult& result) { return result.time_s->lo95.value_or(result.time_s->min); }
double high_of(const ProbeResult& result) { return result.time_s->hi95.value_or(result.time_s->p95); }

SustainedProducts measured_factor(const ProbeResult& slow, const ProbeResult& fast) {
  return {.factor = std::max(1.0, slow.time_s->median / fast.time_s->median),
          .low = std::max(1.0, low_of(slow) / high_of(fast)),
          .high = std::max(1.0, high_of(slow) / low_of(fast)),
          .source = "",
          .measured = true};
}

}  // namespace

DevicePeaks catalog_peaks(const Catalog& catalog, const Gpu& gpu) {
  DevicePeaks peaks;
  peaks.gpu = gpu.id;
  peaks.bandwidth = gpu.memory_bandwidth;
  for (const auto& [dtype, flops] : gpu.peak_dense_flops) peaks.flops[dtype] = flops;
  for (const std::string_view dtype : kBlockTypes)
    if (const auto flops = product_peak(gpu, dtype)) peaks.flops.emplace(dtype, *flops);
  for (const auto& [dtype, flops] : peaks.flops) {
    const KernelRate* row = find_kernel_rate(catalog, gpu.id, kSustained, rate_precision(dtype));
    if (row != nullptr) peaks.sustained[dtype] = {row->typical, row->low, row->high, row->source};
  }
  return peaks;
}

DevicePeaks measured_peaks(const HardwareProfile& profile, const ProfileDevice& device) {
  DevicePeaks peaks;
  for (const ProbeResult* result : results_on(profile, device, is_product_probe))
    if (const auto rate = result->flops_per_s())
      peaks.flops[result->dtype] = std::max(peaks.flops[result->dtype], FlopsPerSecond(*rate));
  for (const ProbeResult* result : results_on(profile, device, is_memory_probe))
    if (const auto rate = result->bytes_per_s())
      peaks.bandwidth = std::max(peaks.bandwidth.value_or(BytesPerSecond(0)), BytesPerSecond(*rate));
  return peaks;
}

std::map<std::string, SustainedProducts> sustained_products(const HardwareProfile& profile, const ProfileDevice& device,
                                                            const DevicePeaks& peaks) {
  const std::vector<const ProbeResult*> products = results_on(profile, device, is_product_probe);
  std::map<std::string, SustainedProducts> factors;
  std::map<std::string, double> most_work;
  for (const ProbeResult* slow : products)
    for (const ProbeResult* fast : products) {
      const bool pair = slow->mode == ProbeMode::sustained && fast->mode == ProbeMode::burst &&
                        fast->probe == slow->probe && fast->dtype == slow->dtype && fast->size == slow->size;
      if (!pair || slow->counted.flops <= most_work[slow->dtype]) continue;
      most_work[slow->dtype] = slow->counted.flops;
      factors[slow->dtype] = measured_factor(*slow, *fast);
    }
  factors.insert(peaks.sustained.begin(), peaks.sustained.end());
  return factors;
}

std::optional<MachinePeaks> product_peaks(const ProfileDevice& device, const DevicePeaks& peaks,
                                          const std::string& dtype) {
  const auto flops = peaks.flops.find(dtype);
  if (flops == peaks.flops.end() || !peaks.bandwidth) return std::nullopt;
  const double capability = capability_number(device.compute_capability);
  const bool waves = capability >= 10 && capability < 11;
  return MachinePeaks{flops->second, *peaks.bandwidth, waves ? device.sm_count.value_or(0) : 0};
}

std::string key_problem(const ProfileDevice& device, const DevicePeaks& peaks) {
  if (peaks.gpu.empty()) return "";
  if (device.key_match == KeyMatch::none || device.key.empty())
    return "the catalog's " + peaks.gpu + " is not known to be this device (" + device.name + ")";
  if (device.key != peaks.gpu) return "the device is " + device.key + ", not " + peaks.gpu;
  return "";
}

}  // namespace podwright
