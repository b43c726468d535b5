/// The link to the host, other devices, and what a start of a kernel costs.
#include <algorithm>
#include <vector>

#include "probes/cuda/near_device.h"
#include "probes/cuda/operation.h"
#include "probes/elapsed.h"

namespace podwright::probes::cuda {
namespace {

class HostLink final : public Operation {
 public:
  explicit HostLink(std::string probe) : probe_(std::move(probe)) {}

  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    if (probe_ != "pcie.d2h")
      checked(cudaMemcpyAsync(in_.as<void>(), up_.as<void>(), bytes_, cudaMemcpyHostToDevice, stream),
              "host to device");
    // The other way in a second stream, which ends with the first.
    if (comes_back())
      checked(cudaMemcpyAsync(down_.as<void>(), out_.as<void>(), bytes_, cudaMemcpyDeviceToHost,
                              both_ways() ? static_cast<cudaStream_t>(second_) : stream),
              "device to host");
    return both_ways() ? joined_.record(second_, checked) && joined_.hold(stream, checked) : checked.good();
  }

  void time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    const NearDevice near(device_.number);
    const auto start = Clock::now();
    for (std::int64_t i = 0; i < count && checked.good(); ++i) {
      enqueue(i, stream(), checked);
      if (probe_ == "pcie.lat") checked(cudaStreamSynchronize(stream()), "copy");
    }
    checked(cudaStreamSynchronize(stream()), "copy");
    batch.seconds = seconds_since(start);
  }

  PwCheck verify(Checked& checked) override {
    std::memset(down_.as<void>(), 0, bytes_);
    checked(cudaMemsetAsync(in_.as<void>(), 0, bytes_, stream()), "cudaMemset");
    enqueue(0, stream(), checked);
    if (!comes_back())
      checked(cudaMemcpyAsync(down_.as<void>(), in_.as<void>(), bytes_, cudaMemcpyDeviceToHost, stream()), "back");
    checked(cudaStreamSynchronize(stream()), "copy");
    return check_of(std::memcmp(down_.as<void>(), up_.as<void>(), bytes_) == 0, bytes_, "every byte");
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    bytes_ = static_cast<std::size_t>(std::max<std::int64_t>(4, probe_ == "pcie.lat" ? 4 : one.bytes));
    // Copies of pageable memory hold the host up, so that none can wait behind a gate.
    const bool pageable = std::strcmp(one.variant, "pageable") == 0;
    times_itself = pageable || probe_ == "pcie.lat" || both_ways();
    algorithm = "cudaMemcpyAsync";
    const NearDevice near(device_.number);  // a page lies where it was first touched
    if (!up_.allocate(bytes_, !pageable, checked) || !down_.allocate(bytes_, !pageable, checked) ||
        !in_.allocate(bytes_, checked) || !out_.allocate(bytes_, checked) || !second_.create(checked) ||
        !joined_.create(false, checked))
      return false;
    fill_bits(out_.as<std::uint32_t>(), bytes_ / 4, one.seed, stream());
    return read_back(up_.as<void>(), out_.as<void>(), bytes_, stream(), checked);
  }

 private:
  bool both_ways() const { return probe_ == "pcie.bidir"; }
  bool comes_back() const { return both_ways() || probe_ == "pcie.d2h" || probe_ == "pcie.lat"; }

  std::string probe_;
  Stream second_;
  Event joined_;
  std::size_t bytes_ = 0;
  HostMemory up_, down_;
  Memory in_, out_;
};

