#include "probes/cuda/checked.h"

#include <cstdlib>

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
    case 226:  // contained: the process can continue with nothing
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

double Event::seconds_since(const Event& start, Checked& checked) const {
  float milliseconds = 0;
  checked(cudaEventElapsedTime(&milliseconds, start, *this), "cudaEventElapsedTime");
  return checked.good() ? 1e-3 * static_cast<double>(milliseconds) : 0;
}

bool Graph::end(cudaStream_t stream, Checked& checked) {
  Owned<cudaGraph_t, cudaGraphDestroy> captured;
  const cudaError_t ended = cudaStreamEndCapture(stream, captured.fresh());
  // Uploaded here: else the first launch would do it, in the time that is measured.
  return checked(ended, "cudaStreamEndCapture") &&
         checked(cudaGraphInstantiate(ready_.fresh(), captured, 0), "cudaGraphInstantiate") &&
         checked(cudaGraphUpload(ready_, stream), "cudaGraphUpload");
}

bool Memory::allocate(std::size_t bytes, Checked& checked) {
  free();
  if (!checked.good()) return false;
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

bool HostMemory::allocate(std::size_t bytes, bool pinned, Checked& checked) {
  pinned_ = pinned;
  if (pinned)
    return checked(cudaHostAlloc(&memory_, bytes, cudaHostAllocMapped | cudaHostAllocPortable), "cudaHostAlloc");
  memory_ = std::malloc(bytes);
  if (memory_ == nullptr) {
    checked.fail(PW_SKIP, "oom", "the host refuses the memory");
    return false;
  }
  std::memset(memory_, 0, bytes);  // pages are there before the first copy
  return true;
}

HostMemory::~HostMemory() {
  if (memory_ != nullptr && pinned_) cudaFreeHost(memory_);
  if (memory_ != nullptr && !pinned_) std::free(memory_);
}

bool read_back(void* to, const void* from, std::size_t bytes, cudaStream_t stream, Checked& checked) {
  return checked(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpy") &&
         checked(cudaStreamSynchronize(stream), "cudaMemcpy");
}

void poison(void* to, std::size_t bytes, cudaStream_t stream, Checked& checked) {
  checked(cudaMemsetAsync(to, 0xff, bytes, stream), "poison");
}

}  // namespace podwright::probes::cuda
