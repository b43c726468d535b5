#pragma once
/// A probe run on one host: chooses the backend, plans the cases, has workers measure them group by group, and keeps
/// the profile. docs/operator.md.

#include <string>

#include "measure/profile.h"
#include "probes/run_options.h"

namespace podwright::probes {

/// Never throws and always returns a profile that holds what was measured.
RunOutcome run_probes(const RunOptions& options);

/// Writes the profile beside its place and moves it there. False when that fails.
bool write_profile(const HardwareProfile& profile, const std::string& path);

}  // namespace podwright::probes
