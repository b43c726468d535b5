#pragma once
/// Rates of the host itself that a run of GPUs takes beside them.
#include <optional>
#include <string>

#include "measure/health_reading.h"

namespace podwright::probes {

/// STREAM's triad on all processors, bytes a second, measured by a worker of `program` in about three seconds. Absent
/// where it cannot be measured or gives a wrong result.
std::optional<double> host_memory_rate(const std::string& program, double seed);

/// Reads a file, or a device, from its beginning: 4 GiB and 20 seconds at most, past the system's cache where that can
/// be.
FileReading read_file_rate(const std::string& path);

}  // namespace podwright::probes
