#include "probes/backends.h"

#include <algorithm>
#include <cstring>

#include "probes/gpu_program.h"

namespace podwright::probes {

std::string message_of(const std::string& reason, const std::string& detail) {
  return reason.find(':') == std::string::npos ? detail : reason + ": " + detail;
}

void set_fault(PwFault& fault, const std::string& reason, const std::string& detail) {
  const auto set = [](auto& to, const std::string& from) {
    const std::size_t length = std::min(from.size(), sizeof to - 1);
    std::memcpy(to, from.data(), length);
    to[length] = '\0';
  };
  set(fault.reason, reason);
  set(fault.detail, detail);
}

#ifdef PODWRIGHT_CUDA
namespace cuda {
const PwBackend* backend();
}

bool holds_cuda() { return true; }
const PwBackend* cuda_backend(PwFault&) { return cuda::backend(); }
#else
bool holds_cuda() { return false; }
const PwBackend* cuda_backend(PwFault& fault) {
  set_fault(fault, "cuda_missing", gpu_program().problem);
  return nullptr;
}
#endif

}  // namespace podwright::probes
