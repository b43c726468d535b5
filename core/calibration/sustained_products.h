#pragma once
/// How much longer products take once the power limit holds the clock down. docs/method/probes.md#sustained-products.
#include <map>
#include <optional>
#include <string>

#include "calibration/device_peaks.h"
#include "measure/profile.h"

namespace podwright {

struct SustainedProducts {
  double factor = 1;  ///< sustained over burst time where products fill the step, at least 1
  double low = 1;     ///< 90 % interval of published factors, 95 % intervals of both medians of measured ones
  double high = 1;
  bool measured = false;
  std::string source;                ///< of a published factor
  std::optional<Watts> idle_power;   ///< of the device at rest
  std::optional<Watts> burst_power;  ///< the most that products of this dtype drew
  std::optional<Watts> power_limit;

  /// The factor where tensor cores work for a share `duty` (0..1) of the step; the whole factor where a power is not
  /// known. It belongs to the compute branch alone: memory traffic does not slow down at the limit.
  double at_duty(double duty) const;
};

/// By dtype. From the shape with the most work that was measured both ways; else what is published of this GPU. Dtypes
/// without either are left out.
std::map<std::string, SustainedProducts> sustained_products(const HardwareProfile& profile, const ProfileDevice& device,
                                                            const DevicePeaks& peaks);

}  // namespace podwright
