#include "probes/cuda/checked.h"

namespace podwright::probes::cuda {

Meaning meaning_of(cudaError_t error) {
  switch (static_cast<int>(error)) {
    case 2:
      return {"oom", PW_SKIP};
    case 35: {
      // No driver and a driver that is too old share a number; the version tells them apart.
      int version = 0;
      cudaDriverGetVersion(&version);
      return {version == 0 ? "no_driver" : "driver_too_old", PW_FAULT};
    }
    case 100:
      return {"no_device", PW_FAULT};
    case 46:
      return {"busy_exclusive", PW_FAULT};
    case 209:
      return {"arch_unsupported", PW_FAULT};
    case 802:
      return {"fabric_not_ready", PW_FAULT};
    case 3:
    case 999:
      return {"init_failed", PW_FAULT};
    case 217:
      return {"p2p_off", PW_SKIP};
    case 801:
      return {"not_supported", PW_SKIP};
    case 214:
    case 220:  // NVLink, not corrected
    case 226:  // contained: the process can go on with nothing
    case 700:
    case 702:
    case 710:
    case 714:
    case 715:
    case 716:
    case 717:
    case 718:
    case 719:
      return {"device_fault", PW_STICKY};
    default:
      return {"init_failed", PW_FAULT};
  }
}

bool Checked::operator()(cudaError_t error, const char* call) {
  if (code_ != PW_OK) return false;
  if (error == cudaSuccess) return true;
  const Meaning meaning = meaning_of(error);
  std::string detail =
      std::string(call) + ": error " + std::to_string(static_cast<int>(error)) + ", " + cudaGetErrorString(error);
  if (std::strcmp(meaning.reason, "driver_too_old") == 0) {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    detail += "; the driver supports CUDA " + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10) +
              ", this program needs " + std::to_string(CUDART_VERSION / 1000) + "." +
              std::to_string(CUDART_VERSION % 1000 / 10);
  }
  fail(meaning.code, meaning.reason, detail);
  cudaGetLastError();  // an error that is not sticky is taken back
  return false;
}

void Checked::fail(int code, const char* reason, const std::string& detail) {
  if (code_ != PW_OK) return;
  code_ = code;
  set_fault(fault_, reason, detail);
}

bool Memory::allocate(std::size_t bytes, Checked& checked) {
  free();
  if (!checked(cudaMalloc(&memory_, bytes), "cudaMalloc")) {
    memory_ = nullptr;
    return false;
  }
  bytes_ = bytes;
  return true;
}

void Memory::free() {
  if (memory_ != nullptr) cudaFree(memory_);
  memory_ = nullptr;
  bytes_ = 0;
}

}  // namespace podwright::probes::cuda
