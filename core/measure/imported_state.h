#pragma once
/// What an import still lacks when its files are joined: the catalog's names of the devices, and verdicts on their
/// state.
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "measure/health_reading.h"
#include "measure/profile.h"

namespace podwright {

/// A person's word on which GPU of the catalog a device is.
struct ChosenGpu {
  std::string device;  ///< id within the profile; empty: all GPUs of it
  std::string gpu;     ///< id of the catalog
};

/// Sets key and key_match. Errors: unknown-id with the path "/<place>/device" or "/<place>/gpu".
Errors choose_gpus(const Catalog& catalog, std::span<const ChosenGpu> chosen, HardwareProfile& profile);

/// Names the devices that have no key yet and makes the health checks of those that were read; `readings` belong to the
/// profile's devices, one for each, or there are none.
void judge_imported(const Catalog& catalog, std::span<const GpuReading> readings, HardwareProfile& profile);

}  // namespace podwright
