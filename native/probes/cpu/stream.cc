/// The loops of STREAM: copy c = a, scale c = s·a, add c = a + b, triad c = a + s·b, dot Σ a·b.
/// McCalpin 1995, https://www.cs.virginia.edu/stream/ref.html
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "probes/cpu/operation.h"
#include "probes/cpu/stream_arena.h"

namespace podwright::probes::cpu {
namespace {

constexpr double kScale = 3.0;

enum class Loop { copy, scale, add, triad, dot };

class Stream final : public Operation {
 public:
  Stream(Loop loop, std::int64_t count, std::uint64_t seed, ThreadPool& pool, const Reach& reach)
      : loop_(loop),
        count_(count),
        pool_(pool),
        arena_(stream_arena(count, seed, pool, reach)),
        windows_(std::max<std::int64_t>(1, arena_->slab * pool.threads() / count)),
        sums_(static_cast<std::size_t>(pool.threads()) * kApart) {
    poison();
  }

  void run(std::int64_t count) override {
    for (std::int64_t i = 0; i < count; ++i) {
      window_ = (window_ + 1) % windows_;
      work();
    }
  }

  PwCheck verify() override {
    poison();
    work();
    return loop_ == Loop::dot ? check_dot() : check_all();
  }

 private:
  static constexpr std::size_t kApart = 16;  // sums of threads on lines of their own

  void work() {
    pool_.run([this](int thread, int threads) { part(thread, window_of(thread, threads)); });
  }

  void poison() {
    pool_.run([this](int thread, int threads) {
      const Part part = window_of(thread, threads);
      std::fill(c() + part.first, c() + part.last, std::numeric_limits<double>::quiet_NaN());
    });
  }

  /// The thread's part of the current window, inside the slab that it touched first.
  Part window_of(int thread, int threads) const {
    const Part part = part_of(count_, thread, threads);
    const std::int64_t length = part.last - part.first;
    const std::int64_t fitting = length > 0 ? std::max<std::int64_t>(1, arena_->slab / length) : 1;
    const std::int64_t first = arena_->slab * thread + window_ % fitting * length;
    return {first, first + length};
  }

  const double* a() const { return arena_->a.get(); }
  const double* b() const { return arena_->b.get(); }
  double* c() const { return arena_->c.get(); }

  void part(int thread, Part part) {
    const double* __restrict a = this->a();
    const double* __restrict b = this->b();
    double* __restrict c = this->c();
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
        return a()[i];
      case Loop::scale:
        return kScale * a()[i];
      case Loop::add:
        return a()[i] + b()[i];
      default:
        return a()[i] + kScale * b()[i];
    }
  }

  /// Calls look(i) for every place of the current window.
  template <class Look>
  void each(Look look) const {
    for (int thread = 0; thread < pool_.threads(); ++thread) {
      const Part part = window_of(thread, pool_.threads());
      for (std::int64_t i = part.first; i < part.last; ++i) look(i);
    }
  }

  PwCheck check_all() const {
    double worst = 0;
    std::uint64_t not_numbers = 0;
    each([&](std::int64_t i) {
      if (!std::isfinite(c()[i])) ++not_numbers;
      worst = std::max(worst, std::fabs(c()[i] - expected(i)));
    });
    return check_of(worst, 1e-14, not_numbers, static_cast<std::uint64_t>(count_), "every value");
  }

  PwCheck check_dot() const {
    double sum = 0;
    for (std::size_t i = 0; i < sums_.size(); i += kApart) sum += sums_[i];
    double reference = 0;
    double magnitude = 0;
    each([&](std::int64_t i) {
      reference += a()[i] * b()[i];
      magnitude += std::fabs(a()[i] * b()[i]);
    });
    return check_of(std::fabs(sum - reference), 1e-12 * magnitude, std::isfinite(sum) ? 0 : 1, 1, "the sum");
  }

  Loop loop_;
  std::int64_t count_;
  ThreadPool& pool_;
  std::shared_ptr<StreamArena> arena_;
  std::int64_t windows_;
  std::int64_t window_ = 0;
  std::vector<double> sums_;
};

}  // namespace

std::unique_ptr<Operation> make_stream(const PwCase& one, const std::string& loop, ThreadPool& pool,
                                       const Reach& reach) {
  const std::int64_t count = std::max<std::int64_t>(1, one.bytes / static_cast<std::int64_t>(sizeof(double)));
  const char* const names[] = {"copy", "scale", "add", "triad", "dot"};
  for (int i = 0; i < 5; ++i)
    if (loop == names[i]) return std::make_unique<Stream>(static_cast<Loop>(i), count, one.seed, pool, reach);
  return nullptr;
}

}  // namespace podwright::probes::cpu
