/// The link to the host, other devices, and what a start of a kernel costs.
#include <algorithm>
#include <chrono>
#include <vector>

#include "probes/cuda/operation.h"

namespace podwright::probes::cuda {
namespace {

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Host memory that copies reach directly.
class Pinned {
 public:
  ~Pinned() {
    if (memory_ != nullptr) cudaFreeHost(memory_);
  }
  bool allocate(std::size_t bytes, Checked& checked) {
    return checked(cudaHostAlloc(&memory_, bytes, cudaHostAllocDefault), "cudaHostAlloc");
  }
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  void* memory_ = nullptr;
};

class HostLink final : public Operation {
 public:
  explicit HostLink(std::string probe) : probe_(std::move(probe)) {}

  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    bytes_ = static_cast<std::size_t>(std::max<std::int64_t>(4, probe_ == "pcie.lat" ? 4 : one.bytes));
    algorithm = "cudaMemcpyAsync";
    footprint_bytes = rotated_bytes = bytes_;
    if (!up_.allocate(bytes_, checked) || !down_.allocate(bytes_, checked) || !in_.allocate(bytes_, checked) ||
        !out_.allocate(bytes_, checked))
      return false;
    checked(cudaStreamCreateWithFlags(&second_, cudaStreamNonBlocking), "cudaStreamCreate");
    checked(cudaEventCreateWithFlags(&joined_, cudaEventDisableTiming), "cudaEventCreate");
    fill_bits(out_.as<std::uint32_t>(), bytes_ / 4, one.seed, stream_);
    checked(cudaMemcpyAsync(up_.as<void>(), out_.as<void>(), bytes_, cudaMemcpyDeviceToHost, stream_), "cudaMemcpy");
    return checked(cudaStreamSynchronize(stream_), "fill");
  }
  ~HostLink() override {
    if (second_ != nullptr) cudaStreamDestroy(second_);
    if (joined_ != nullptr) cudaEventDestroy(joined_);
  }

  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    if (probe_ != "pcie.d2h")
      checked(cudaMemcpyAsync(in_.as<void>(), up_.as<void>(), bytes_, cudaMemcpyHostToDevice, stream),
              "host to device");
    if (probe_ == "pcie.bidir") {
      // The other way in a second stream, which starts and ends with the first.
      checked(cudaMemcpyAsync(down_.as<void>(), out_.as<void>(), bytes_, cudaMemcpyDeviceToHost, second_), "back");
      checked(cudaEventRecord(joined_, second_), "cudaEventRecord");
      checked(cudaStreamWaitEvent(stream, joined_, 0), "cudaStreamWaitEvent");
    }
    if (probe_ == "pcie.d2h" || probe_ == "pcie.lat")
      checked(cudaMemcpyAsync(down_.as<void>(), out_.as<void>(), bytes_, cudaMemcpyDeviceToHost, stream),
              "device to host");
    return checked.good();
  }

  bool times_itself() const override { return probe_ == "pcie.lat" || probe_ == "pcie.bidir"; }
  bool time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < count && checked.good(); ++i) {
      enqueue(i, stream_, checked);
      if (probe_ == "pcie.lat") checked(cudaStreamSynchronize(stream_), "copy");
    }
    checked(cudaStreamSynchronize(second_), "copy");
    checked(cudaStreamSynchronize(stream_), "copy");
    batch.seconds = since(start);
    return checked.good();
  }

  void verify(PwCheck& check, Checked& checked) override {
    std::memset(down_.as<void>(), 0, bytes_);
    checked(cudaMemsetAsync(in_.as<void>(), 0, bytes_, stream_), "cudaMemset");
    enqueue(0, stream_, checked);
    checked(cudaStreamSynchronize(second_), "copy");
    if (probe_ != "pcie.d2h" && probe_ != "pcie.lat" && probe_ != "pcie.bidir")
      checked(cudaMemcpyAsync(down_.as<void>(), in_.as<void>(), bytes_, cudaMemcpyDeviceToHost, stream_), "cudaMemcpy");
    if (!checked(cudaStreamSynchronize(stream_), "copy")) return;
    check.status = std::memcmp(down_.as<void>(), up_.as<void>(), bytes_) == 0 ? PW_CHECK_PASS : PW_CHECK_FAIL;
    check.checked = bytes_;
    std::strcpy(check.note, "every byte");
  }

 private:
  std::string probe_;
  cudaStream_t stream_ = nullptr;
  cudaStream_t second_ = nullptr;
  cudaEvent_t joined_ = nullptr;
  std::size_t bytes_ = 0;
  Pinned up_, down_;
  Memory in_, out_;
};

