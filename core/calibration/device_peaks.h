#pragma once
/// What a measured device can reach at most, and what is known of it where its own profile says nothing.
/// docs/method/probes.md#calibration.
#include <map>
#include <optional>
#include <string>

#include "base/units.h"
#include "calibration/product_form.h"
#include "catalog/catalog.h"
#include "measure/profile.h"

namespace podwright {

/// Sustained over burst time of large products, published for a GPU: the range holds 90 %.
struct PublishedSustained {
  double factor = 1;
  double low = 1;
  double high = 1;
  std::string source;  ///< of the catalog
};

/// Peaks of the device by dtype of the products, from the catalog or another stated origin.
struct DevicePeaks {
  std::map<std::string, FlopsPerSecond> flops;
  std::optional<BytesPerSecond> bandwidth;
  std::string gpu;                   ///< id of the catalog's GPU that these are of; empty: the device's own best rates
  std::optional<Watts> power_limit;  ///< of the board
  std::map<std::string, PublishedSustained> sustained;  ///< by dtype
};

/// Of a GPU of the catalog: its data sheet, and what is published of sustained products.
DevicePeaks catalog_peaks(const Catalog& catalog, const Gpu& gpu);

/// For a device that no catalog knows, such as a CPU: the best rates that the profile itself measured, as roofs.
DevicePeaks measured_peaks(const HardwareProfile& profile, const ProfileDevice& device);

/// Of products of one dtype; absent where a peak is not known. Waves of tiles are considered on GPUs of compute
/// capability 10.x whose multiprocessors the profile tells.
std::optional<MachinePeaks> product_peaks(const ProfileDevice& device, const DevicePeaks& peaks,
                                          const std::string& dtype);

/// Why a profile's device cannot be measured against these peaks; empty where it can: shares of another GPU's peaks
/// mean nothing.
std::string key_problem(const ProfileDevice& device, const DevicePeaks& peaks);

}  // namespace podwright
