/// The link to the host, other devices, and what a start of a kernel costs.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "probes/cuda/near_device.h"
#include "probes/cuda/operation.h"
#include "probes/elapsed.h"

namespace podwright::probes::cuda {
namespace {

/// Host memory that copies reach directly, or plain memory, whose pages the driver copies once more.
class HostMemory {
 public:
  HostMemory() = default;
  ~HostMemory() {
    if (memory_ != nullptr && pinned_) cudaFreeHost(memory_);
    if (memory_ != nullptr && !pinned_) std::free(memory_);
  }
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  bool allocate(std::size_t bytes, bool pinned, Checked& checked) {
    pinned_ = pinned;
    if (pinned) return checked(cudaHostAlloc(&memory_, bytes, cudaHostAllocPortable), "cudaHostAlloc");
    memory_ = std::malloc(bytes);
    if (memory_ == nullptr) {
      checked.fail(PW_SKIP, "oom", "the host refuses the memory");
      return false;
    }
    std::memset(memory_, 0, bytes);  // pages are there before the first copy
    return true;
  }
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  void* memory_ = nullptr;
  bool pinned_ = true;
};

class HostLink final : public Operation {
 public:
  explicit HostLink(std::string probe) : probe_(std::move(probe)) {}

  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    device_ = device.number;
    stream_ = device.stream;
    bytes_ = static_cast<std::size_t>(std::max<std::int64_t>(4, probe_ == "pcie.lat" ? 4 : one.bytes));
    pageable_ = std::strcmp(one.variant, "pageable") == 0;
    algorithm = "cudaMemcpyAsync";
    footprint_bytes = rotated_bytes = bytes_;
    const NearDevice near(device_);  // a page lies where it was first touched
    if (!up_.allocate(bytes_, !pageable_, checked) || !down_.allocate(bytes_, !pageable_, checked) ||
        !in_.allocate(bytes_, checked) || !out_.allocate(bytes_, checked))
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

  /// Copies of pageable memory hold the host up, so that none can wait behind a gate.
  bool times_itself() const override { return pageable_ || probe_ == "pcie.lat" || probe_ == "pcie.bidir"; }
  bool time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    const NearDevice near(device_);
    const auto start = Clock::now();
    for (std::int64_t i = 0; i < count && checked.good(); ++i) {
      enqueue(i, stream_, checked);
      if (probe_ == "pcie.lat") checked(cudaStreamSynchronize(stream_), "copy");
    }
    checked(cudaStreamSynchronize(second_), "copy");
    checked(cudaStreamSynchronize(stream_), "copy");
    batch.seconds = seconds_since(start);
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
  int device_ = 0;
  cudaStream_t stream_ = nullptr;
  cudaStream_t second_ = nullptr;
  cudaEvent_t joined_ = nullptr;
  std::size_t bytes_ = 0;
  bool pageable_ = false;
  HostMemory up_, down_;
  Memory in_, out_;
};

/// Between two devices: copies one way and both ways, small ones, and reads by a kernel of this device.
class Peer final : public Operation {
 public:
  explicit Peer(const std::string& probe) : both_ways_(probe == "p2p.bidir"), reads_(probe == "p2p.read") {}

  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    own_ = device.number;
    peer_ = one.peer;
    blocks_ = device.stream_blocks();
    bytes_ = static_cast<std::size_t>(one.bytes);
    footprint_bytes = rotated_bytes = bytes_;
    if (peer_ == own_) {
      checked.fail(PW_SKIP, "one_device", "a device is no peer of itself");
      return false;
    }
    return open_access(checked) && allocate(one.seed, checked);
  }
  ~Peer() override {
    if (to_ != nullptr) cudaFree(to_);
    if (source_ != nullptr) cudaFree(source_);
    if (second_ != nullptr) cudaStreamDestroy(second_);
    if (begun_ != nullptr) cudaEventDestroy(begun_);
    if (joined_ != nullptr) cudaEventDestroy(joined_);
  }
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    if (reads_) {
      read_words(static_cast<const float4*>(to_), bytes_ / sizeof(float4), sum_.as<float>(), blocks_, stream);
      return checked(cudaGetLastError(), "p2p.read");
    }
    if (both_ways_) {
      // The way back in a second stream, which begins and ends with the first.
      checked(cudaEventRecord(begun_, stream), "cudaEventRecord");
      checked(cudaStreamWaitEvent(second_, begun_, 0), "cudaStreamWaitEvent");
      checked(cudaMemcpyPeerAsync(back_.as<void>(), own_, source_, peer_, bytes_, second_), "cudaMemcpyPeerAsync");
      checked(cudaEventRecord(joined_, second_), "cudaEventRecord");
    }
    checked(cudaMemcpyPeerAsync(to_, peer_, from_.as<void>(), own_, bytes_, stream), "cudaMemcpyPeerAsync");
    if (both_ways_) checked(cudaStreamWaitEvent(stream, joined_, 0), "cudaStreamWaitEvent");
    return checked.good();
  }
  void verify(PwCheck& check, Checked& checked) override {
    checked(cudaMemsetAsync(back_.as<void>(), 0, bytes_, stream_), "cudaMemset");
    if (!reads_) enqueue(0, stream_, checked);
    const std::vector<char> sent = on_host(from_.as<void>(), checked);
    check.status = PW_CHECK_PASS;
    if (both_ways_ && on_host(back_.as<void>(), checked) != sent) check.status = PW_CHECK_FAIL;
    if (reads_) {
      // As the probe reads, but what was read is kept.
      copy_words(back_.as<float4>(), static_cast<const float4*>(to_), bytes_ / sizeof(float4), blocks_, stream_);
    } else {
      checked(cudaMemcpyPeerAsync(back_.as<void>(), own_, to_, peer_, bytes_, stream_), "cudaMemcpyPeerAsync");
    }
    if (on_host(back_.as<void>(), checked) != sent) check.status = PW_CHECK_FAIL;
    if (!checked.good()) return;
    check.checked = bytes_;
    std::strcpy(check.note, "every byte, there and back");
  }

