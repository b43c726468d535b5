#include "base/math.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/result.h"

namespace podwright::math {
namespace {

constexpr double kLn2High = 0x1.62e42fee00000p-1;  // ln 2 in two parts: the high one has 21 trailing zero bits
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

/// std::bit_cast, which the library of the browser build does not have yet.
template <class To, class From>
constexpr To bit_cast(From value) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, value);
}

/// 2^k for -1022 <= k <= 1023.
double power_of_two(int k) { return bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52U); }

/// x 2^k for 2^-65 < x < 2^65. Two factors, so that results below the normal range round once.
double scaled(double x, int k) {
  if (k > 1100) return std::numeric_limits<double>::infinity();
  if (k < -1900) return 0.0;
  if (k > 1000) return x * power_of_two(1000) * power_of_two(k - 1000);
  if (k < -900) return x * power_of_two(-900) * power_of_two(k + 900);
  return x * power_of_two(k);
}

/// x = fraction 2^exponent with 1 <= fraction < 2, for finite x > 0.
struct Parts {
  double fraction;
  int exponent;
};
Parts parts_of(double x) {
  int exponent = -1023;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    exponent -= 54;
  }
  const auto bits = bit_cast<std::uint64_t>(x);
  exponent += static_cast<int>(bits >> 52U);
  return {bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL), exponent};
}

/// A number in two parts that do not overlap: about 106 bits (Dekker 1971).
struct Double2 {
  double high;
  double low;
};
/// a + b for |a| >= |b|.
Double2 quick_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
Double2 exact_sum(double a, double b) {
  const double sum = a + b;
  const double of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}
/// Each factor is halved into 26 bits, whose products are exact. Factors below 2^990.
Double2 exact_product(double a, double b) {
  const auto halves = [](double x) {
    const double big = 134217729.0 * x;
    const double high = big - (big - x);
    return Double2{high, x - high};
  };
  const double product = a * b;
  const Double2 x = halves(a);
  const Double2 y = halves(b);
  return {product, ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
}
Double2 operator+(Double2 a, Double2 b) {
  const Double2 sum = exact_sum(a.high, b.high);
  return quick_sum(sum.high, sum.low + a.low + b.low);
}
Double2 operator*(Double2 a, Double2 b) {
  const Double2 product = exact_product(a.high, b.high);
  return quick_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/// ln x with a relative error below 2^-60.
Double2 ln_parts(double x) {
  auto [m, k] = parts_of(x);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++k;
  }
  // ln m = 2 artanh(s) = 2 s + 2 s^3/3 + 2 s^5 (1/5 + s^2/7 + ...), s = (m - 1)/(m + 1), |s| < 0.172
  const Double2 below = exact_sum(m, 1.0);
  const double quotient = (m - 1.0) / below.high;
  const Double2 back = exact_product(quotient, below.high);
  const Double2 s = quick_sum(quotient, ((m - 1.0 - back.high) - back.low - quotient * below.low) / below.high);
  const Double2 s2 = s * s;
  double tail = 0.0;
  for (int n = 25; n >= 5; n -= 2) tail = 1.0 / n + s2.high * tail;
  constexpr Double2 kThird{1.0 / 3.0, 0x1.5555555555555p-56};
  const Double2 twice_s{2.0 * s.high, 2.0 * s.low};
  const Double2 ln_m = twice_s + twice_s * (s2 * (kThird + Double2{s2.high * tail, 0.0}));
  return quick_sum(k * kLn2High, k * kLn2Low) + ln_m;
}

/// x^n for finite x > 0 and 0 <= n <= 64, or its reciprocal.
double whole_power(double x, int n, bool reciprocal) {
  const auto [fraction, exponent] = parts_of(x);
  Double2 power{1.0, 0.0};
  for (int i = 0; i < n; ++i) power = power * Double2{fraction, 0.0};
  if (!reciprocal) return scaled(power.high, exponent * n);
  const double inverse = 1.0 / power.high;
  return scaled(inverse - inverse * (power.low / power.high), -exponent * n);
}

}  // namespace

double exp(double x) {
  PODWRIGHT_ASSERT(x <= 709.0);
  if (x < -745.0) return 0.0;
  const double k = std::floor(x / (kLn2High + kLn2Low) + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double sum = 1.0;  // Taylor series of e^r, |r| <= ln2/2, from the far end
  for (int n = 14; n >= 1; --n) sum = 1.0 + r / n * sum;
  return scaled(sum, static_cast<int>(k));
}

double log(double x) {
  PODWRIGHT_ASSERT(x > 0.0 && x <= std::numeric_limits<double>::max());
  auto [m, k] = parts_of(x);
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

double log2(double x) { return log(x) * 1.4426950408889634; }

double pow(double x, double y) {
  if (y == std::floor(y) && std::fabs(y) <= 64.0) {
    const int n = static_cast<int>(std::fabs(y));
    if (x != 0.0 && std::isfinite(x)) {
      const double size = whole_power(std::fabs(x), n, y < 0.0);
      return x < 0.0 && n % 2 == 1 ? -size : size;
    }
    double result = 1.0;
    for (int i = 0; i < n; ++i) result *= x;
    return y < 0.0 ? 1.0 / result : result;
  }
  if (x == 0.0 && y > 0.0) return 0.0;
  PODWRIGHT_ASSERT(x > 0.0 && x <= std::numeric_limits<double>::max());
  const Double2 ln_x = ln_parts(x);
  const double estimate = y * ln_x.high;
  if (estimate < -750.0) return 0.0;
  PODWRIGHT_ASSERT(estimate <= 709.0);
  // The part of y ln x below its last bit matters: an error of d there is a relative error of d in the power.
  const Double2 power = exact_product(y, ln_x.high);
  const double whole = exp(power.high);
  return whole + whole * (power.low + y * ln_x.low);
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

// Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17.
double normal_share_below(double x) {
  if (x < 0) return 1.0 - normal_share_below(-x);
  const double t = 1.0 / (1.0 + 0.2316419 * x);
  const double polynomial =
      t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const double density = 0.3989422804014327 * exp(-x * x / 2.0);
  return 1.0 - density * polynomial;
}

}  // namespace podwright::math
