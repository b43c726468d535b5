#pragma once
/// Looks up functions of NVML, for the files that ask them.
#include <dlfcn.h>

#include "probes/cuda/nvml.h"

namespace podwright::probes::cuda {

// All functions return 0 on success, and 3 where a device has no such thing.
constexpr int kNvmlSuccess = 0;
constexpr unsigned kMostNvlinks = 18;

template <class Function>
Function Nvml::function(const char* name) {
  return library_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library_, name));
}

}  // namespace podwright::probes::cuda
