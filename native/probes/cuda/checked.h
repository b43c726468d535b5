#pragma once
/// Every call of CUDA goes through here: what failed becomes a fault with the reason codes of the runner.
#include <cuda_runtime_api.h>

#include <cstring>
#include <string>

#include "probes/backend.h"

namespace podwright::probes::cuda {

inline void set_fault(PwFault& fault, const char* reason, const std::string& detail) {
  std::strncpy(fault.reason, reason, sizeof fault.reason - 1);
  fault.reason[sizeof fault.reason - 1] = '\0';
  std::strncpy(fault.detail, detail.c_str(), sizeof fault.detail - 1);
  fault.detail[sizeof fault.detail - 1] = '\0';
}

/// Reason and gravity of an error of the runtime.
struct Meaning {
  const char* reason;
  int code;  ///< PW_SKIP, PW_FAULT, PW_STICKY
};
Meaning meaning_of(cudaError_t error);

/// Remembers the first error of a chain of calls.
class Checked {
 public:
  explicit Checked(PwFault& fault) : fault_(fault) {}
  /// False after a failure, also of an earlier call.
  bool operator()(cudaError_t error, const char* call);
  bool good() const { return code_ == PW_OK; }
  int code() const { return code_; }
  void fail(int code, const char* reason, const std::string& detail);

 private:
  PwFault& fault_;
  int code_ = PW_OK;
};

/// Seconds of what `work` puts into the stream, by the device's clock; 0 after a failure.
template <class Work>
double seconds_of_stream(cudaStream_t stream, const char* name, Checked& checked, Work work) {
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  checked(cudaEventCreate(&start), "cudaEventCreate");
  checked(cudaEventCreate(&stop), "cudaEventCreate");
  checked(cudaEventRecord(start, stream), "cudaEventRecord");
  work();
  checked(cudaEventRecord(stop, stream), "cudaEventRecord");
  checked(cudaEventSynchronize(stop), name);
  float milliseconds = 0;
  const bool timed = checked(cudaEventElapsedTime(&milliseconds, start, stop), "cudaEventElapsedTime");
  if (start != nullptr) cudaEventDestroy(start);
  if (stop != nullptr) cudaEventDestroy(stop);
  return timed ? 1e-3 * static_cast<double>(milliseconds) : 0;
}

/// Device memory that is freed with its holder.
class Memory {
 public:
  Memory() = default;
  ~Memory() { free(); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  bool allocate(std::size_t bytes, Checked& checked);
  void free();
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace podwright::probes::cuda
