#pragma once
/// What a measured device can reach at most, and how much longer its products take once the power limit holds the clock
/// down. docs/method/probes.md#calibration.
#include <map>
#include <optional>
#include <string>

#include "base/units.h"
#include "calibration/product_fit.h"
#include "catalog/catalog.h"
#include "measure/profile.h"

namespace podwright {

/// Sustained over burst time of large products.
struct SustainedProducts {
  double factor = 1;  ///< where products fill the step, at least 1
  double low = 1;     ///< 90 % interval of published factors, 95 % intervals of both medians of measured ones
  double high = 1;
  std::string source;  ///< of the catalog, of a published factor
  bool measured = false;
};

/// Peaks of the device by dtype of the products, from the catalog or another stated origin.
struct DevicePeaks {
  std::map<std::string, FlopsPerSecond> flops;
  std::optional<BytesPerSecond> bandwidth;
  std::string gpu;  ///< id of the catalog's GPU that these are of; empty: the device's own best rates
  std::map<std::string, SustainedProducts> sustained;  ///< by dtype, published
};

/// Of a GPU of the catalog: its data sheet, and what is published of sustained products.
DevicePeaks catalog_peaks(const Catalog& catalog, const Gpu& gpu);

/// For a device that no catalog knows, such as a CPU: the best rates that the profile itself measured, as roofs.
DevicePeaks measured_peaks(const HardwareProfile& profile, const ProfileDevice& device);

/// By dtype. From the shape with the most work that was measured both ways; else what is published of this GPU. Dtypes
/// without either are left out. docs/method/probes.md#sustained-products.
std::map<std::string, SustainedProducts> sustained_products(const HardwareProfile& profile, const ProfileDevice& device,
                                                            const DevicePeaks& peaks);

/// Of products of one dtype; absent where a peak is not known. Waves of tiles are considered on GPUs of compute
/// capability 10.x whose multiprocessors the profile tells.
std::optional<MachinePeaks> product_peaks(const ProfileDevice& device, const DevicePeaks& peaks,
                                          const std::string& dtype);

/// Why a profile's device cannot be measured against these peaks; empty where it can: shares of another GPU's peaks
/// mean nothing.
std::string key_problem(const ProfileDevice& device, const DevicePeaks& peaks);

}  // namespace podwright
