#pragma once
/// Which item of the catalog a measured device is.
#include <string>

#include "catalog/catalog.h"
#include "measure/profile.h"

namespace podwright {

/// The catalog's item that a driver's device name and memory mean.
struct DeviceKey {
  std::string key;  ///< empty where none fits
  KeyMatch match = KeyMatch::none;
};
DeviceKey device_key(const Catalog& catalog, const std::string& driver_name, double memory_bytes);

/// Imported devices are matched by name and memory, as measured ones are. Those that have a key keep it.
void match_devices(const Catalog& catalog, HardwareProfile& profile);

}  // namespace podwright
