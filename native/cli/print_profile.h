#pragma once
/// What a profile tells, for people.
#include <string>

#include "measure/profile.h"

namespace podwright::cli {

/// Devices, one line for each result with its interval, what was left out and why.
std::string profile_summary(const HardwareProfile& profile);

}  // namespace podwright::cli
