/// Memory of the device: streams, gathers, the second cache, latencies, capacity.
#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "probes/cuda/operation.h"

namespace podwright::probes::cuda {
namespace {

constexpr std::size_t kFloat4 = 16;
constexpr float kWritten = 0.5F;

class Streams final : public Operation {
 public:
  explicit Streams(std::string probe) : probe_(std::move(probe)) {}

  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    blocks_ = device.stream_blocks();
    count_ = std::max<std::size_t>(1, static_cast<std::size_t>(one.bytes) / kFloat4);
    const std::size_t bytes = count_ * kFloat4;
    const int arrays = probe_ == "hbm.triad" ? 3 : probe_ == "hbm.copy" || probe_ == "hbm.d2d_ce" ? 2 : 1;
    footprint_bytes = static_cast<std::size_t>(arrays) * bytes;
    // Gathers draw from all copies: what the cache holds of these serves a sixteenth of them.
    copies = probe_ == "l2.read" ? 1 : device.copies(footprint_bytes, probe_ == "hbm.gather" ? 16 : 4);
    rotated_bytes = footprint_bytes * static_cast<std::size_t>(copies);
    const std::size_t each = bytes * static_cast<std::size_t>(copies);
    if (!sums_.allocate(64, checked)) return false;
    if (reads() && !a_.allocate(each, checked)) return false;
    if (probe_ == "hbm.triad" && !b_.allocate(each, checked)) return false;
    if (writes() && !c_.allocate(each, checked)) return false;
    if (reads()) fill_normal(a_.as<void>(), Format::fp32, each / 4, one.seed, stream_);
    if (probe_ == "hbm.triad") fill_normal(b_.as<void>(), Format::fp32, each / 4, one.seed + 1, stream_);
    row_words_ = static_cast<std::size_t>(one.row_bytes) / kFloat4;
    if (probe_ == "hbm.d2d_ce") algorithm = "cudaMemcpyAsync";
    return checked(cudaStreamSynchronize(stream_), "fill");
  }

  bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) override {
    const std::size_t from = static_cast<std::size_t>(index % copies) * count_;
    const float4* a = a_.as<float4>() + from;
    float4* c = c_.as<float4>() + from;
    if (probe_ == "hbm.write") {
      write_words(c, count_, kWritten, blocks_, stream);
    } else if (probe_ == "hbm.copy") {
      copy_words(c, a, count_, blocks_, stream);
    } else if (probe_ == "hbm.triad") {
      triad_words(c, a, b_.as<float4>() + from, count_, blocks_, stream);
    } else if (probe_ == "hbm.d2d_ce") {
      return checked(cudaMemcpyAsync(c, a, count_ * kFloat4, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
    } else if (probe_ == "hbm.gather") {
      const std::size_t rows = count_ * static_cast<std::size_t>(copies) / row_words_;
      gather_rows(a_.as<float4>(), rows, row_words_, count_ / row_words_, static_cast<std::uint64_t>(index),
                  sums_.as<float>(), blocks_, stream);
    } else {
      read_words(a, count_, sums_.as<float>(), blocks_, stream);
    }
    return checked(cudaGetLastError(), probe_.c_str());
  }

  void verify(PwCheck& check, Checked& checked) override {
    double* out = sums_.as<double>();
    checked(cudaMemsetAsync(out, 0, 64, stream_), "cudaMemset");
    if (!writes()) {
      // A read leaves nothing behind; what it reads must still be numbers.
      count_not_numbers(a_.as<void>(), Format::fp32, count_ * 4, out, stream_);
      judge(out, 0, count_ * 4, "what was read holds numbers", stream_, check, checked);
      return;
    }
    checked(cudaMemsetAsync(c_.as<void>(), 0xff, count_ * kFloat4, stream_), "cudaMemset");  // all NaN
    enqueue(0, stream_, checked);
    int kind = probe_ == "hbm.triad" ? 1 : 0;
    const float* b = b_.as<float>();
    if (probe_ == "hbm.write") {
      kind = 2;
      checked(cudaMemcpyAsync(out + 4, &kWritten, sizeof kWritten, cudaMemcpyHostToDevice, stream_), "cudaMemcpy");
      b = reinterpret_cast<const float*>(out + 4);
    }
    check_words(c_.as<float>(), a_.as<float>(), b, count_ * 4, kind, out, stream_);
    judge(out, probe_ == "hbm.triad" ? 1e-5 : 0, count_ * 4, "every value", stream_, check, checked);
  }

 private:
  bool reads() const { return probe_ != "hbm.write"; }
  bool writes() const { return probe_ != "hbm.read" && probe_ != "l2.read" && probe_ != "hbm.gather"; }

  std::string probe_;
  cudaStream_t stream_ = nullptr;
  int blocks_ = 1;
  std::size_t count_ = 1;
  std::size_t row_words_ = 0;
  Memory a_, b_, c_, sums_;
};

/// Follows a random cycle; one operation is one load.
class Latency final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    lines_ = static_cast<std::uint32_t>(std::max<std::int64_t>(2, one.bytes / 128));
    std::vector<std::uint32_t> order(lines_);
    std::iota(order.begin(), order.end(), 0U);
    const random::Stream draws(one.seed, 3);
    for (std::uint32_t i = lines_ - 1; i > 0; --i) std::swap(order[i], order[draws.bits(i) % (i + 1)]);
    std::vector<std::uint32_t> next(static_cast<std::size_t>(lines_) * 32);
    for (std::uint32_t i = 0; i < lines_; ++i) next[static_cast<std::size_t>(order[i]) * 32] = order[(i + 1) % lines_];
    footprint_bytes = rotated_bytes = next.size() * 4;
    return next_.allocate(footprint_bytes, checked) && place_.allocate(64, checked) &&
           checked(cudaMemcpy(next_.as<void>(), next.data(), footprint_bytes, cudaMemcpyHostToDevice), "cudaMemcpy") &&
           checked(cudaMemset(place_.as<void>(), 0, 64), "cudaMemset");
  }
  bool enqueue(std::int64_t, cudaStream_t, Checked&) override { return true; }
  bool times_itself() const override { return true; }
  bool time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    // Goes on where the last one stopped: the first lines of the cycle alone would stay in the cache.
    batch.seconds = seconds_of_stream(stream_, "chase", checked, [&] { follow(count); });
    return checked.good();
  }
  void verify(PwCheck& check, Checked& checked) override {
    checked(cudaMemsetAsync(place_.as<void>(), 0, 64, stream_), "cudaMemset");
    std::uint32_t ends[2] = {};
    for (std::uint32_t& end : ends) {
      follow(&end == ends ? lines_ - 1 : 1);
      checked(cudaMemcpyAsync(&end, place_.as<void>(), 4, cudaMemcpyDeviceToHost, stream_), "cudaMemcpy");
      checked(cudaStreamSynchronize(stream_), "chase");
    }
    check.status = ends[0] != 0 && ends[1] == 0 ? PW_CHECK_PASS : PW_CHECK_FAIL;
    check.checked = lines_;
    std::strcpy(check.note, "the cycle closes");
  }

 private:
  void follow(std::int64_t hops) { chase(next_.as<std::uint32_t>(), place_.as<std::uint32_t>(), hops, stream_); }

  cudaStream_t stream_ = nullptr;
  std::uint32_t lines_ = 0;
  Memory next_, place_;
};

