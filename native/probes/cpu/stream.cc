/// The loops of STREAM: copy c = a, scale c = s·a, add c = a + b, triad c = a + s·b, dot Σ a·b.
/// McCalpin 1995, https://www.cs.virginia.edu/stream/ref.html
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "probes/cpu/memory.h"
#include "probes/cpu/operation.h"

namespace podwright::probes::cpu {
namespace {

/// The memory that the loops walk through: every operation takes the next window of three arrays, so that no cache
/// still holds it. Each array has one slab for each thread, which that thread touches first.
struct Arena {
  int threads = 0;
  std::int64_t slab = 0;  ///< values of one thread in one array
  Pages<double> a, b, c;
};

/// The last one, given again, since filling takes longer than measuring.
std::shared_ptr<Arena>& kept() {
  static std::shared_ptr<Arena> arena;
  return arena;
}

/// Of `reach.arena_bytes`, larger where a window of `count` values needs it. Throws std::bad_alloc.
std::shared_ptr<Arena> arena_for(std::int64_t count, std::uint64_t seed, ThreadPool& pool, const Reach& reach) {
  const int threads = pool.threads();
  const auto all = static_cast<std::int64_t>(reach.arena_bytes / (3 * sizeof(double)));
  constexpr std::int64_t kPage = 4096 / sizeof(double);
  const std::int64_t part = (std::max(count, all) + threads - 1) / threads;
  const std::int64_t slab = (part + kPage - 1) / kPage * kPage;
  if (kept() && kept()->threads == threads && kept()->slab >= slab) return kept();
  kept().reset();
  const std::int64_t length = slab * threads;
  auto arena = std::make_shared<Arena>(
      Arena{threads, slab, pages<double>(length), pages<double>(length), pages<double>(length)});
  fill_randomly(arena->a.get(), length, seed, 1, pool);
  fill_randomly(arena->b.get(), length, seed, 2, pool);
  fill_randomly(arena->c.get(), length, seed, 3, pool);
  kept() = arena;
  return arena;
}

enum class Loop { copy, scale, add, triad, dot };

/// What a loop makes of one place.
template <Loop kLoop>
double value_of(double a, double b) {
  constexpr double kScale = 3.0;
  if constexpr (kLoop == Loop::copy) return a;
  if constexpr (kLoop == Loop::scale) return kScale * a;
  if constexpr (kLoop == Loop::add) return a + b;
  if constexpr (kLoop == Loop::triad) return a + kScale * b;
  if constexpr (kLoop == Loop::dot) return a * b;
}

template <Loop kLoop>
class Stream final : public Operation {
 public:
  Stream(std::int64_t count, std::uint64_t seed, ThreadPool& pool, const Reach& reach)
      : count_(count),
        pool_(pool),
        arena_(arena_for(count, seed, pool, reach)),
        windows_(std::max<std::int64_t>(1, arena_->slab * pool.threads() / count)),
        sums_(static_cast<std::size_t>(pool.threads())) {}

  void run(std::int64_t count) override {
    for (std::int64_t i = 0; i < count; ++i) {
      window_ = (window_ + 1) % windows_;
      work();
    }
  }

  PwCheck verify() override {
    std::fill(sums_.begin(), sums_.end(), kPoison);
    pool_.run([this](int thread, int threads) {
      const Part part = window_of(thread, threads);
      std::fill(arena_->c.get() + part.first, arena_->c.get() + part.last, kPoison);
    });
    work();
    double worst = 0, sum = 0, magnitude = 0;
    std::uint64_t not_numbers = 0;
    for (int thread = 0; thread < pool_.threads(); ++thread) {
      const Part part = window_of(thread, pool_.threads());
      for (std::int64_t i = part.first; i < part.last; ++i) {
        const double expected = value_of<kLoop>(arena_->a[i], arena_->b[i]);
        sum += expected;
        magnitude += std::fabs(expected);
        if constexpr (kLoop == Loop::dot) continue;
        if (!std::isfinite(arena_->c[i])) ++not_numbers;
        worst = std::max(worst, std::fabs(arena_->c[i] - expected));
      }
    }
    if constexpr (kLoop != Loop::dot)
      return check_of(worst, 1e-14, not_numbers, static_cast<std::uint64_t>(count_), "every value");
    const double told = std::accumulate(sums_.begin(), sums_.end(), 0.0);
    return check_of(std::fabs(told - sum), 1e-12 * magnitude, std::isfinite(told) ? 0 : 1, 1, "the sum");
  }

 private:
  static constexpr double kPoison = std::numeric_limits<double>::quiet_NaN();

  void work() {
    pool_.run([this](int thread, int threads) {
      const Part part = window_of(thread, threads);
      const double* __restrict a = arena_->a.get();
      const double* __restrict b = arena_->b.get();
      double* __restrict c = arena_->c.get();
      if constexpr (kLoop == Loop::dot)
        sums_[static_cast<std::size_t>(thread)] = dot(a, b, part);
      else
        for (std::int64_t i = part.first; i < part.last; ++i) c[i] = value_of<kLoop>(a[i], b[i]);
    });
  }

  /// In lanes, so that additions need not wait for each other.
  static double dot(const double* a, const double* b, Part part) {
    constexpr int kLanes = 16;
    double sums[kLanes] = {};
    std::int64_t i = part.first;
    for (; i + kLanes <= part.last; i += kLanes)
      for (int lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
    for (; i < part.last; ++i) sums[0] += a[i] * b[i];
    return std::accumulate(sums, sums + kLanes, 0.0);
  }

  /// The thread's part of the current window, inside the slab that it touched first.
  Part window_of(int thread, int threads) const {
    const Part part = part_of(count_, thread, threads);
    const std::int64_t length = part.last - part.first;
    const std::int64_t fitting = length > 0 ? std::max<std::int64_t>(1, arena_->slab / length) : 1;
    const std::int64_t first = arena_->slab * thread + window_ % fitting * length;
    return {first, first + length};
  }

  std::int64_t count_;
  ThreadPool& pool_;
  std::shared_ptr<Arena> arena_;
  std::int64_t windows_;
  std::int64_t window_ = 0;
  std::vector<double> sums_;
};

}  // namespace

void drop_stream_arena() { kept().reset(); }

std::uint64_t stream_arena_bytes() {
  return kept() ? 3 * sizeof(double) * static_cast<std::uint64_t>(kept()->slab * kept()->threads) : 0;
}

std::unique_ptr<Operation> make_stream(const PwCase& one, const std::string& loop, ThreadPool& pool,
                                       const Reach& reach) {
  const std::int64_t count = std::max<std::int64_t>(1, one.bytes / static_cast<std::int64_t>(sizeof(double)));
  if (loop == "copy") return std::make_unique<Stream<Loop::copy>>(count, one.seed, pool, reach);
  if (loop == "scale") return std::make_unique<Stream<Loop::scale>>(count, one.seed, pool, reach);
  if (loop == "add") return std::make_unique<Stream<Loop::add>>(count, one.seed, pool, reach);
  if (loop == "triad") return std::make_unique<Stream<Loop::triad>>(count, one.seed, pool, reach);
  if (loop == "dot") return std::make_unique<Stream<Loop::dot>>(count, one.seed, pool, reach);
  return nullptr;
}

}  // namespace podwright::probes::cpu