 private:
  bool open_access(Checked& checked) {
    int possible = 0;
    checked(cudaDeviceCanAccessPeer(&possible, own_, peer_), "cudaDeviceCanAccessPeer");
    // Without access the copy goes through the host; that is what a plan gets then. A kernel gets nothing.
    algorithm = possible == 0 ? "staged-through-host" : reads_ ? "own" : "peer";
    if (possible == 0) {
      if (reads_) checked.fail(PW_SKIP, "p2p_off", "kernels of this device cannot reach the memory of the other");
      return checked.good();
    }
    const cudaError_t enabled = cudaDeviceEnablePeerAccess(peer_, 0);
    if (enabled != cudaSuccess && enabled != cudaErrorPeerAccessAlreadyEnabled)
      checked(enabled, "cudaDeviceEnablePeerAccess");
    cudaGetLastError();
    return checked.good();
  }

  bool allocate(std::uint64_t seed, Checked& checked) {
    if (!from_.allocate(bytes_, checked) || !back_.allocate(bytes_, checked) || !sum_.allocate(64, checked))
      return false;
    fill_bits(from_.as<std::uint32_t>(), bytes_ / 4, seed, stream_);
    checked(cudaStreamSynchronize(stream_), "fill");
    checked(cudaSetDevice(peer_), "cudaSetDevice");
    checked(cudaMalloc(&to_, bytes_), "cudaMalloc");
    if (both_ways_) checked(cudaMalloc(&source_, bytes_), "cudaMalloc");
    cudaSetDevice(own_);
    if (both_ways_) {
      checked(cudaStreamCreateWithFlags(&second_, cudaStreamNonBlocking), "cudaStreamCreate");
      checked(cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming), "cudaEventCreate");
      checked(cudaEventCreateWithFlags(&joined_, cudaEventDisableTiming), "cudaEventCreate");
    }
    for (void* there : {to_, source_})
      if (there != nullptr)
        checked(cudaMemcpyPeerAsync(there, peer_, from_.as<void>(), own_, bytes_, stream_), "cudaMemcpyPeerAsync");
    return checked(cudaStreamSynchronize(stream_), "fill");
  }

  std::vector<char> on_host(const void* memory, Checked& checked) const {
    std::vector<char> bytes(bytes_);
    checked(cudaMemcpyAsync(bytes.data(), memory, bytes_, cudaMemcpyDeviceToHost, stream_), "cudaMemcpy");
    checked(cudaStreamSynchronize(stream_), "copy");
    return bytes;
  }

  bool both_ways_;
  bool reads_;
  cudaStream_t stream_ = nullptr;
  cudaStream_t second_ = nullptr;
  cudaEvent_t begun_ = nullptr;
  cudaEvent_t joined_ = nullptr;
  int own_ = 0;
  int peer_ = 0;
  int blocks_ = 1;
  std::size_t bytes_ = 0;
  void* to_ = nullptr;      ///< at the peer
  void* source_ = nullptr;  ///< at the peer
  Memory from_, back_, sum_;
};

