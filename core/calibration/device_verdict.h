#pragma once
/// One verdict for each device of a profile: what is wrong with it, and what to do next. docs/operator.md#verdicts.
#include <string>
#include <vector>

#include "calibration/profile_verdict.h"

namespace podwright {

/// A device that is slower than its peers in a probe.
struct Straggler {
  std::string device;
  std::string probe;
};

/// The gravest first. Collectives, networks and services are of the machine as a whole, which has a verdict where
/// something of it was judged.
std::vector<DeviceVerdict> device_verdicts(const HardwareProfile& profile, const ProfileJudgement& judgement,
                                           const std::vector<Straggler>& stragglers);

/// How many GPUs need what; that nothing was judged, where nothing was.
Message machine_summary(const std::vector<DeviceVerdict>& verdicts, const HardwareProfile& profile);

}  // namespace podwright