/// How much one process can allocate: blocks until refusal, each marked and read back.
class Capacity final : public Operation {
 public:
  bool prepare(const PwCase&, const DeviceFacts& device, Checked&) override {
    stream_ = device.stream;
    return true;
  }
  bool enqueue(std::int64_t, cudaStream_t, Checked&) override { return true; }
  bool times_itself() const override { return true; }
  bool time(std::int64_t, PwBatch& batch, Checked&) override {
    batch.seconds = 1e-3;  // nothing is timed: what is told is the size
    return true;
  }
  void verify(PwCheck& check, Checked& checked) override {
    constexpr std::size_t kLarge = 256U << 20U;
    constexpr std::size_t kSpare = 512U << 20U;
    std::vector<void*> blocks;
    std::uint64_t wrong = 0;
    while (checked.good()) {
      std::size_t free_bytes = 0;
      std::size_t total = 0;
      if (!checked(cudaMemGetInfo(&free_bytes, &total), "cudaMemGetInfo") || free_bytes < kSpare + kLarge) break;
      void* block = nullptr;
      if (cudaMalloc(&block, kLarge) != cudaSuccess) {
        cudaGetLastError();
        break;
      }
      blocks.push_back(block);
      const auto mark = reinterpret_cast<std::uintptr_t>(block) ^ 0x5a5a5a5aU;
      const auto end = static_cast<char*>(block) + kLarge - sizeof mark;
      checked(cudaMemcpy(block, &mark, sizeof mark, cudaMemcpyHostToDevice), "cudaMemcpy");
      checked(cudaMemcpy(end, &mark, sizeof mark, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    for (void* block : blocks) {
      const auto mark = reinterpret_cast<std::uintptr_t>(block) ^ 0x5a5a5a5aU;
      std::uintptr_t seen[2] = {};
      cudaMemcpy(&seen[0], block, sizeof mark, cudaMemcpyDeviceToHost);
      cudaMemcpy(&seen[1], static_cast<char*>(block) + kLarge - sizeof mark, sizeof mark, cudaMemcpyDeviceToHost);
      wrong += (seen[0] != mark ? 1U : 0U) + (seen[1] != mark ? 1U : 0U);
    }
    for (void* block : blocks) cudaFree(block);
    check.status = wrong == 0 ? PW_CHECK_PASS : PW_CHECK_FAIL;
    check.worst = static_cast<double>(wrong);
    check.checked = blocks.size() * kLarge;
    std::strcpy(check.note, "bytes allocated, marked and read back");
  }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace

std::unique_ptr<Operation> make_memory(const std::string& probe) {
  for (const char* name : {"hbm.read", "hbm.write", "hbm.copy", "hbm.triad", "hbm.d2d_ce", "hbm.gather", "l2.read"})
    if (probe == name) return std::make_unique<Streams>(probe);
  if (probe == "lat.l2" || probe == "lat.dram") return std::make_unique<Latency>();
  if (probe == "mem.capacity") return std::make_unique<Capacity>();
  return nullptr;
}

}  // namespace podwright::probes::cuda
