#pragma once
/// What counters and events of a run say of its devices. docs/method/probes.md#health.
#include <string>
#include <vector>

#include "measure/profile.h"

namespace podwright {

enum class HealthGravity {
  warning,    ///< the device goes on; whoever runs it should know
  failed,     ///< data may have been wrong, or the device needs a reset or a replacement
  own_fault,  ///< a class of error that a program causes: ours, while it measured
};

struct HealthFinding {
  std::string device;
  HealthGravity gravity = HealthGravity::warning;
  std::string message;  ///< one sentence with the counter and its rate
};

/// One finding for each counter that rose, for rows that wait for a reset, and for each Xid. Other events are none.
std::vector<HealthFinding> health_findings(const HardwareProfile& profile);

/// ok, fault (4) or internal_error (5): what one finding alone makes of the exit code.
ProbeExit exit_of(HealthGravity gravity);

}  // namespace podwright
