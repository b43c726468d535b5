#pragma once
/// What the operating system tells of this machine. Nothing that names it: no host name, serial number or address.
#include <string>

#include "measure/profile.h"

namespace podwright::probes {

ProfileEnvironment environment_facts();
ProfileHost host_facts();
/// Empty where the file cannot be read.
std::string first_line(const std::string& path);
/// "2026-01-31T12:00:00Z"
std::string utc_now();

}  // namespace podwright::probes
