#pragma once
/// What the operating system tells of this machine, and rates of the host that a run of GPUs takes beside them.
#include <optional>
#include <string>

#include "measure/health_reading.h"
#include "measure/profile.h"

namespace podwright::probes {

/// Nothing that names the machine: no host name, serial number or address.
ProfileEnvironment environment_facts();
ProfileHost host_facts();
/// Empty where the file cannot be read.
std::string first_line(const std::string& path);
/// "2026-01-31T12:00:00Z"
std::string utc_now();

/// The state that health checks judge, from sysfs, procfs and the kernel's log below `root`: all but rates. Asked
/// before a run, so that errors of the run are not taken for older ones. docs/operator.md#health-checks.
HostReading host_state(const std::string& root);
/// The ports' counters of errors once more, after the run.
void read_errors_after(const std::string& root, HostReading& host);

/// STREAM's triad on all processors, bytes a second, measured by a worker of `program` in about three seconds. Absent
/// where it cannot be measured or gives a wrong result.
std::optional<double> host_memory_rate(const std::string& program, double seed);

/// Reads a file, or a device, from its beginning: 4 GiB and 20 seconds at most, past the system's cache where that can
/// be.
FileReading read_file_rate(const std::string& path);

}  // namespace podwright::probes