/// Empty kernels: one after the other in a stream, or as nodes of a graph, in one row or in four side by side. One
/// operation is one kernel.
class Launch final : public Operation {
 public:
  explicit Launch(bool graph) : graph_(graph) {}
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    nodes_ = std::max<std::int64_t>(1, one.batch);
    return !graph_ || capture(std::strcmp(one.variant, "wide") == 0 ? kRows : 1, checked);
  }
  ~Launch() override {
    if (ready_ != nullptr) cudaGraphExecDestroy(ready_);
    for (Row& row : rows_) {
      if (row.stream != nullptr) cudaStreamDestroy(row.stream);
      if (row.ended != nullptr) cudaEventDestroy(row.ended);
    }
    if (begun_ != nullptr) cudaEventDestroy(begun_);
  }
  bool enqueue(std::int64_t, cudaStream_t, Checked&) override { return true; }
  bool times_itself() const override { return true; }
  bool time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    const std::int64_t rounds = std::max<std::int64_t>(1, (count + nodes_ - 1) / nodes_);
    const std::int64_t kernels = graph_ ? rounds * nodes_ : count;
    const auto start = Clock::now();
    if (graph_) {
      for (std::int64_t i = 0; i < rounds; ++i) checked(cudaGraphLaunch(ready_, stream_), "cudaGraphLaunch");
    } else {
      for (std::int64_t i = 0; i < kernels; ++i) nothing(stream_);
    }
    checked(cudaStreamSynchronize(stream_), "launch");
    batch.seconds = seconds_since(start) * static_cast<double>(count) / static_cast<double>(kernels);
    return checked(cudaGetLastError(), "launch");
  }
  void verify(PwCheck& check, Checked&) override {
    check.status = PW_CHECK_NONE;
    std::strcpy(check.note, "empty kernels leave nothing to compare");
  }

 private:
  static constexpr int kRows = 4;
  struct Row {
    cudaStream_t stream = nullptr;
    cudaEvent_t ended = nullptr;
  };

  bool capture(int rows, Checked& checked) {
    nodes_ = std::max<std::int64_t>(rows, nodes_ / rows * rows);
    rows_.resize(static_cast<std::size_t>(rows - 1));
    checked(cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming), "cudaEventCreate");
    for (Row& row : rows_) {
      checked(cudaStreamCreateWithFlags(&row.stream, cudaStreamNonBlocking), "cudaStreamCreate");
      checked(cudaEventCreateWithFlags(&row.ended, cudaEventDisableTiming), "cudaEventCreate");
    }
    checked(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    if (!checked.good()) return false;
    checked(cudaEventRecord(begun_, stream_), "cudaEventRecord");
    for (std::int64_t i = 0; i < nodes_ / rows; ++i) nothing(stream_);
    for (Row& row : rows_) {
      checked(cudaStreamWaitEvent(row.stream, begun_, 0), "cudaStreamWaitEvent");
      for (std::int64_t i = 0; i < nodes_ / rows; ++i) nothing(row.stream);
      checked(cudaEventRecord(row.ended, row.stream), "cudaEventRecord");
      checked(cudaStreamWaitEvent(stream_, row.ended, 0), "cudaStreamWaitEvent");
    }
    cudaGraph_t graph = nullptr;
    // Ends the capture also after a failure inside it.
    const cudaError_t ended = cudaStreamEndCapture(stream_, &graph);
    if (checked(ended, "cudaStreamEndCapture"))
      checked(cudaGraphInstantiate(&ready_, graph, 0), "cudaGraphInstantiate");
    if (graph != nullptr) cudaGraphDestroy(graph);
    return checked.good();
  }

  bool graph_;
  cudaStream_t stream_ = nullptr;
  std::int64_t nodes_ = 1;
  cudaGraphExec_t ready_ = nullptr;
  cudaEvent_t begun_ = nullptr;
  std::vector<Row> rows_;  ///< beside the stream itself
};

