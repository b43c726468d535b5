#pragma once
/// The backends that are compiled in, and the one that is opened at run time.
#include <string>
#include <vector>

#include "probes/abi.h"

namespace podwright::probes {

/// Memory, products and threads of this machine's processors.
const PwBackend* cpu_backend();

/// Scripted devices for tests: what it does is written in the environment variable PODWRIGHT_FAKE, see fake/script.h.
const PwBackend* fake_backend();

/// The CUDA backend, or null with a fault: plugin_missing when the plugin is absent or of another ABI. The plugin is
/// looked for in PODWRIGHT_CUDA_PLUGIN, then beside the program, then in ../lib/podwright.
const PwBackend* cuda_backend(PwFault& fault);
/// Names of files that were tried, for the message.
std::vector<std::string> plugin_places();

/// A table of the right ABI and size; else a fault that names both numbers.
bool fits(const PwBackend* backend, const std::string& where, PwFault& fault);

/// Sets both texts, cut to what fits.
void set_fault(PwFault& fault, const std::string& reason, const std::string& detail);

}  // namespace podwright::probes
