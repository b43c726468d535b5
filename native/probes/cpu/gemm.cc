/// Dense products C = A·B: the BLAS of the machine where one is found at run time, else the blocked kernel.
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "probes/cpu/gemm_kernel.h"
#include "probes/cpu/memory.h"
#include "probes/cpu/operation.h"
#include "probes/opens_libraries.h"

namespace podwright::probes::cpu {
namespace {

/// The functions of a BLAS library that are used here; the numbers of CBLAS are fixed by its reference interface.
struct Blas {
  enum { kRowMajor = 101, kNotTransposed = 111 };
  using Threads = void (*)(int);
  template <class T>
  using Gemm = void (*)(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int);
  Threads threads = nullptr;
  Gemm<float> of_floats = nullptr;
  Gemm<double> of_doubles = nullptr;

  template <class T>
  Gemm<T> of() const {
    if constexpr (sizeof(T) == 4)
      return of_floats;
    else
      return of_doubles;
  }
};

const Blas& blas() {
  static const Blas found = [] {
    Blas library;
    if (std::getenv("PODWRIGHT_NO_BLAS") != nullptr || !opens_libraries()) return library;
    for (const char* name : {"libopenblas.so.0", "libopenblas.so"})
      if (void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
        library.threads = reinterpret_cast<Blas::Threads>(dlsym(handle, "openblas_set_num_threads"));
        library.of_floats = reinterpret_cast<Blas::Gemm<float>>(dlsym(handle, "cblas_sgemm"));
        library.of_doubles = reinterpret_cast<Blas::Gemm<double>>(dlsym(handle, "cblas_dgemm"));
        if (library.threads != nullptr && library.of_floats != nullptr && library.of_doubles != nullptr) break;
        library = {};
      }
    return library;
  }();
  return found;
}

GemmWidth own_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && gemm_avx512().of_floats != nullptr) return gemm_avx512();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && gemm_avx2().of_floats != nullptr)
    return gemm_avx2();
#endif
  return gemm_plain();
}

/// Values of the normal distribution by Box and Muller, one table of them that fills arrays of any size from a place
/// that seed and stream choose.
template <class T>
void fill_normally(T* values, std::int64_t count, std::uint64_t seed, std::uint64_t stream, ThreadPool& pool) {
  constexpr std::int64_t kTable = 1 << 16;
  std::vector<T> table(kTable);
  const random::Stream draws(seed, stream);
  for (std::int64_t i = 0; i < kTable; i += 2) {
    const double radius = std::sqrt(-2.0 * std::log(draws.uniform(static_cast<std::uint64_t>(i))));
    const double angle = 6.283185307179586 * draws.uniform(static_cast<std::uint64_t>(i + 1));
    table[static_cast<std::size_t>(i)] = static_cast<T>(radius * std::cos(angle));
    table[static_cast<std::size_t>(i + 1)] = static_cast<T>(radius * std::sin(angle));
  }
  pool.run([&](int thread, int threads) {
    const Part part = part_of(count, thread, threads);
    for (std::int64_t i = part.first; i < part.last;) {
      const std::uint64_t bits = draws.bits(static_cast<std::uint64_t>(kTable + i));
      const std::int64_t from = static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(kTable));
      const std::int64_t run = std::min({part.last - i, kTable - from, std::int64_t{4096}});
      const T sign = (bits >> 63U) != 0 ? T(-1) : T(1);
      for (std::int64_t j = 0; j < run; ++j) values[i + j] = sign * table[static_cast<std::size_t>(from + j)];
      i += run;
    }
  });
}

template <class T>
class Gemm final : public Operation {
 public:
  Gemm(const PwCase& one, ThreadPool& pool, const Reach& reach)
      : m_(one.m), n_(one.n), k_(one.k), pool_(pool), kernel_(own_kernel()) {
    footprint_bytes = sizeof(T) * static_cast<std::uint64_t>(m_ * k_ + k_ * n_ + m_ * n_);
    copies_ = copies_beyond_cache(footprint_bytes, reach);
    rotated_bytes = footprint_bytes * static_cast<std::uint64_t>(copies_);
    a_ = pages<T>(copies_ * m_ * k_);
    b_ = pages<T>(copies_ * k_ * n_);
    c_ = pages<T>(copies_ * m_ * n_);
    if (std::string(one.variant) == "zeros") {
      fill_with(a_.get(), copies_ * m_ * k_, T(0));
      fill_with(b_.get(), copies_ * k_ * n_, T(0));
    } else {
      fill_normally(a_.get(), copies_ * m_ * k_, one.seed, 1, pool);
      fill_normally(b_.get(), copies_ * k_ * n_, one.seed, 2, pool);
    }
    fill_with(c_.get(), copies_ * m_ * n_, std::numeric_limits<T>::quiet_NaN());
    for (int i = 0; i < pool.threads(); ++i) packed_.push_back(pages<T>(gemm_packed_size()));
    if (blas().of<T>() != nullptr) {
      blas().threads(pool.threads());
      algorithm = "openblas";
    } else {
      algorithm = kernel_.name;
    }
  }

  void run(std::int64_t count) override {
    for (std::int64_t i = 0; i < count; ++i) {
      multiply(copy_);
      copy_ = (copy_ + 1) % copies_;
    }
  }

