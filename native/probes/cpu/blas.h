#pragma once
/// The BLAS of this machine, opened at run time: products of the processors run through what programs call there.
#include <bit>
#include <cstdint>
#include <string>

namespace podwright::probes::cpu {

/// The upper half of a float; the lower one is cut off.
struct Bf16 {
  Bf16() = default;
  explicit Bf16(double value)
      : bits(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16U)) {}
  operator double() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U); }

  std::uint16_t bits = 0;
};

struct Blas {
  /// A product of CBLAS: order, both transpositions, m, n, k, alpha, a, its stride, b, its stride, beta, c, its stride.
  template <class In, class Out>
  using Gemm = void (*)(int, int, int, int, int, int, Out, const In*, int, const In*, int, Out, Out*, int);
  static constexpr int kRowMajor = 101;
  static constexpr int kNotTransposed = 111;

  std::string name;     ///< with its version: "OpenBLAS 0.3.21"
  std::string missing;  ///< why there is none; empty where there is one
  Gemm<float, float> of_floats = nullptr;
  Gemm<double, double> of_doubles = nullptr;
  Gemm<Bf16, float> of_bf16 = nullptr;          ///< of the libraries that have one
  void (*set_threads)(std::int64_t) = nullptr;  ///< null: those of the environment
};

/// The file that PODWRIGHT_BLAS names, else the first that is found: the library of the processor's maker, which a site
/// installs for it on purpose and which reaches most there (NVPL on Arm, MKL on Intel's, AOCL on AMD's), then OpenBLAS,
/// which has kernels for all of them, then the others. BLIS is last: its threads wait actively, so that on a machine
/// that others use as well a product can take a thousand times as long.
const Blas& blas();

}  // namespace podwright::probes::cpu
