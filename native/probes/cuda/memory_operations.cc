/// Memory of the device: streams, gathers, the second cache, latencies, capacity.
#include <algorithm>
#include <deque>
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

  bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) override {
    const std::size_t from = static_cast<std::size_t>(index % copies) * count_;
    const int blocks = device_.stream_blocks();
    const float4* a = a_.as<float4>() + from;
    float4* c = c_.as<float4>() + from;
    if (probe_ == "hbm.write") {
      write_words(c, count_, kWritten, blocks, stream);
    } else if (probe_ == "hbm.copy") {
      copy_words(c, a, count_, blocks, stream);
    } else if (triad()) {
      triad_words(c, a, b_.as<float4>() + from, count_, blocks, stream);
    } else if (probe_ == "hbm.d2d_ce") {
      return checked(cudaMemcpyAsync(c, a, count_ * kFloat4, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
    } else if (gathers()) {
      const std::size_t rows = count_ * static_cast<std::size_t>(copies) / row_words_;
      gather_rows(a_.as<float4>(), rows, row_words_, count_ / row_words_, static_cast<std::uint64_t>(index),
                  sum_.as<float>(), blocks, stream);
    } else {
      read_words(a, count_, sum_.as<float>(), blocks, stream);
    }
    return checked(cudaGetLastError(), probe_.c_str());
  }

  PwCheck verify(Checked& checked) override {
    if (!writes())
      // A read leaves nothing behind; what it reads must still be numbers.
      return found_.judge(0, count_ * 4, "what was read holds numbers", stream(), checked, [&](double* out) {
        count_not_numbers(a_.as<void>(), Format::fp32, count_ * 4, out, stream());
      });
    poison(c_.as<void>(), count_ * kFloat4, stream(), checked);
    enqueue(0, stream(), checked);
    return found_.judge(triad() ? 1e-5 : 0, count_ * 4, "every value", stream(), checked, [&](double* out) {
      check_words(c_.as<float>(), a_.as<float>(), b_.as<float>(), kWritten, count_ * 4, out, stream());
    });
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    count_ = std::max<std::size_t>(1, static_cast<std::size_t>(one.bytes) / kFloat4);
    row_words_ = static_cast<std::size_t>(one.row_bytes) / kFloat4;
    const auto arrays = static_cast<std::size_t>((reads() ? 1 : 0) + (triad() ? 1 : 0) + (writes() ? 1 : 0));
    // Gathers draw from all copies: what the cache holds of these serves a sixteenth of them.
    if (probe_ != "l2.read") copies = device_.copies(arrays * count_ * kFloat4, gathers() ? 16 : 4);
    const std::size_t words = count_ * static_cast<std::size_t>(copies);
    if (probe_ == "hbm.d2d_ce") algorithm = "cudaMemcpyAsync";
    return sum_.allocate(64, checked) && found_.allocate(checked) &&
           (!reads() || allocate_normal(a_, Format::fp32, 4 * words, one.seed, stream(), checked)) &&
           (!triad() || allocate_normal(b_, Format::fp32, 4 * words, one.seed + 1, stream(), checked)) &&
           (!writes() || c_.allocate(words * kFloat4, checked));
  }

 private:
  bool reads() const { return probe_ != "hbm.write"; }
  bool writes() const { return probe_ != "hbm.read" && probe_ != "l2.read" && !gathers(); }
  bool triad() const { return probe_ == "hbm.triad"; }
  bool gathers() const { return probe_ == "hbm.gather"; }

  std::string probe_;
  std::size_t count_ = 1;
  std::size_t row_words_ = 0;
  Memory a_, b_, c_, sum_;
  Findings found_;
};

/// Follows a random cycle; one operation is one load.
class Latency final : public TimedOperation {
 public:
  void time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    // Goes on where the last one stopped: the first lines of the cycle alone would stay in the cache.
    batch.seconds = seconds_of_stream(stream(), "chase", checked, [&] { follow(count); });
  }
  PwCheck verify(Checked& checked) override {
    checked(cudaMemsetAsync(place_.as<void>(), 0, 64, stream()), "cudaMemset");
    const bool closes = end_after(lines_ - 1, checked) != 0 && end_after(1, checked) == 0;
    return check_of(closes, lines_, "the cycle closes");
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    lines_ = static_cast<std::uint32_t>(std::max<std::int64_t>(2, one.bytes / 128));
    std::vector<std::uint32_t> order(lines_);
    std::iota(order.begin(), order.end(), 0U);
    const random::Stream draws(one.seed, 3);
    for (std::uint32_t i = lines_ - 1; i > 0; --i) std::swap(order[i], order[draws.bits(i) % (i + 1)]);
    std::vector<std::uint32_t> next(static_cast<std::size_t>(lines_) * 32);
    for (std::uint32_t i = 0; i < lines_; ++i) next[static_cast<std::size_t>(order[i]) * 32] = order[(i + 1) % lines_];
    return next_.allocate(next.size() * 4, checked) && place_.allocate(64, checked) &&
           checked(cudaMemcpy(next_.as<void>(), next.data(), next_.bytes(), cudaMemcpyHostToDevice), "cudaMemcpy") &&
           checked(cudaMemset(place_.as<void>(), 0, 64), "cudaMemset");
  }

 private:
  void follow(std::int64_t hops) { chase(next_.as<std::uint32_t>(), place_.as<std::uint32_t>(), hops, stream()); }
  std::uint32_t end_after(std::int64_t hops, Checked& checked) {
    std::uint32_t end = 0;
    follow(hops);
    read_back(&end, place_.as<void>(), sizeof end, stream(), checked);
    return end;
  }

  std::uint32_t lines_ = 0;
  Memory next_, place_;
};

/// How much one process can allocate: blocks until refusal, each marked and read back.
class Capacity final : public TimedOperation {
 public:
  void time(std::int64_t, PwBatch& batch, Checked&) override {
    batch.seconds = 1e-3;  // nothing is timed: what is told is the size
  }
  PwCheck verify(Checked& checked) override {
    constexpr std::size_t kLarge = 256U << 20U;
    constexpr std::size_t kSpare = 512U << 20U;
    std::deque<Memory> blocks;  // memory does not move
    const auto both_ends = [](const Memory& block, auto act) {
      const auto mark = reinterpret_cast<std::uintptr_t>(block.as<void>()) ^ 0x5a5a5a5aU;
      for (char* end : {block.as<char>(), block.as<char>() + kLarge - sizeof mark}) act(end, mark);
    };
    while (checked.good()) {
      std::size_t free_bytes = 0;
      std::size_t total = 0;
      if (!checked(cudaMemGetInfo(&free_bytes, &total), "cudaMemGetInfo") || free_bytes < kSpare + kLarge) break;
      PwFault refused{};
      Checked trial(refused);
      if (!blocks.emplace_back().allocate(kLarge, trial)) {
        blocks.pop_back();
        break;
      }
      both_ends(blocks.back(), [&](char* end, std::uintptr_t mark) {
        checked(cudaMemcpy(end, &mark, sizeof mark, cudaMemcpyHostToDevice), "cudaMemcpy");
      });
    }
    std::uint64_t wrong = 0;
    for (const Memory& block : blocks)
      both_ends(block, [&](const char* end, std::uintptr_t mark) {
        std::uintptr_t seen = 0;
        cudaMemcpy(&seen, end, sizeof seen, cudaMemcpyDeviceToHost);
        if (seen != mark) ++wrong;
      });
    PwCheck check = check_of(wrong == 0, blocks.size() * kLarge, "bytes allocated, marked and read back");
    check.worst = static_cast<double>(wrong);
    return check;
  }
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