/// A graph whose kernels get other arguments, as that of a decoding step does. One operation is one kernel's share.
class GraphUpdate final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    nodes_ = std::max<std::int64_t>(1, one.batch);
    if (!places_.allocate(static_cast<std::size_t>(nodes_) * sizeof(int), checked)) return false;
    for (int which = 0; which < 2 && checked.good(); ++which) capture(which, checked);
    return checked.good() && checked(cudaGraphInstantiate(&ready_, graphs_[0], 0), "cudaGraphInstantiate");
  }
  ~GraphUpdate() override {
    if (ready_ != nullptr) cudaGraphExecDestroy(ready_);
    for (cudaGraph_t graph : graphs_)
      if (graph != nullptr) cudaGraphDestroy(graph);
  }
  bool enqueue(std::int64_t, cudaStream_t, Checked&) override { return true; }
  bool times_itself() const override { return true; }
  bool time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    const std::int64_t rounds = std::max<std::int64_t>(1, (count + nodes_ - 1) / nodes_);
    const auto start = Clock::now();
    for (std::int64_t i = 0; i < rounds && checked.good(); ++i) update(static_cast<int>((i + 1) % 2), checked);
    batch.seconds = seconds_since(start) * static_cast<double>(count) / static_cast<double>(rounds * nodes_);
    return checked.good();
  }
  /// Every kernel leaves the number that the last update gave it.
  void verify(PwCheck& check, Checked& checked) override {
    check.status = PW_CHECK_PASS;
    for (const int which : {1, 0}) {
      std::vector<int> left(static_cast<std::size_t>(nodes_));
      checked(cudaMemsetAsync(places_.as<void>(), 0xff, left.size() * sizeof(int), stream_), "cudaMemset");
      update(which, checked);
      checked(cudaGraphLaunch(ready_, stream_), "cudaGraphLaunch");
      checked(
          cudaMemcpyAsync(left.data(), places_.as<void>(), left.size() * sizeof(int), cudaMemcpyDeviceToHost, stream_),
          "cudaMemcpy");
      if (!checked(cudaStreamSynchronize(stream_), "launch.graph_update")) return;
      for (std::int64_t i = 0; i < nodes_; ++i)
        if (left[static_cast<std::size_t>(i)] != number_of(i, which)) check.status = PW_CHECK_FAIL;
    }
    check.checked = static_cast<std::uint64_t>(2 * nodes_);
    std::strcpy(check.note, "what each kernel left after each update");
  }

 private:
  static int number_of(std::int64_t node, int which) { return static_cast<int>(2 * node + which); }

  void capture(int which, Checked& checked) {
    if (!checked(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture")) return;
    for (std::int64_t i = 0; i < nodes_; ++i) mark(places_.as<int>() + i, number_of(i, which), stream_);
    checked(cudaStreamEndCapture(stream_, &graphs_[which]), "cudaStreamEndCapture");
  }
  void update(int which, Checked& checked) {
    cudaGraphExecUpdateResultInfo info{};
    checked(cudaGraphExecUpdate(ready_, graphs_[which], &info), "cudaGraphExecUpdate");
  }

  cudaStream_t stream_ = nullptr;
  std::int64_t nodes_ = 1;
  cudaGraph_t graphs_[2] = {};
  cudaGraphExec_t ready_ = nullptr;
  Memory places_;
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
    const auto start = Clock::now();
    for (std::int64_t i = 0; i < count && checked.good(); ++i) {
      nothing(stream_);
      checked(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    }
    batch.seconds = seconds_since(start);
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
  if (probe.rfind("p2p.", 0) == 0) return std::make_unique<Peer>(probe);
  if (probe == "launch.graph_update") return std::make_unique<GraphUpdate>();
  if (probe == "launch.stream") return std::make_unique<Launch>(false);
  if (probe == "launch.graph") return std::make_unique<Launch>(true);
  if (probe == "host.sync") return std::make_unique<Sync>();
  return nullptr;
}

}  // namespace podwright::probes::cuda
