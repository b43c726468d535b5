#include "calibration/machine_calibration.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "catalog/compute_capability.h"

namespace podwright {
namespace {

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

bool is_on(const ProbeResult& result, const ProfileDevice& device) {
  return std::find(result.devices.begin(), result.devices.end(), device.id) != result.devices.end();
}

/// Products of all zeros are a diagnostic: they toggle no bits and run faster at a power limit.
bool is_product(std::string_view probe) {
  return (starts_with(probe, "gemm.") || starts_with(probe, "cpu.gemm.")) &&
         probe.find(".zeros") == std::string_view::npos;
}
bool is_memory(std::string_view probe) {
  return starts_with(probe, "hbm.") || starts_with(probe, "cpu.stream.") || probe == "decode.weights" ||
         starts_with(probe, "pcie.");
}
bool is_collective(std::string_view probe) { return starts_with(probe, "coll.") || starts_with(probe, "cpu.coll"); }

template <class Keep>
std::vector<const ProbeResult*> results_of(const HardwareProfile& profile, const ProfileDevice& device, Keep keep) {
  std::vector<const ProbeResult*> found;
  for (const ProbeResult& result : profile.results)
    if (result.usable() && is_on(result, device) && keep(result)) found.push_back(&result);
  return found;
}

void calibrate_products(MachineCalibration& calibration, const HardwareProfile& profile, const ProfileDevice& device,
                        const DevicePeaks& peaks) {
  std::map<std::string, std::vector<ProductPoint>> points;
  for (const ProbeResult* result : results_of(
           profile, device, [](const ProbeResult& r) { return is_product(r.probe) && r.mode == ProbeMode::burst; }))
    if (const auto point = product_point(*result)) points[result->dtype].push_back(*point);
  if (points.empty()) calibration.gaps.push_back({"gemm", "no usable result in burst mode"});
  for (const auto& [dtype, of_dtype] : points) {
    const auto of_products = product_peaks(device, peaks, dtype);
    if (!of_products) {
      calibration.gaps.push_back({"gemm." + dtype, "no peak rate of this device is known"});
      continue;
    }
    ProductFit fit = fit_products(of_dtype, *of_products);
    if (fit.refused.empty()) {
      calibration.products.emplace(dtype, std::move(fit));
    } else {
      calibration.gaps.push_back({"gemm." + dtype, fit.refused});
    }
  }
}

/// Sustained over burst time of the shape with the most work that was measured both ways.
void calibrate_sustained(MachineCalibration& calibration, const HardwareProfile& profile, const ProfileDevice& device) {
  std::map<std::string, double> most_work;
  const auto sustained = results_of(
      profile, device, [](const ProbeResult& r) { return is_product(r.probe) && r.mode == ProbeMode::sustained; });
  for (const ProbeResult* slow : sustained) {
    for (const ProbeResult* fast : results_of(profile, device, [&](const ProbeResult& r) {
           return r.probe == slow->probe && r.dtype == slow->dtype && r.mode == ProbeMode::burst &&
                  r.size == slow->size;
         })) {
      if (slow->counted.flops <= most_work[slow->dtype]) continue;
      most_work[slow->dtype] = slow->counted.flops;
      calibration.sustained_factor[slow->dtype] = std::max(1.0, slow->time_s->median / fast->time_s->median);
    }
  }
}

void calibrate_memory(MachineCalibration& calibration, const HardwareProfile& profile, const ProfileDevice& device,
                      const DevicePeaks& peaks) {
  std::map<std::string, std::vector<TransferPoint>> points;
  for (const ProbeResult* result : results_of(profile, device, [](const ProbeResult& r) { return is_memory(r.probe); }))
    if (const auto point = transfer_point(*result)) points[result->probe].push_back(*point);
  if (points.empty()) calibration.gaps.push_back({"memory", "no usable result"});
  if (!peaks.bandwidth && !points.empty())
    calibration.gaps.push_back({"memory", "no peak bandwidth of this device is known"});
  if (!peaks.bandwidth) return;
  for (const auto& [probe, of_probe] : points) {
    TransferFit fit = fit_transfers(of_probe, *peaks.bandwidth);
    if (fit.refused.empty()) {
      calibration.memory.emplace(probe, std::move(fit));
    } else {
      calibration.gaps.push_back({probe, fit.refused});
    }
  }
}

void calibrate_collectives(MachineCalibration& calibration, const HardwareProfile& profile,
                           const ProfileDevice& device) {
  std::map<std::string, std::vector<TransferPoint>> points;
  for (const ProbeResult* result :
       results_of(profile, device, [](const ProbeResult& r) { return is_collective(r.probe); })) {
    if (!result->size.bytes || !result->size.ranks || *result->size.bytes <= 0) continue;
    points[result->probe + "/" + std::to_string(static_cast<int>(*result->size.ranks))].push_back(
        {Bytes(*result->size.bytes), Seconds(result->time_s->median)});
  }
  for (auto& [name, of_name] : points) calibration.collectives.emplace(name, collective_table(std::move(of_name)));
}

std::optional<Seconds> median_time(const HardwareProfile& profile, const ProfileDevice& device,
                                   std::string_view probe) {
  const auto found = usable_results(profile, {.probe = probe, .device = device.id});
  if (found.empty()) return std::nullopt;
  return Seconds(found.front()->time_s->median);
}

}  // namespace

std::optional<ProductPoint> product_point(const ProbeResult& result) {
  const ProbeSize& size = result.size;
  if (!is_product(result.probe) || !result.time_s || !size.m || !size.n || !size.k) return std::nullopt;
  return ProductPoint{{*size.m, *size.n, *size.k, Bytes(result.counted.bytes)}, Seconds(result.time_s->median)};
}

std::optional<TransferPoint> transfer_point(const ProbeResult& result) {
  if (!is_memory(result.probe) || !result.time_s || result.counted.bytes <= 0) return std::nullopt;
  return TransferPoint{Bytes(result.counted.bytes), Seconds(result.time_s->median)};
}

std::optional<MachinePeaks> product_peaks(const ProfileDevice& device, const DevicePeaks& peaks,
                                          const std::string& dtype) {
  const auto flops = peaks.flops.find(dtype);
  if (flops == peaks.flops.end() || !peaks.bandwidth) return std::nullopt;
  const double capability = capability_number(device.compute_capability);
  const bool waves = capability >= 10 && capability < 11;
  return MachinePeaks{flops->second, *peaks.bandwidth, waves ? device.sm_count.value_or(0) : 0};
}

DevicePeaks measured_peaks(const HardwareProfile& profile, const ProfileDevice& device) {
  DevicePeaks peaks;
  for (const ProbeResult* result :
       results_of(profile, device, [](const ProbeResult& r) { return is_product(r.probe); }))
    if (const auto rate = result->flops_per_s())
      peaks.flops[result->dtype] = std::max(peaks.flops[result->dtype], FlopsPerSecond(*rate));
  for (const ProbeResult* result : results_of(profile, device, [](const ProbeResult& r) { return is_memory(r.probe); }))
    if (const auto rate = result->bytes_per_s())
      peaks.bandwidth = std::max(peaks.bandwidth.value_or(BytesPerSecond(0)), BytesPerSecond(*rate));
  return peaks;
}

MachineCalibration calibrate_machine(const HardwareProfile& profile, const ProfileDevice& device,
                                     const DevicePeaks& peaks) {
  MachineCalibration calibration;
  calibration.device = device.id;
  calibrate_products(calibration, profile, device, peaks);
  calibrate_sustained(calibration, profile, device);
  calibrate_memory(calibration, profile, device, peaks);
  calibrate_collectives(calibration, profile, device);
  const std::string prefix = device.kind == "cpu" ? "cpu." : "";
  calibration.launch = median_time(profile, device, prefix + (prefix.empty() ? "launch.stream" : "launch"));
  if (prefix.empty()) calibration.graph_node = median_time(profile, device, "launch.graph");
  if (!calibration.launch) calibration.gaps.push_back({"launch", "no usable result"});
  if (device.memory_allocatable_gib) calibration.allocatable = gib(*device.memory_allocatable_gib);
  return calibration;
}

}  // namespace podwright