/// Between two devices: copies one way and both ways, small ones, and reads by a kernel of this device.
class Peer final : public Operation {
 public:
  explicit Peer(const std::string& probe) : both_ways_(probe == "p2p.bidir"), reads_(probe == "p2p.read") {}

  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    if (reads_) {
      read_words(to_.as<float4>(), bytes_ / sizeof(float4), sum_.as<float>(), device_.stream_blocks(), stream);
      return checked(cudaGetLastError(), "p2p.read");
    }
    if (both_ways_) {
      // The way back in a second stream, which begins and ends with the first.
      begun_.record(stream, checked);
      begun_.hold(second_, checked);
      copy(back_, device_.number, source_, peer_, second_, checked);
      joined_.record(second_, checked);
    }
    copy(to_, peer_, from_, device_.number, stream, checked);
    if (both_ways_) joined_.hold(stream, checked);
    return checked.good();
  }

  PwCheck verify(Checked& checked) override {
    checked(cudaMemsetAsync(back_.as<void>(), 0, bytes_, stream()), "cudaMemset");
    if (!reads_) enqueue(0, stream(), checked);
    const std::vector<char> sent = on_host(from_, checked);
    bool right = !both_ways_ || on_host(back_, checked) == sent;
    if (reads_) {
      // As the probe reads, but what was read is kept.
      copy_words(back_.as<float4>(), to_.as<float4>(), bytes_ / sizeof(float4), device_.stream_blocks(), stream());
    } else {
      copy(back_, device_.number, to_, peer_, stream(), checked);
    }
    right = right && on_host(back_, checked) == sent;
    return check_of(right, bytes_, "every byte, there and back");
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    peer_ = one.peer;
    bytes_ = static_cast<std::size_t>(one.bytes);
    if (peer_ == device_.number) checked.fail(PW_SKIP, "one_device", "a device is not a peer of itself");
    if (!checked.good() || !open_access(checked)) return false;
    from_.allocate(bytes_, checked);
    back_.allocate(bytes_, checked);
    sum_.allocate(64, checked);
    {
      const KeepDevice keep;
      checked(cudaSetDevice(peer_), "cudaSetDevice");
      to_.allocate(bytes_, checked);
      if (both_ways_) source_.allocate(bytes_, checked);
    }
    if (both_ways_) {
      second_.create(checked);
      begun_.create(false, checked);
      joined_.create(false, checked);
    }
    if (!checked.good()) return false;
    fill_bits(from_.as<std::uint32_t>(), bytes_ / 4, one.seed, stream());
    copy(to_, peer_, from_, device_.number, stream(), checked);
    if (both_ways_) copy(source_, peer_, from_, device_.number, stream(), checked);
    return checked.good();
  }

 private:
  bool open_access(Checked& checked) {
    int possible = 0;
    checked(cudaDeviceCanAccessPeer(&possible, device_.number, peer_), "cudaDeviceCanAccessPeer");
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

  void copy(const Memory& to, int to_device, const Memory& from, int from_device, cudaStream_t stream,
            Checked& checked) const {
    checked(cudaMemcpyPeerAsync(to.as<void>(), to_device, from.as<void>(), from_device, bytes_, stream),
            "cudaMemcpyPeerAsync");
  }

  std::vector<char> on_host(const Memory& memory, Checked& checked) const {
    std::vector<char> bytes(bytes_);
    read_back(bytes.data(), memory.as<void>(), bytes_, stream(), checked);
    return bytes;
  }

  bool both_ways_;
  bool reads_;
  int peer_ = 0;
  std::size_t bytes_ = 0;
  Stream second_;
  Event begun_, joined_;
  Memory from_, back_, sum_;
  Memory to_, source_;  ///< at the peer
};

/// Empty kernels: one after the other in a stream, or as nodes of a graph. One operation is one kernel.
class Launch final : public TimedOperation {
 public:
  explicit Launch(bool as_graph) : as_graph_(as_graph) {}

  void time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    const std::int64_t rounds = std::max<std::int64_t>(1, (count + nodes_ - 1) / nodes_);
    const std::int64_t kernels = as_graph_ ? rounds * nodes_ : count;
    const auto start = Clock::now();
    if (as_graph_) {
      for (std::int64_t i = 0; i < rounds; ++i) graph_.launch(stream(), checked);
    } else {
      for (std::int64_t i = 0; i < kernels; ++i) nothing(stream());
    }
    checked(cudaStreamSynchronize(stream()), "launch");
    batch.seconds = seconds_since(start) * static_cast<double>(count) / static_cast<double>(kernels);
    checked(cudaGetLastError(), "launch");
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    nodes_ = std::max<std::int64_t>(1, one.batch);
    return !as_graph_ || graph_.capture(stream(), checked, [&] {
      for (std::int64_t i = 0; i < nodes_; ++i) nothing(stream());
    });
  }

 private:
  bool as_graph_;
  std::int64_t nodes_ = 1;
  Graph graph_;
};

/// An empty kernel and the wait for it.
class Sync final : public TimedOperation {
 public:
  void time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    const auto start = Clock::now();
    for (std::int64_t i = 0; i < count && checked.good(); ++i) {
      nothing(stream());
      checked(cudaStreamSynchronize(stream()), "cudaStreamSynchronize");
    }
    batch.seconds = seconds_since(start);
  }
};

}  // namespace

std::unique_ptr<Operation> make_link(const std::string& probe) {
  if (probe.rfind("pcie.", 0) == 0) return std::make_unique<HostLink>(probe);
  if (probe.rfind("p2p.", 0) == 0) return std::make_unique<Peer>(probe);
  if (probe == "launch.stream") return std::make_unique<Launch>(false);
  if (probe == "launch.graph") return std::make_unique<Launch>(true);
  if (probe == "host.sync") return std::make_unique<Sync>();
  return nullptr;
}

}  // namespace podwright::probes::cuda
