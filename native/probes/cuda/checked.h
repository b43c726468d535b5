#pragma once
/// Every call of CUDA goes through here: what failed becomes a fault with the reason codes of the runner.
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "probes/backends.h"

namespace podwright::probes::cuda {

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

/// A thing of the runtime that is destroyed with its holder.
template <class Handle, cudaError_t (*kDestroy)(Handle)>
class Owned {
 public:
  Owned() = default;
  ~Owned() { reset(); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  operator Handle() const { return handle_; }
  void reset() {
    if (handle_ != nullptr) kDestroy(handle_);
    handle_ = nullptr;
  }
  /// Where a call of the runtime puts a new one.
  Handle* fresh() {
    reset();
    return &handle_;
  }

 private:
  Handle handle_ = nullptr;
};

struct Stream : Owned<cudaStream_t, cudaStreamDestroy> {
  bool create(Checked& checked) {
    return checked(cudaStreamCreateWithFlags(fresh(), cudaStreamNonBlocking), "cudaStreamCreate");
  }
};

struct Event : Owned<cudaEvent_t, cudaEventDestroy> {
  /// `timed`: it says when it came.
  bool create(bool timed, Checked& checked) {
    return checked(cudaEventCreateWithFlags(fresh(), timed ? cudaEventDefault : cudaEventDisableTiming),
                   "cudaEventCreate");
  }
  bool record(cudaStream_t stream, Checked& checked) const {
    return checked(cudaEventRecord(*this, stream), "cudaEventRecord");
  }
  /// What is put into the stream from now on waits for it.
  bool hold(cudaStream_t stream, Checked& checked) const {
    return checked(cudaStreamWaitEvent(stream, *this, 0), "cudaStreamWaitEvent");
  }
  /// By the device's clock; 0 after a failure.
  double seconds_since(const Event& start, Checked& checked) const;
};

/// Work of streams that is kept and started as a whole.
class Graph {
 public:
  /// Keeps what `work` puts into the stream, which runs none of it.
  template <class Work>
  bool capture(cudaStream_t stream, Checked& checked, Work work) {
    if (!begin(stream, checked)) return false;
    work();
    return end(stream, checked);
  }
  static bool begin(cudaStream_t stream, Checked& checked) {
    return checked(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  }
  /// Also after a failure since begin(): the stream must not continue capturing.
  bool end(cudaStream_t stream, Checked& checked);
  bool launch(cudaStream_t stream, Checked& checked) const {
    return checked(cudaGraphLaunch(ready_, stream), "cudaGraphLaunch");
  }
  bool there() const { return ready_ != nullptr; }
  void reset() { ready_.reset(); }

 private:
  Owned<cudaGraphExec_t, cudaGraphExecDestroy> ready_;
};

/// Seconds of what `work` puts into the stream, by the device's clock; 0 after a failure.
template <class Work>
double seconds_of_stream(cudaStream_t stream, const char* name, Checked& checked, Work work) {
  Event start;
  Event stop;
  start.create(true, checked);
  stop.create(true, checked);
  start.record(stream, checked);
  work();
  stop.record(stream, checked);
  checked(cudaEventSynchronize(stop), name);
  return stop.seconds_since(start, checked);
}

/// The current device of this thread is put back.
class KeepDevice {
 public:
  KeepDevice() { cudaGetDevice(&device_); }
  ~KeepDevice() { cudaSetDevice(device_); }
  KeepDevice(const KeepDevice&) = delete;
  KeepDevice& operator=(const KeepDevice&) = delete;

 private:
  int device_ = 0;
};

/// Acts on each of several things while its `device` is the current one, as far as all goes well.
template <class Many, class Act>
bool on_each_device(Many& many, Checked& checked, Act act) {
  const KeepDevice keep;
  for (auto& one : many)
    if (checked.good() && checked(cudaSetDevice(one.device), "cudaSetDevice")) act(one);
  return checked.good();
}

/// Device memory that is freed with its holder.
class Memory {
 public:
  bool allocate(std::size_t bytes, Checked& checked);
  template <class T>
  T* as() const {
    return static_cast<T*>(static_cast<void*>(memory_));
  }
  std::size_t bytes() const { return bytes_; }

 private:
  Owned<void*, cudaFree> memory_;
  std::size_t bytes_ = 0;
};

/// Host memory that devices reach directly, or plain memory, whose pages the driver copies once more.
class HostMemory {
 public:
  bool allocate(std::size_t bytes, bool pinned, Checked& checked);
  template <class T>
  T* as() const {
    return static_cast<T*>(plain_ != nullptr ? plain_.get() : static_cast<void*>(pinned_));
  }

 private:
  Owned<void*, cudaFreeHost> pinned_;
  std::unique_ptr<void, decltype(&std::free)> plain_{nullptr, std::free};
};

/// Copies from the device and waits for it.
bool read_back(void* to, const void* from, std::size_t bytes, cudaStream_t stream, Checked& checked);

/// Fills with what is NaN in every format of floating point.
void poison(void* to, std::size_t bytes, cudaStream_t stream, Checked& checked);

}  // namespace podwright::probes::cuda
