#pragma once
/// Exponential and logarithm for loops over many numbers: without branches, so that a compiler can take several numbers
/// at once, and from + - * / and bit patterns only, so that native and browser agree bit for bit. Relative error below
/// 1e-15 (tested against the C library). Where a number is computed once, base/math.h is the choice: it checks its
/// arguments.
#include <cstdint>

namespace podwright::bulk {

/// A polynomial by Horner's rule, the coefficient of the highest power first. Without a loop, as the functions below.
template <class... Rest>
[[gnu::always_inline]] inline double horner(double x, double highest, Rest... rest) {
  double sum = highest;
  ((sum = rest + x * sum), ...);
  return sum;
}

/// e^x for |x| <= 700.
inline double exp(double x) {
  constexpr double kRounder = 0x1.8p52;  // adding it rounds to a whole number, which its low bits then hold
  constexpr double kLn2High = 0x1.62e42fee00000p-1;
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  const double rounded = x * 1.4426950408889634 + kRounder;
  const double k = rounded - kRounder;
  const double r = (x - k * kLn2High) - k * kLn2Low;
  // Taylor series of e^r, |r| <= ln2/2, from the far end
  const double sum =
      horner(r, 1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0,
             1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0);
  return __builtin_bit_cast(
      double, __builtin_bit_cast(std::uint64_t, sum) + (__builtin_bit_cast(std::uint64_t, rounded) << 52U));
}

/// Natural logarithm of a normal x > 0.
inline double log(double x) {
  constexpr std::uint64_t kRootHalf = 0x3fe6a09e667f3bcdULL;
  constexpr std::uint64_t kExponentBias = 0x4338000000000000ULL;  // of 1.5 2^52
  constexpr double kLn2High = 0x1.62e42fee00000p-1;
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  const auto bits = __builtin_bit_cast(std::uint64_t, x);
  // x = m 2^k, sqrt(1/2) <= m < sqrt(2)
  const std::uint64_t above = bits - kRootHalf + 0x3ff0000000000000ULL;  // exponent field: k + 1023
  const double k = __builtin_bit_cast(double, kExponentBias + (above >> 52U)) - (0x1.8p52 + 1023.0);
  const double m = __builtin_bit_cast(double, bits - ((above >> 52U) << 52U) + 0x3ff0000000000000ULL);
  // ln m = 2 artanh(s), s = (m - 1)/(m + 1), |s| < 0.172
  const double f = m - 1.0;
  const double s = f / (m + 1.0);
  const double s2 = s * s;
  const double sum = horner(s2, 1.0 / 23.0, 1.0 / 21.0, 1.0 / 19.0, 1.0 / 17.0, 1.0 / 15.0, 1.0 / 13.0, 1.0 / 11.0,
                            1.0 / 9.0, 1.0 / 7.0, 1.0 / 5.0, 1.0 / 3.0);
  const double ln_m = f - s * (f - 2.0 * (s2 * sum));
  return k * kLn2High + (ln_m + k * kLn2Low);
}

}  // namespace podwright::bulk