  PwCheck verify() override {
    fill_with(c_.get(), m_ * n_, std::numeric_limits<T>::quiet_NaN());
    multiply(0);
    const double unit = std::is_same_v<T, float> ? 0x1p-24 : 0x1p-53;
    return check_sampled(8.0 * std::sqrt(static_cast<double>(k_)) * unit);
  }

 private:
  void fill_with(T* values, std::int64_t count, T value) {
    pool_.run([&](int thread, int threads) {
      const Part part = part_of(count, thread, threads);
      std::fill(values + part.first, values + part.last, value);
    });
  }

  void multiply(std::int64_t copy) {
    const T* a = a_.get() + copy * m_ * k_;
    const T* b = b_.get() + copy * k_ * n_;
    T* c = c_.get() + copy * m_ * n_;
    if (const auto gemm = blas().of<T>(); gemm != nullptr) {
      const auto narrow = [](std::int64_t size) { return static_cast<int>(size); };
      gemm(Blas::kRowMajor, Blas::kNotTransposed, Blas::kNotTransposed, narrow(m_), narrow(n_), narrow(k_), T(1), a,
           narrow(k_), b, narrow(n_), T(0), c, narrow(n_));
      return;
    }
    pool_.run([&](int thread, int threads) {
      // Few rows are split by columns, so that each thread reads its own part of B.
      const bool by_rows = m_ >= 2 * n_;
      const Part part = part_of(by_rows ? m_ : n_, thread, threads);
      GemmArguments<T> x{a, b, c, k_, n_, n_, m_, n_, k_, packed_[static_cast<std::size_t>(thread)].get()};
      if (by_rows) {
        x.a += part.first * k_;
        x.c += part.first * n_;
        x.m = part.last - part.first;
      } else {
        x.b += part.first;
        x.c += part.first;
        x.n = part.last - part.first;
      }
      if constexpr (sizeof(T) == 4)
        kernel_.of_floats(x);
      else
        kernel_.of_doubles(x);
    });
  }

  /// 256 random values against sums in the widest type, and the whole product by Freivalds' test: C·x = A·(B·x) for a
  /// vector of signs. `relative` is the error allowed in units of the size of a row times the size of a column.
  PwCheck check_sampled(double relative) const {
    const random::Stream draws(7, 11);
    double worst = 0;
    std::uint64_t not_numbers = 0;
    constexpr std::uint64_t kSamples = 256;
    for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
      const auto row = static_cast<std::int64_t>(draws.bits(2 * sample) % static_cast<std::uint64_t>(m_));
      const auto column = static_cast<std::int64_t>(draws.bits(2 * sample + 1) % static_cast<std::uint64_t>(n_));
      long double sum = 0;
      double squares_a = 0;
      double squares_b = 0;
      for (std::int64_t p = 0; p < k_; ++p) {
        const double a = a_[row * k_ + p];
        const double b = b_[p * n_ + column];
        sum += static_cast<long double>(a) * b;
        squares_a += a * a;
        squares_b += b * b;
      }
      const double value = c_[row * n_ + column];
      if (!std::isfinite(value)) ++not_numbers;
      const double size = std::sqrt(squares_a * squares_b / static_cast<double>(k_)) + 1e-300;
      worst = std::max(worst, std::fabs(value - static_cast<double>(sum)) / size);
    }
    worst = std::max(worst, freivalds(draws, not_numbers));
    return check_of(worst, relative, not_numbers, kSamples + static_cast<std::uint64_t>(m_),
                    "sampled values and Freivalds' test");
  }

  double freivalds(const random::Stream& draws, std::uint64_t& not_numbers) const {
    const auto sign = [&](std::int64_t i) {
      return (draws.bits(4096 + static_cast<std::uint64_t>(i)) & 1U) != 0 ? 1.0 : -1.0;
    };
    std::vector<double> bx(static_cast<std::size_t>(k_));
    for (std::int64_t p = 0; p < k_; ++p)
      for (std::int64_t j = 0; j < n_; ++j) bx[static_cast<std::size_t>(p)] += sign(j) * b_[p * n_ + j];
    double worst = 0;
    for (std::int64_t i = 0; i < m_; ++i) {
      double cx = 0;
      double abx = 0;
      double size = 0;
      for (std::int64_t j = 0; j < n_; ++j) {
        const double value = c_[i * n_ + j];
        if (!std::isfinite(value)) ++not_numbers;
        cx += sign(j) * value;
      }
      for (std::int64_t p = 0; p < k_; ++p) {
        const double term = a_[i * k_ + p] * bx[static_cast<std::size_t>(p)];
        abx += term;
        size += term * term;
      }
      // The errors of n values add up like a random walk, as the terms do in `size`.
      worst = std::max(worst, std::fabs(cx - abx) / (std::sqrt(size) * 8.0 + 1e-300));
    }
    return worst;
  }

  std::int64_t m_, n_, k_;
  ThreadPool& pool_;
  GemmWidth kernel_;
  int copies_ = 1;
  int copy_ = 0;
  Pages<T> a_, b_, c_;
  std::vector<Pages<T>> packed_;
};

}  // namespace

std::unique_ptr<Operation> make_gemm(const PwCase& one, ThreadPool& pool, const Reach& reach) {
  const std::string dtype = one.dtype;
  if (dtype == "fp32") return std::make_unique<Gemm<float>>(one, pool, reach);
  if (dtype == "fp64") return std::make_unique<Gemm<double>>(one, pool, reach);
  return nullptr;
}

}  // namespace podwright::probes::cpu
