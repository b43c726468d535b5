#pragma once
/// Products of zeros beside the same products of random numbers. Zeros switch few transistors: they run faster only on
/// a device that is held at its limit of power. docs/method/probes.md#verdicts.
#include <vector>

#include "measure/profile.h"

namespace podwright {

/// From this ratio on the difference is no noise.
inline constexpr double kZerosFaster = 1.05;

struct FasterZeros {
  const ProbeResult* zeros = nullptr;   ///< of a probe "<probe>.zeros"
  const ProbeResult* random = nullptr;  ///< of "<probe>" on the same devices, at the same size and mode
  double ratio = 1;                     ///< of their times, above kZerosFaster
};

/// In the order of the profile; usable results of named devices only.
std::vector<FasterZeros> faster_zeros(const HardwareProfile& profile);

}  // namespace podwright
