#pragma once
/// The backends.
#include <string>

#include "probes/backend.h"

namespace podwright::probes {

/// Memory, products and threads of this machine's processors.
const PwBackend* cpu_backend();

/// Scripted devices for tests: what it does is written in the environment variable PODWRIGHT_FAKE, see fake/script.h.
const PwBackend* fake_backend();

/// GPUs; in podwright-gpu, which holds the kernels. Null with the fault cuda_missing in the other programs.
const PwBackend* cuda_backend(PwFault& fault);
/// Is this podwright-gpu?
bool holds_cuda();

/// Sets both texts, cut to what fits.
void set_fault(PwFault& fault, const std::string& reason, const std::string& detail);
/// The sentence for people keeps the code that a reason has no place for: "nccl:5".
std::string message_of(const std::string& reason, const std::string& detail);

}  // namespace podwright::probes
