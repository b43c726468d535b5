#pragma once
/// What a device of a profile is compared with: its data sheet, and what its driver and its links tell.
/// docs/method/probes.md#verdicts.
#include <optional>
#include <string>
#include <string_view>

#include "catalog/catalog.h"
#include "measure/profile.h"

namespace podwright {

struct HostLink {
  double generation = 0;
  double lanes = 16;
  BytesPerSecond bandwidth{0};  ///< one direction, before protocol

  std::string text() const;  ///< "PCIe 5 x16"
};

struct DeviceRoofs {
  const Gpu* gpu = nullptr;  ///< of the catalog; null where it lacks the device
  std::optional<BytesPerSecond> memory_bandwidth;
  std::string memory_bandwidth_name;  ///< "driver's bandwidth" or "datasheet"
  std::optional<Bytes> memory;        ///< that the driver reports
  std::optional<BytesPerSecond> link;
  std::optional<HostLink> host_link;        ///< under load; of imported files the most that device and slot allow
  std::optional<HostLink> host_link_most;   ///< that device and slot allow
  std::optional<HostLink> host_link_sheet;  ///< that the data sheet names, on 16 lanes
  bool host_link_assumed = false;           ///< nothing says which link it is: `host_link` is that of the data sheet
  double compute_share = 1;                 ///< of a slice, of the whole GPU's multiprocessors
  double memory_share = 1;                  ///< of a slice, of the whole GPU's memory slices
  bool slice_known = true;  ///< false: the catalog has no slice of this name, so the shares are not known

  /// Dense rate of products in this dtype of the whole GPU; absent where the catalog has none.
  std::optional<FlopsPerSecond> peak(std::string_view dtype) const;
};

DeviceRoofs roofs_of(const Catalog& catalog, const HardwareProfile& profile, const ProfileDevice& device);

}  // namespace podwright
