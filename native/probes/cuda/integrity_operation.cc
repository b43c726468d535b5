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
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    blocks_ = device.stream_blocks();
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
    footprint_bytes = rotated_bytes = operand_bytes;
    const Mismatches none{0, ~0ULL, 0};
    for (int read = 0; read < kReads; ++read)
      checked(cudaMemcpyAsync(found_.as<Mismatches>() + read, &none, sizeof none, cudaMemcpyHostToDevice, stream_),
              "cudaMemcpy");
    return checked(cudaStreamSynchronize(stream_), "cudaMemcpy");
  }

  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    for (const bool inverted : {false, true}) {
      each_part([&](const Memory& part, std::uint64_t first) {
        write_pattern(part.as<std::uint64_t>(), part.bytes() / kWord, first, seed_, inverted, blocks_, stream);
      });
      for (int read = 0; read < kReads; ++read)
        each_part([&](const Memory& part, std::uint64_t first) {
          check_pattern(part.as<std::uint64_t>(), part.bytes() / kWord, first, seed_, inverted,
                        found_.as<Mismatches>() + read, blocks_, stream);
        });
    }
    return checked(cudaGetLastError(), "mem.integrity");
  }

  bool times_itself() const override { return true; }
  bool time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    batch.seconds = seconds_of_stream(stream_, "mem.integrity", checked, [&] {
      for (std::int64_t i = 0; i < count && checked.good(); ++i) enqueue(i, stream_, checked);
    });
    passes_ += static_cast<std::uint64_t>(count);
    return checked.good();
  }

  /// Judges every pass since prepare().
  void verify(PwCheck& check, Checked& checked) override {
    Mismatches found[kReads] = {};
    checked(cudaMemcpyAsync(found, found_.as<void>(), sizeof found, cudaMemcpyDeviceToHost, stream_), "cudaMemcpy");
    if (!checked(cudaStreamSynchronize(stream_), "mem.integrity")) return;
    const bool whole = found[0].words == 0 && found[1].words == 0;
    check.status = whole ? PW_CHECK_PASS : PW_CHECK_FAIL;
    check.worst = static_cast<double>(found[0].words + found[1].words);
    check.checked = operand_bytes * passes_;
    if (whole) {
      std::strcpy(check.note, "every word of pattern and complement, read twice");
      return;
    }
    std::snprintf(check.note, sizeof check.note,
                  "wrong words: %llu in first reads, %llu in second; first at byte %llu; bits %016llx", found[0].words,
                  found[1].words, kWord * std::min(found[0].first, found[1].first), found[0].bits | found[1].bits);
  }

 private:
  /// In parts that become smaller where larger ones are refused.
  void take_memory(std::size_t most) {
    for (const std::size_t size : {1024 * kMiB, 256 * kMiB, 16 * kMiB})
      while (operand_bytes + size <= most) {
        PwFault ignored{};
        Checked trial(ignored);
        parts_.emplace_back();
        if (!parts_.back().allocate(size, trial)) {
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

  cudaStream_t stream_ = nullptr;
  int blocks_ = 1;
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
