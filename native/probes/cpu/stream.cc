/// The loops of STREAM: copy c = a, scale c = s·a, add c = a + b, triad c = a + s·b, dot Σ a·b.
/// McCalpin 1995, https://www.cs.virginia.edu/stream/ref.html
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "probes/cpu/memory.h"
#include "probes/cpu/operation.h"

namespace podwright::probes::cpu {
namespace {

constexpr double kScale = 3.0;

enum class Loop { copy, scale, add, triad, dot };

class Stream final : public Operation {
 public:
  Stream(Loop loop, std::int64_t count, std::uint64_t seed, ThreadPool& pool)
      : loop_(loop),
        count_(count),
        pool_(pool),
        a_(pages<double>(count)),
        b_(pages<double>(count)),
        c_(pages<double>(count)),
        sums_(static_cast<std::size_t>(pool.threads()) * kApart) {
    fill_evenly(a_.get(), count, seed, 1, pool);
    fill_evenly(b_.get(), count, seed, 2, pool);
    poison();
    footprint_bytes = rotated_bytes = 3 * sizeof(double) * static_cast<std::uint64_t>(count);
  }

  void run(std::int64_t count) override {
    for (std::int64_t i = 0; i < count; ++i)
      pool_.run([this](int thread, int threads) { part(thread, part_of(count_, thread, threads)); });
  }

  PwCheck verify() override {
    poison();
    run(1);
    return loop_ == Loop::dot ? check_dot() : check_all();
  }

 private:
  static constexpr std::size_t kApart = 16;  // sums of threads on lines of their own

  void poison() {
    pool_.run([this](int thread, int threads) {
      const Part part = part_of(count_, thread, threads);
      std::fill(c_.get() + part.first, c_.get() + part.last, std::numeric_limits<double>::quiet_NaN());
    });
  }

  void part(int thread, Part part) {
    const double* __restrict a = a_.get();
    const double* __restrict b = b_.get();
    double* __restrict c = c_.get();
    switch (loop_) {
      case Loop::copy:
        for (std::int64_t i = part.first; i < part.last; ++i) c[i] = a[i];
        break;
      case Loop::scale:
        for (std::int64_t i = part.first; i < part.last; ++i) c[i] = kScale * a[i];
        break;
      case Loop::add:
        for (std::int64_t i = part.first; i < part.last; ++i) c[i] = a[i] + b[i];
        break;
      case Loop::triad:
        for (std::int64_t i = part.first; i < part.last; ++i) c[i] = a[i] + kScale * b[i];
        break;
      case Loop::dot: {
        constexpr int kSums = 16;
        double sums[kSums] = {};
        std::int64_t i = part.first;
        for (; i + kSums <= part.last; i += kSums)
          for (int lane = 0; lane < kSums; ++lane) sums[lane] += a[i + lane] * b[i + lane];
        for (; i < part.last; ++i) sums[0] += a[i] * b[i];
        double sum = 0;
        for (const double one : sums) sum += one;
        sums_[static_cast<std::size_t>(thread) * kApart] = sum;
        break;
      }
    }
  }

  double expected(std::int64_t i) const {
    switch (loop_) {
      case Loop::copy:
        return a_[i];
      case Loop::scale:
        return kScale * a_[i];
      case Loop::add:
        return a_[i] + b_[i];
      default:
        return a_[i] + kScale * b_[i];
    }
  }

  PwCheck check_all() const {
    double worst = 0;
    std::uint64_t not_numbers = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      if (!std::isfinite(c_[i])) ++not_numbers;
      worst = std::max(worst, std::fabs(c_[i] - expected(i)));
    }
    return check_of(worst, 1e-14, not_numbers, static_cast<std::uint64_t>(count_), "every value");
  }

  PwCheck check_dot() const {
    double sum = 0;
    for (std::size_t i = 0; i < sums_.size(); i += kApart) sum += sums_[i];
    double reference = 0;
    double magnitude = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      reference += a_[i] * b_[i];
      magnitude += std::fabs(a_[i] * b_[i]);
    }
    return check_of(std::fabs(sum - reference), 1e-12 * magnitude, std::isfinite(sum) ? 0 : 1, 1, "the sum");
  }

  Loop loop_;
  std::int64_t count_;
  ThreadPool& pool_;
  Pages<double> a_, b_, c_;
  std::vector<double> sums_;
};

}  // namespace

std::unique_ptr<Operation> make_stream(const PwCase& one, const std::string& loop, ThreadPool& pool) {
  const std::int64_t count = std::max<std::int64_t>(1, one.bytes / static_cast<std::int64_t>(sizeof(double)));
  const char* const names[] = {"copy", "scale", "add", "triad", "dot"};
  for (int i = 0; i < 5; ++i)
    if (loop == names[i]) return std::make_unique<Stream>(static_cast<Loop>(i), count, one.seed, pool);
  return nullptr;
}

}  // namespace podwright::probes::cpu
