#include "probes/cuda/checked.h"

#include <algorithm>
#include <iterator>

namespace podwright::probes::cuda {

Meaning meaning_of(cudaError_t error) {
  constexpr struct {
    int error;
    Meaning meaning;
  } kMeanings[] = {{2, {"oom", PW_SKIP}},
                   {46, {"busy_exclusive", PW_FAULT}},
                   {100, {"no_device", PW_FAULT}},
                   {209, {"arch_unsupported", PW_FAULT}},
                   {217, {"p2p_off", PW_SKIP}},
                   {801, {"not_supported", PW_SKIP}},
                   {802, {"fabric_not_ready", PW_FAULT}}};
  // 220: NVLink, not corrected; 226: contained, the process can continue with nothing.
  constexpr int kSticky[] = {214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719};
  const int number = error;
  if (number == 35) {
    // No driver and a driver that is too old share a number; the version tells them apart.
    int version = 0;
    cudaDriverGetVersion(&version);
    return {version == 0 ? "no_driver" : "driver_too_old", PW_FAULT};
  }
  for (const auto& one : kMeanings)
    if (one.error == number) return one.meaning;
  const bool sticky = std::find(std::begin(kSticky), std::end(kSticky), number) != std::end(kSticky);
  return sticky ? Meaning{"device_fault", PW_STICKY} : Meaning{"init_failed", PW_FAULT};
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
  memory_.reset();
  bytes_ = 0;
  if (!checked.good() || !checked(cudaMalloc(memory_.fresh(), bytes), "cudaMalloc")) return false;
  bytes_ = bytes;
  return true;
}

bool HostMemory::allocate(std::size_t bytes, bool pinned, Checked& checked) {
  if (pinned)
    return checked(cudaHostAlloc(pinned_.fresh(), bytes, cudaHostAllocMapped | cudaHostAllocPortable), "cudaHostAlloc");
  plain_.reset(std::malloc(bytes));
  if (plain_ == nullptr) {
    checked.fail(PW_SKIP, "oom", "the host refuses the memory");
    return false;
  }
  std::memset(plain_.get(), 0, bytes);  // pages are there before the first copy
  return true;
}

bool read_back(void* to, const void* from, std::size_t bytes, cudaStream_t stream, Checked& checked) {
  return checked(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpy") &&
         checked(cudaStreamSynchronize(stream), "cudaMemcpy");
}

void poison(void* to, std::size_t bytes, cudaStream_t stream, Checked& checked) {
  checked(cudaMemsetAsync(to, 0xff, bytes, stream), "poison");
}

}  // namespace podwright::probes::cuda
