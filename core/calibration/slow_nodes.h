#pragma once
/// Nodes that a run of several nodes found slow, beside the verdicts on single rates.
#include <string>
#include <vector>

#include "calibration/profile_verdict.h"

namespace podwright {

/// One verdict `low` for each event slow_node of the profile, on the device that was slow. Its probe is the one that
/// was slow; the comparison is with the other nodes, so that it has no norm.
std::vector<ProfileVerdict> slow_node_verdicts(const HardwareProfile& profile);

/// One sentence for each event slow_set, which older versions wrote.
std::vector<std::string> slow_node_notes(const HardwareProfile& profile);

}  // namespace podwright
