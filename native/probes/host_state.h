#pragma once
/// Reads the state of a host that health checks judge, from sysfs, procfs and the kernel's log below `root`.
/// docs/operator.md#health-checks.
#include <string>

#include "measure/health_reading.h"

namespace podwright::probes {

/// All but rates. Asked before a run, so that errors of the run are not taken for older ones.
HostReading host_state(const std::string& root);
/// The ports' counters of errors once more, after the run.
void read_errors_after(const std::string& root, HostReading& host);

}  // namespace podwright::probes
