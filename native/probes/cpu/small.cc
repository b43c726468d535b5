/// The short operations: a chase through memory, the start and end of a parallel region, a copy.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "probes/cpu/memory.h"
#include "probes/cpu/operation.h"

namespace podwright::probes::cpu {
namespace {

/// Follows a random cycle through all lines of a working set: each load waits for the one before. One operation is
/// one load.
class Chase final : public Operation {
 public:
  Chase(std::int64_t bytes, std::uint64_t seed)
      : lines_(std::max<std::int64_t>(2, bytes / kLine)), next_(pages<std::int64_t>(lines_ * kStep)) {
    // Sattolo's shuffle leaves one cycle through all lines.
    for (std::int64_t i = 0; i < lines_; ++i) next_[i * kStep] = i * kStep;
    const random::Stream draws(seed, 3);
    for (std::int64_t i = lines_ - 1; i > 0; --i) {
      const auto other =
          static_cast<std::int64_t>(draws.bits(static_cast<std::uint64_t>(i)) % static_cast<std::uint64_t>(i));
      std::swap(next_[i * kStep], next_[other * kStep]);
    }
  }

  void run(std::int64_t count) override {
    std::int64_t at = at_;
    for (std::int64_t i = 0; i < count; ++i) at = next_[at];
    at_ = at;
  }

  PwCheck verify() override {
    const std::int64_t start = at_;
    run(lines_ - 1);
    const bool early = at_ == start;
    run(1);
    return check_of(!early && at_ == start ? 0 : 1, 0, 0, static_cast<std::uint64_t>(lines_), "the cycle closes");
  }

 private:
  static constexpr std::int64_t kLine = 128;  // two lines of 64 bytes, which processors fetch in pairs
  static constexpr std::int64_t kStep = kLine / static_cast<std::int64_t>(sizeof(std::int64_t));
  std::int64_t lines_;
  std::int64_t at_ = 0;
  Pages<std::int64_t> next_;
};

/// Starts the pool's threads on nothing and waits for them.
class ForkJoin final : public Operation {
 public:
  explicit ForkJoin(ThreadPool& pool) : pool_(pool), calls_(static_cast<std::size_t>(pool.threads()) * kApart) {}

  void run(std::int64_t count) override {
    for (std::int64_t i = 0; i < count; ++i)
      pool_.run([this](int thread, int) { ++calls_[static_cast<std::size_t>(thread) * kApart]; });
  }

  PwCheck verify() override {
    const std::vector<std::int64_t> before = calls_;
    run(100);
    double worst = 0;
    for (std::size_t i = 0; i < calls_.size(); i += kApart)
      worst = std::max(worst, std::fabs(static_cast<double>(calls_[i] - before[i] - 100)));
    return check_of(worst, 0, 0, calls_.size() / kApart, "every thread ran each time");
  }

 private:
  static constexpr std::size_t kApart = 16;
  ThreadPool& pool_;
  std::vector<std::int64_t> calls_;
};

/// memcpy by one thread: what a host does when it hands a buffer on.
class Copy final : public Operation {
 public:
  Copy(std::int64_t bytes, std::uint64_t seed, ThreadPool& pool)
      : count_(bytes / static_cast<std::int64_t>(sizeof(double))),
        from_(pages<double>(count_)),
        to_(pages<double>(count_)) {
    fill_randomly(from_.get(), count_, seed, 4, pool);
    fill_randomly(to_.get(), count_, seed, 5, pool);
    algorithm = "memcpy";
  }

  void run(std::int64_t count) override {
    for (std::int64_t i = 0; i < count; ++i) {
      std::memcpy(to_.get(), from_.get(), bytes());
      // The compiler must not see that the copies are the same.
      asm volatile("" : : "r"(to_.get()) : "memory");
    }
  }

  PwCheck verify() override {
    std::fill(to_.get(), to_.get() + count_, std::numeric_limits<double>::quiet_NaN());
    run(1);
    const bool same = std::memcmp(to_.get(), from_.get(), bytes()) == 0;
    return check_of(same ? 0 : 1, 0, 0, bytes(), "every byte");
  }

 private:
  std::size_t bytes() const { return sizeof(double) * static_cast<std::size_t>(count_); }

  std::int64_t count_;
  Pages<double> from_, to_;
};

}  // namespace

PwCheck check_of(double worst, double tolerance, std::uint64_t not_numbers, std::uint64_t checked, const char* note) {
  PwCheck check{};
  check.status = worst <= tolerance && not_numbers == 0 ? PW_CHECK_PASS : PW_CHECK_FAIL;
  check.worst = std::isfinite(worst) ? worst : 0;
  check.tolerance = tolerance;
  check.nan_count = not_numbers;
  check.checked = checked;
  std::strncpy(check.note, note, sizeof check.note - 1);
  return check;
}

int copies_beyond_cache(std::uint64_t footprint, const Reach& reach) {
  const std::uint64_t target = std::min(4 * reach.last_cache_bytes, reach.most_bytes);
  return static_cast<int>(
      std::clamp<std::uint64_t>((target + footprint - 1) / std::max<std::uint64_t>(1, footprint), 1, 4096));
}

std::unique_ptr<Operation> make_chase(const PwCase& one, ThreadPool&) {
  return std::make_unique<Chase>(one.bytes, one.seed);
}
std::unique_ptr<Operation> make_fork_join(const PwCase&, ThreadPool& pool) { return std::make_unique<ForkJoin>(pool); }
std::unique_ptr<Operation> make_copy(const PwCase& one, ThreadPool& pool) {
  return std::make_unique<Copy>(one.bytes, one.seed, pool);
}

}  // namespace podwright::probes::cpu
