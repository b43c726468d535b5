/// Memory of the device: streams, gathers, the second cache, latencies, capacity, and a test of nearly all of it.
#include <algorithm>
#include <cstdio>
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
class Capacity final : public SizeOperation {
 public:
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

constexpr double kLeastShare = 0.9;  // of the memory that is free, else too little was tested
constexpr std::size_t kMiB = 1U << 20U;
constexpr std::size_t kLeftFree = 512 * kMiB;
constexpr int kReads = 2;  // a word that is right in one of them was read wrong, not kept wrong
constexpr std::size_t kWord = 8;

/// One operation writes the pattern, reads it twice, and does the same with the complement.
class Integrity final : public Operation {
 public:
  Integrity() { times_itself = true; }

  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    for (const bool inverted : {false, true}) {
      each_part([&](const Memory& part, std::uint64_t first) {
        write_pattern(part.as<std::uint64_t>(), part.bytes() / kWord, first, seed_, inverted, device_.stream_blocks(),
                      stream);
      });
      for (int read = 0; read < kReads; ++read)
        each_part([&](const Memory& part, std::uint64_t first) {
          check_pattern(part.as<std::uint64_t>(), part.bytes() / kWord, first, seed_, inverted,
                        found_.as<Mismatches>() + read, device_.stream_blocks(), stream);
        });
    }
    return checked(cudaGetLastError(), "mem.integrity");
  }

  void time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    batch.seconds = seconds_of_stream(stream(), "mem.integrity", checked, [&] {
      for (std::int64_t i = 0; i < count && checked.good(); ++i) enqueue(i, stream(), checked);
    });
    passes_ += static_cast<std::uint64_t>(count);
  }

  /// Judges every pass since prepare().
  PwCheck verify(Checked& checked) override {
    Mismatches found[kReads] = {};
    read_back(found, found_.as<void>(), sizeof found, stream(), checked);
    const bool whole = found[0].words == 0 && found[1].words == 0;
    PwCheck check = check_of(whole, operand_bytes * passes_, "every word of pattern and complement, read twice");
    check.worst = static_cast<double>(found[0].words + found[1].words);
    if (!whole)
      std::snprintf(check.note, sizeof check.note,
                    "wrong words: %llu in first reads, %llu in second; first at byte %llu; bits %016llx",
                    found[0].words, found[1].words, kWord * std::min(found[0].first, found[1].first),
                    found[0].bits | found[1].bits);
    return check;
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    seed_ = one.seed;
    std::size_t free_bytes = 0;
    std::size_t total = 0;
    if (!checked(cudaMemGetInfo(&free_bytes, &total), "cudaMemGetInfo") ||
        !found_.allocate(kReads * sizeof(Mismatches), checked))
      return false;
    take_memory(free_bytes - std::min(free_bytes, std::min(kLeftFree, free_bytes / 32)));
    if (static_cast<double>(operand_bytes) < kLeastShare * static_cast<double>(free_bytes)) {
      checked.fail(PW_SKIP, "oom",
                   "only " + std::to_string(operand_bytes / kMiB) + " of " + std::to_string(free_bytes / kMiB) +
                       " MiB that are free could be allocated");
      return false;
    }
    const Mismatches none[kReads] = {{0, ~0ULL, 0}, {0, ~0ULL, 0}};
    return checked(cudaMemcpy(found_.as<void>(), none, sizeof none, cudaMemcpyHostToDevice), "cudaMemcpy");
  }

 private:
  /// In parts that become smaller where larger ones are refused.
  void take_memory(std::size_t most) {
    for (const std::size_t size : {1024 * kMiB, 256 * kMiB, 16 * kMiB})
      while (operand_bytes + size <= most) {
        PwFault ignored{};
        Checked trial(ignored);
        if (!parts_.emplace_back().allocate(size, trial)) {
          parts_.pop_back();
          break;
        }
        operand_bytes += size;
      }
  }

  template <class Act>
  void each_part(Act act) const {
    std::uint64_t first = 0;
    for (const Memory& part : parts_) {
      act(part, first);
      first += part.bytes() / kWord;
    }
  }

  std::uint64_t seed_ = 0;
  std::uint64_t passes_ = 0;
  std::deque<Memory> parts_;  ///< memory does not move
  Memory found_;
};

}  // namespace

std::unique_ptr<Operation> make_memory(const std::string& probe) {
  for (const char* name : {"hbm.read", "hbm.write", "hbm.copy", "hbm.triad", "hbm.d2d_ce", "hbm.gather", "l2.read"})
    if (probe == name) return std::make_unique<Streams>(probe);
  if (probe == "lat.l2" || probe == "lat.dram") return std::make_unique<Latency>();
  if (probe == "mem.capacity") return std::make_unique<Capacity>();
  if (probe == "mem.integrity") return std::make_unique<Integrity>();
  return nullptr;
}

}  // namespace podwright::probes::cuda
