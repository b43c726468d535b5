#include "calibration/device_roofs.h"

#include "base/number_text.h"
#include "calibration/machine_formulas.h"
#include "perf/step_arithmetic.h"

namespace podwright {
namespace {

std::optional<HostLink> host_link(const std::optional<double>& generation, const std::optional<double>& lanes) {
  if (!generation || !lanes || *lanes <= 0) return std::nullopt;
  HostLink link;
  link.generation = *generation;
  link.lanes = *lanes;
  link.bandwidth = host_link_bandwidth(pcie_bandwidth(*generation), *lanes);
  return link;
}

void take_slice(const Catalog& catalog, const ProfileDevice& device, DeviceRoofs& roofs) {
  if (device.mig_slice.empty()) return;
  roofs.slice_known = false;
  for (const MigProfile* slice : mig_profiles_of(catalog.mig_profiles, roofs.gpu->id)) {
    if (device.mig_slice.find(slice->name) == std::string::npos) continue;
    roofs.slice_known = true;
    roofs.compute_share = slice->compute_slices / slice->gpu_compute_slices;
    roofs.memory_share = slice->memory_slices / slice->gpu_memory_slices;
    return;
  }
}

}  // namespace

std::string HostLink::text() const { return "PCIe " + shortest_number(generation) + " x" + shortest_number(lanes); }

std::optional<FlopsPerSecond> DeviceRoofs::peak(std::string_view dtype) const {
  return gpu == nullptr ? std::nullopt : product_peak(*gpu, dtype);
}

DeviceRoofs roofs_of(const Catalog& catalog, const HardwareProfile& profile, const ProfileDevice& device) {
  DeviceRoofs roofs;
  if (device.key.empty()) return roofs;
  const auto gpu = find_gpu(catalog, device.key);
  if (!gpu) return roofs;
  roofs.gpu = *gpu;
  if (device.driver_bytes_per_s) {
    roofs.memory_bandwidth = BytesPerSecond(*device.driver_bytes_per_s);
    roofs.memory_bandwidth_name = "bandwidth of bus and clock";
  } else if (roofs.gpu->memory_bandwidth) {
    roofs.memory_bandwidth = roofs.gpu->memory_bandwidth;
    roofs.memory_bandwidth_name = "datasheet";
  }
  if (device.memory_total_gib) roofs.memory = gib(*device.memory_total_gib);
  if (roofs.gpu->link_bandwidth_one_way && raw(*roofs.gpu->link_bandwidth_one_way) > 0)
    roofs.link = roofs.gpu->link_bandwidth_one_way;
  roofs.host_link_most = host_link(device.pcie_generation_max, device.pcie_width_max);
  // An idle link trains down, and imported files do not tell the link under load.
  const bool under_load = profile.run.mode != RunMode::imported;
  roofs.host_link = under_load ? host_link(device.pcie_generation, device.pcie_width) : roofs.host_link_most;
  if (roofs.gpu->form_factor != "Superchip") roofs.host_link_sheet = host_link(roofs.gpu->pcie_generation, 16.0);
  // Files of copies do not say on which link; several of them may have been merged.
  const bool may_be_imported = !under_load || profile.run.mode == RunMode::cluster;
  roofs.host_link_assumed = may_be_imported && !roofs.host_link && !device.pcie_generation && roofs.host_link_sheet;
  if (roofs.host_link_assumed) roofs.host_link = roofs.host_link_sheet;
  take_slice(catalog, device, roofs);
  return roofs;
}

}  // namespace podwright
