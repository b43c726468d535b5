#pragma once
/// What counters, events and checks of a run say of its devices and its host. docs/method/probes.md#health.
#include <string>
#include <vector>

#include "base/message.h"
#include "measure/profile.h"

namespace podwright {

enum class HealthGravity {
  warning,    ///< the device continues; whoever runs it should know
  failed,     ///< data may have been wrong, or the device needs a reset or a replacement
  own_fault,  ///< a class of error that a program causes: ours, while it measured
};

struct HealthFinding {
  std::string device;  ///< or "host", or the port of a card
  HealthGravity gravity = HealthGravity::warning;
  std::string message;                 ///< one sentence with the counter and its rate
  Message says = as_written("");       ///< the same in a few words
  const HealthCheck* check = nullptr;  ///< of the profile, where a check found it
};

/// One finding for each counter that rose, for rows that wait for a reset, for each Xid, and for each check that warns
/// or failed. Other events are none, and so are checks of parts that are absent or cannot be read.
std::vector<HealthFinding> health_findings(const HardwareProfile& profile);

/// Is the program that ran the usual cause of this Xid?
bool is_of_programs(int xid);

/// ok, fault (4) or internal_error (5): what one finding alone makes of the exit code.
ProbeExit exit_of(HealthGravity gravity);

}  // namespace podwright
