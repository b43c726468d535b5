#pragma once
/// Proof that a calibration says what it was not given: a measured result is held back, the machine is calibrated on
/// all others, and its time is predicted. docs/method/probes.md#held-back.
#include <string>
#include <vector>

#include "base/result.h"
#include "calibration/machine_calibration.h"

namespace podwright {

struct HeldBack {
  std::string probe;
  ProbeSize size;
  Seconds measured;  ///< of one layer where the probe chains several
  Seconds predicted;
  Seconds predicted_low;  ///< 90 % interval from points that the fits did not see
  Seconds predicted_high;
  /// predicted / measured - 1
  double relative_error() const { return predicted / measured - 1; }
  bool inside() const { return predicted_low <= measured && measured <= predicted_high; }
};

/// One result of a product or memory probe in burst mode. Errors: "conflict" where it is neither, not usable, or where
/// the fit on the others is refused (with the reason).
Result<HeldBack> predict_held_back(const HardwareProfile& profile, const ProbeResult& held_back,
                                   const ProfileDevice& device, const DevicePeaks& peaks);

/// Of every probe of products and memory of a device, the result in the middle of its sizes; those that cannot be
/// predicted are left out.
std::vector<HeldBack> predict_held_back(const HardwareProfile& profile, const ProfileDevice& device,
                                        const DevicePeaks& peaks);

}  // namespace podwright
