#include "calibration/device_peaks.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "calibration/usable_points.h"
#include "catalog/compute_capability.h"
#include "perf/ceilings.h"

namespace podwright {
namespace {

/// Types of probes, with the words of data sheets for them.
constexpr std::array<std::string_view, 3> kBlockTypes = {"fp8-block", "mxfp8", "nvfp4"};
constexpr std::string_view kSustained = "sustained-factor";

}  // namespace

DevicePeaks catalog_peaks(const Catalog& catalog, const Gpu& gpu) {
  DevicePeaks peaks;
  peaks.gpu = gpu.id;
  peaks.bandwidth = gpu.memory_bandwidth;
  peaks.power_limit = gpu.board_power;
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
