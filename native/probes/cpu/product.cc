/// Dense products C = A·B through the BLAS of the machine.
#include <algorithm>
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

template <class In, class Out>
class Product final : public Operation {
 public:
  Product(const PwCase& one, ThreadPool& pool, const Reach& reach, Blas::Gemm<In, Out> gemm)
      : m_(one.m), n_(one.n), k_(one.k), pool_(pool), gemm_(gemm) {
    copies_ = copies_beyond_cache(
        sizeof(In) * static_cast<std::uint64_t>(m_ * k_ + k_ * n_) + sizeof(Out) * static_cast<std::uint64_t>(m_ * n_),
        reach);
    a_ = pages<In>(copies_ * m_ * k_);
    b_ = pages<In>(copies_ * k_ * n_);
    c_ = pages<Out>(copies_ * m_ * n_);
    fill_randomly(a_.get(), copies_ * m_ * k_, one.seed, 1, pool);
    fill_randomly(b_.get(), copies_ * k_ * n_, one.seed, 2, pool);
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

  /// Freivalds' test of each row: C·x = A·(B·x) for a vector of random signs, which no single wrong value passes.
  PwCheck verify() override {
    poison(m_ * n_);
    multiply(0);
    const random::Stream draws(7, 11);
    std::vector<double> signs(static_cast<std::size_t>(n_));
    for (std::size_t j = 0; j < signs.size(); ++j) signs[j] = (draws.bits(j) & 1U) != 0 ? 1.0 : -1.0;
    const auto signed_sum = [&](const auto* row) {
      double sum = 0;
      for (std::size_t j = 0; j < signs.size(); ++j) sum += signs[j] * row[j];
      return sum;
    };
    std::vector<double> bx(static_cast<std::size_t>(k_));
    for (std::int64_t p = 0; p < k_; ++p) bx[static_cast<std::size_t>(p)] = signed_sum(b_.get() + p * n_);
    double worst = 0;
    std::uint64_t not_numbers = 0;
    for (std::int64_t i = 0; i < m_; ++i) {
      const double cx = signed_sum(c_.get() + i * n_);
      double abx = 0;
      double squares = 1e-300;
      for (std::int64_t p = 0; p < k_; ++p) {
        const double term = a_[i * k_ + p] * bx[static_cast<std::size_t>(p)];
        abx += term;
        squares += term * term;
      }
      if (!std::isfinite(cx)) ++not_numbers;
      worst = std::max(worst, std::fabs(cx - abx) / std::sqrt(squares));
    }
    // Errors of k additions grow like a random walk, as the terms of a row do. Narrower operands are exact: what is
    // summed has the type of the result.
    const double unit = std::is_same_v<Out, float> ? 0x1p-24 : 0x1p-53;
    return check_of(worst, 8 * std::sqrt(static_cast<double>(k_)) * unit, not_numbers,
                    static_cast<std::uint64_t>(m_ * n_), "Freivalds' test of each row");
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
  if (dtype == "fp32") return std::make_unique<Product<float, float>>(one, pool, reach, blas().of_floats);
  if (dtype == "fp64") return std::make_unique<Product<double, double>>(one, pool, reach, blas().of_doubles);
  return std::make_unique<Product<Bf16, float>>(one, pool, reach, blas().of_bf16);
}

}  // namespace podwright::probes::cpu
