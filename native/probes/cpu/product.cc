/// Dense products C = A·B through the BLAS of the machine.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "probes/backends.h"
#include "probes/cpu/blas.h"
#include "probes/cpu/memory.h"
#include "probes/cpu/operation.h"

namespace podwright::probes::cpu {
namespace {

double value_of(float x) { return x; }
double value_of(double x) { return x; }
double value_of(Bf16 x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16U); }

template <class T>
T rounded(double x) {
  if constexpr (std::is_same_v<T, Bf16>) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
    return {static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U)};
  } else {
    return static_cast<T>(x);
  }
}

template <class In, class Out>
Blas::Gemm<In, Out> function_of(const Blas& blas) {
  if constexpr (std::is_same_v<In, Bf16>)
    return blas.of_bf16;
  else if constexpr (std::is_same_v<In, double>)
    return blas.of_doubles;
  else
    return blas.of_floats;
}

/// Values of the normal distribution by Box and Muller, one table of them that fills arrays of any size from a place
/// that seed and stream choose.
template <class T>
void fill_normally(T* values, std::int64_t count, std::uint64_t seed, std::uint64_t stream, ThreadPool& pool) {
  constexpr std::int64_t kTable = 1 << 16;
  std::vector<double> table(kTable);
  const random::Stream draws(seed, stream);
  for (std::int64_t i = 0; i < kTable; i += 2) {
    const double radius = std::sqrt(-2.0 * std::log(draws.uniform(static_cast<std::uint64_t>(i))));
    const double angle = 6.283185307179586 * draws.uniform(static_cast<std::uint64_t>(i + 1));
    table[static_cast<std::size_t>(i)] = radius * std::cos(angle);
    table[static_cast<std::size_t>(i + 1)] = radius * std::sin(angle);
  }
  pool.run([&](int thread, int threads) {
    const Part part = part_of(count, thread, threads);
    for (std::int64_t i = part.first; i < part.last;) {
      const std::uint64_t bits = draws.bits(static_cast<std::uint64_t>(kTable + i));
      const std::int64_t from = static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(kTable));
      const std::int64_t run = std::min({part.last - i, kTable - from, std::int64_t{4096}});
      const double sign = (bits >> 63U) != 0 ? -1 : 1;
      for (std::int64_t j = 0; j < run; ++j)
        values[i + j] = rounded<T>(sign * table[static_cast<std::size_t>(from + j)]);
      i += run;
    }
  });
}

template <class In, class Out>
class Product final : public Operation {
 public:
  Product(const PwCase& one, ThreadPool& pool, const Reach& reach)
      : m_(one.m), n_(one.n), k_(one.k), pool_(pool), gemm_(function_of<In, Out>(blas())) {
    copies_ = copies_beyond_cache(
        sizeof(In) * static_cast<std::uint64_t>(m_ * k_ + k_ * n_) + sizeof(Out) * static_cast<std::uint64_t>(m_ * n_),
        reach);
    a_ = pages<In>(copies_ * m_ * k_);
    b_ = pages<In>(copies_ * k_ * n_);
    c_ = pages<Out>(copies_ * m_ * n_);
    fill_normally(a_.get(), copies_ * m_ * k_, one.seed, 1, pool);
    fill_normally(b_.get(), copies_ * k_ * n_, one.seed, 2, pool);
    poison(copies_ * m_ * n_);
    if (blas().set_threads != nullptr) blas().set_threads(pool.threads());
    algorithm = blas().name;
  }

  void run(std::int64_t count) override {
    for (std::int64_t i = 0; i < count; ++i) {
      multiply(copy_);
      copy_ = (copy_ + 1) % copies_;
    }
  }

  PwCheck verify() override {
    poison(m_ * n_);
    multiply(0);
    // Narrower operands are exact; what is summed has the type of the result.
    const double unit = std::is_same_v<Out, float> ? 0x1p-24 : 0x1p-53;
    return check(8.0 * std::sqrt(static_cast<double>(k_)) * unit);
  }

 private:
  void poison(std::int64_t count) {
    pool_.run([&](int thread, int threads) {
      const Part part = part_of(count, thread, threads);
      std::fill(c_.get() + part.first, c_.get() + part.last, std::numeric_limits<Out>::quiet_NaN());
    });
  }

  void multiply(std::int64_t copy) {
    const auto narrow = [](std::int64_t size) { return static_cast<int>(size); };
    gemm_(Blas::kRowMajor, Blas::kNotTransposed, Blas::kNotTransposed, narrow(m_), narrow(n_), narrow(k_), Out(1),
          a_.get() + copy * m_ * k_, narrow(k_), b_.get() + copy * k_ * n_, narrow(n_), Out(0),
          c_.get() + copy * m_ * n_, narrow(n_));
  }

  /// 256 random values against sums in the widest type, and the whole product by Freivalds' test: C·x = A·(B·x) for a
  /// vector of signs. `relative` is the error allowed in units of the size of a row times the size of a column.
  PwCheck check(double relative) const {
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
        const double a = value_of(a_[row * k_ + p]);
        const double b = value_of(b_[p * n_ + column]);
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
      for (std::int64_t j = 0; j < n_; ++j) bx[static_cast<std::size_t>(p)] += sign(j) * value_of(b_[p * n_ + j]);
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
        const double term = value_of(a_[i * k_ + p]) * bx[static_cast<std::size_t>(p)];
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
  Blas::Gemm<In, Out> gemm_;
  int copies_ = 1;
  int copy_ = 0;
  Pages<In> a_, b_;
  Pages<Out> c_;
};

}  // namespace

int product_supported(const std::string& dtype, PwFault& fault) {
  const Blas& library = blas();
  if (!library.missing.empty()) {
    set_fault(fault, "library_missing", library.missing);
    return PW_SKIP;
  }
  const bool has = (dtype == "fp32" && library.of_floats != nullptr) ||
                   (dtype == "fp64" && library.of_doubles != nullptr) ||
                   (dtype == "bf16" && library.of_bf16 != nullptr);
  if (has) return PW_OK;
  set_fault(fault, "not_supported", library.name + " has no product in " + dtype);
  return PW_SKIP;
}

std::unique_ptr<Operation> make_product(const PwCase& one, ThreadPool& pool, const Reach& reach) {
  const std::string dtype = one.dtype;
  if (dtype == "fp32") return std::make_unique<Product<float, float>>(one, pool, reach);
  if (dtype == "fp64") return std::make_unique<Product<double, double>>(one, pool, reach);
  if (dtype == "bf16") return std::make_unique<Product<Bf16, float>>(one, pool, reach);
  return nullptr;
}

}  // namespace podwright::probes::cpu