class Peer final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    own_ = device.number;
    peer_ = one.peer;
    bytes_ = static_cast<std::size_t>(one.bytes);
    footprint_bytes = rotated_bytes = bytes_;
    if (peer_ == own_) {
      checked.fail(PW_SKIP, "one_device", "a device is no peer of itself");
      return false;
    }
    int possible = 0;
    checked(cudaDeviceCanAccessPeer(&possible, own_, peer_), "cudaDeviceCanAccessPeer");
    // Without access the copy goes through the host; that is what a plan gets then.
    algorithm = possible != 0 ? "peer" : "staged-through-host";
    if (possible != 0) {
      const cudaError_t enabled = cudaDeviceEnablePeerAccess(peer_, 0);
      if (enabled != cudaSuccess && enabled != cudaErrorPeerAccessAlreadyEnabled)
        checked(enabled, "cudaDeviceEnablePeerAccess");
      cudaGetLastError();
    }
    if (!from_.allocate(bytes_, checked) || !back_.allocate(bytes_, checked)) return false;
    fill_bits(from_.as<std::uint32_t>(), bytes_ / 4, one.seed, stream_);
    checked(cudaStreamSynchronize(stream_), "fill");
    checked(cudaSetDevice(peer_), "cudaSetDevice");
    checked(cudaMalloc(&to_, bytes_), "cudaMalloc");
    checked(cudaSetDevice(own_), "cudaSetDevice");
    return checked.good();
  }
  ~Peer() override {
    if (to_ != nullptr) cudaFree(to_);
  }
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    return checked(cudaMemcpyPeerAsync(to_, peer_, from_.as<void>(), own_, bytes_, stream), "cudaMemcpyPeerAsync");
  }
  void verify(PwCheck& check, Checked& checked) override {
    enqueue(0, stream_, checked);
    checked(cudaMemcpyPeerAsync(back_.as<void>(), own_, to_, peer_, bytes_, stream_), "cudaMemcpyPeerAsync");
    std::vector<char> sent(bytes_);
    std::vector<char> got(bytes_);
    checked(cudaMemcpyAsync(sent.data(), from_.as<void>(), bytes_, cudaMemcpyDeviceToHost, stream_), "cudaMemcpy");
    checked(cudaMemcpyAsync(got.data(), back_.as<void>(), bytes_, cudaMemcpyDeviceToHost, stream_), "cudaMemcpy");
    if (!checked(cudaStreamSynchronize(stream_), "copy")) return;
    check.status = sent == got ? PW_CHECK_PASS : PW_CHECK_FAIL;
    check.checked = bytes_;
    std::strcpy(check.note, "every byte, there and back");
  }

 private:
  cudaStream_t stream_ = nullptr;
  int own_ = 0;
  int peer_ = 0;
  std::size_t bytes_ = 0;
  void* to_ = nullptr;
  Memory from_, back_;
};

/// Empty kernels: one after the other in a stream, or as nodes of a graph. One operation is one kernel.
class Launch final : public Operation {
 public:
  explicit Launch(bool graph) : graph_(graph) {}
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    nodes_ = std::max<std::int64_t>(1, one.batch);
    if (!graph_) return true;
    cudaGraph_t graph = nullptr;
    checked(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    for (std::int64_t i = 0; i < nodes_; ++i) nothing(stream_);
    checked(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
    if (checked.good()) checked(cudaGraphInstantiate(&ready_, graph, 0), "cudaGraphInstantiate");
    if (graph != nullptr) cudaGraphDestroy(graph);
    return checked.good();
  }
  ~Launch() override {
    if (ready_ != nullptr) cudaGraphExecDestroy(ready_);
  }
  bool enqueue(std::int64_t, cudaStream_t, Checked&) override { return true; }
  bool times_itself() const override { return true; }
  bool time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    const std::int64_t rounds = std::max<std::int64_t>(1, (count + nodes_ - 1) / nodes_);
    const std::int64_t kernels = graph_ ? rounds * nodes_ : count;
    const auto start = std::chrono::steady_clock::now();
    if (graph_) {
      for (std::int64_t i = 0; i < rounds; ++i) checked(cudaGraphLaunch(ready_, stream_), "cudaGraphLaunch");
    } else {
      for (std::int64_t i = 0; i < kernels; ++i) nothing(stream_);
    }
    checked(cudaStreamSynchronize(stream_), "launch");
    batch.seconds = since(start) * static_cast<double>(count) / static_cast<double>(kernels);
    return checked(cudaGetLastError(), "launch");
  }
  void verify(PwCheck& check, Checked&) override {
    check.status = PW_CHECK_NONE;
    std::strcpy(check.note, "empty kernels leave nothing to compare");
  }

 private:
  bool graph_;
  cudaStream_t stream_ = nullptr;
  std::int64_t nodes_ = 1;
  cudaGraphExec_t ready_ = nullptr;
};

/// An empty kernel and the wait for it.
class Sync final : public Operation {
 public:
  bool prepare(const PwCase&, const DeviceFacts& device, Checked&) override {
    stream_ = device.stream;
    return true;
  }
  bool enqueue(std::int64_t, cudaStream_t, Checked&) override { return true; }
  bool times_itself() const override { return true; }
  bool time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < count && checked.good(); ++i) {
      nothing(stream_);
      checked(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    }
    batch.seconds = since(start);
    return checked.good();
  }
  void verify(PwCheck& check, Checked&) override {
    check.status = PW_CHECK_NONE;
    std::strcpy(check.note, "nothing is computed");
  }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace

std::unique_ptr<Operation> make_link(const std::string& probe) {
  if (probe.rfind("pcie.", 0) == 0) return std::make_unique<HostLink>(probe);
  if (probe == "p2p.matrix") return std::make_unique<Peer>();
  if (probe == "launch.stream") return std::make_unique<Launch>(false);
  if (probe == "launch.graph") return std::make_unique<Launch>(true);
  if (probe == "host.sync") return std::make_unique<Sync>();
  return nullptr;
}

std::unique_ptr<Operation> make_operation(const std::string& probe) {
  for (auto* make : {&make_memory, &make_integrity, &make_link, &make_product, &make_layer, &make_row, &make_expert,
                     &make_collective})
    if (auto operation = make(probe)) return operation;
  return nullptr;
}

}  // namespace podwright::probes::cuda
