#include "base/math.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/result.h"

namespace podwright::math {
namespace {

constexpr double kLn2High = 0x1.62e42fee00000p-1;  // ln 2 in two parts: the high one has 21 trailing zero bits
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

/// 2^k for -1022 <= k <= 1023.
double power_of_two(int k) { return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52U); }

}  // namespace

double exp(double x) {
  PODWRIGHT_ASSERT(x < 709.0);
  if (x < -745.0) return 0.0;
  const double k = std::floor(x / (kLn2High + kLn2Low) + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double sum = 1.0;  // Taylor series of e^r, |r| <= ln2/2, from the far end
  for (int n = 14; n >= 1; --n) sum = 1.0 + r / n * sum;
  const int whole = static_cast<int>(k);
  // Two factors, so that results below the normal range round once.
  return whole >= -1000 ? sum * power_of_two(whole) : sum * power_of_two(-1000) * power_of_two(whole + 1000);
}

double log(double x) {
  PODWRIGHT_ASSERT(x > 0.0);
  int k = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    k -= 54;
  }
  auto bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<int>(bits >> 52U) - 1023;
  bits = (bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL;
  double m = std::bit_cast<double>(bits);  // 1 <= m < 2
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++k;
  }
  // ln m = 2 artanh(s), s = (m - 1)/(m + 1), |s| < 0.172
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double sum = 0.0;
  for (int n = 23; n >= 3; n -= 2) sum = s2 * (1.0 / n + sum);
  const double f = m - 1.0;
  // 2 s = f - s f exactly enough: keeps full precision near m = 1.
  const double ln_m = f - s * (f - 2.0 * sum);
  return k * kLn2High + (ln_m + k * kLn2Low);
}

double pow(double x, double y) {
  if (y == std::floor(y) && std::fabs(y) <= 64.0) {
    double result = 1.0;
    for (int i = 0; i < static_cast<int>(std::fabs(y)); ++i) result *= x;
    return y < 0.0 ? 1.0 / result : result;
  }
  return exp(y * log(x));
}

double quantile(std::vector<double> values, double q) {
  PODWRIGHT_ASSERT(!values.empty() && q >= 0.0 && q <= 1.0);
  std::sort(values.begin(), values.end());
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const double share = position - std::floor(position);
  if (below + 1 >= values.size()) return values.back();
  return values[below] + share * (values[below + 1] - values[below]);
}

}  // namespace podwright::math
