#pragma once
/// One verdict for each device of a profile: what is wrong with it, and what to do next. docs/operator.md#verdicts.
#include <optional>
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

/// A step in one line: "Reset it. Next: nvidia-smi --gpu-reset -i 3".
std::string step_text(const DeviceStep& step);

/// Whether anything says how a device is. A profile of which that is false passes for no healthy machine.
bool any_judged(const std::vector<DeviceVerdict>& verdicts);

/// How many GPUs were not judged, or that they are scripted; absent where all were.
std::optional<Message> unjudged_gpus(const std::vector<DeviceVerdict>& verdicts, const HardwareProfile& profile);

/// How many GPUs need what; that nothing was judged, where nothing was.
Message machine_summary(const std::vector<DeviceVerdict>& verdicts, const HardwareProfile& profile);

}  // namespace podwright
