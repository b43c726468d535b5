#pragma once
/// Judges what one GPU tells of itself at one moment: errors, heat, clocks, limits, modes, its link to the host.
/// docs/operator.md#health-checks.
#include <vector>

#include "measure/health_reading.h"
#include "measure/profile.h"

namespace podwright {

/// What is not told is left out; of a log that was imported, which could have told it, it is `unknown`.
std::vector<HealthCheck> gpu_state_checks(const HardwareProfile& profile, const ProfileDevice& device,
                                          const GpuReading& reading);

/// Its power limit is below its default; false where one of them is not told.
bool power_limit_lowered(const ProfileDevice& device);

}  // namespace podwright
