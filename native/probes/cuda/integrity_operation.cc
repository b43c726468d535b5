/// A test of nearly all memory of the device.
#include <algorithm>
#include <cstdio>
#include <deque>

#include "probes/cuda/operation.h"

namespace podwright::probes::cuda {
namespace {

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

std::unique_ptr<Operation> make_integrity(const std::string& probe) {
  return probe == "mem.integrity" ? std::make_unique<Integrity>() : nullptr;
}

}  // namespace podwright::probes::cuda
