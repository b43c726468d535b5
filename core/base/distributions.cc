#include "base/distributions.h"

#include <algorithm>
#include <cmath>

#include "base/bulk_math.h"
#include "base/math.h"
#include "base/result.h"

namespace podwright {
namespace {

constexpr double kCentre = 0.425;

/// For |p - 1/2| <= 0.425, q = p - 1/2.
double normal_centre(double q) {
  const double r = 0.180625 - q * q;
  const double above = bulk::horner(r, 2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4,
                                    4.5921953931549871457e+4, 1.3731693765509461125e+4, 1.9715909503065514427e+3,
                                    1.3314166789178437745e+2, 3.3871328727963666080e0);
  const double below = bulk::horner(r, 5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4,
                                    2.1213794301586595867e+4, 5.3941960214247511077e+3, 6.8718700749205790830e+2,
                                    4.2313330701600911252e+1, 1.0);
  return q * above / below;
}

/// Distance of the quantile from 0 where only `share` of the distribution lies beyond it, share < 0.075.
double normal_tail(double share) {
  const double depth = std::sqrt(-bulk::log(share));
  if (depth <= 5.0) {
    const double r = depth - 1.6;
    const double above = bulk::horner(r, 7.74545014278341407640e-4, 2.27238449892691845833e-2,
                                      2.41780725177450611770e-1, 1.27045825245236838258e0, 3.64784832476320460504e0,
                                      5.76949722146069140550e0, 4.63033784615654529590e0, 1.42343711074968357734e0);
    const double below = bulk::horner(r, 1.05075007164441684324e-9, 5.47593808499534494600e-4,
                                      1.51986665636164571966e-2, 1.48103976427480074590e-1, 6.89767334985100004550e-1,
                                      1.67638483018380384940e0, 2.05319162663775882187e0, 1.0);
    return above / below;
  }
  const double r = depth - 5.0;
  const double above = bulk::horner(r, 2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
                                    2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e0,
                                    5.46378491116411436990e0, 6.65790464350110377720e0);
  const double below = bulk::horner(r, 2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
                                    7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
                                    5.99832206555887937690e-1, 1.0);
  return above / below;
}

/// What the quantile of a triangle needs of it.
struct TriangleTerms {
  double top = 0;    ///< share below the typical value
  double left = 0;   ///< width times the part below it
  double right = 0;  ///< width times the part above it
};
TriangleTerms terms_of(const Triangle& triangle) {
  const double width = triangle.high - triangle.low;
  if (!(width > 0)) return {};
  return {.top = (triangle.typical - triangle.low) / width,
          .left = width * (triangle.typical - triangle.low),
          .right = width * (triangle.high - triangle.typical)};
}
double quantile_of(const Triangle& triangle, const TriangleTerms& terms, double p) {
  const bool below = p < terms.top;
  const double root = std::sqrt(below ? p * terms.left : (1.0 - p) * terms.right);
  return below ? triangle.low + root : triangle.high - root;
}

/// Value at a place between two order statistics; everything before `from` is already no greater than the rest.
double order_statistic(std::span<double> sample, std::size_t from, double position) {
  const auto below = static_cast<std::size_t>(position);
  const double share = position - static_cast<double>(below);
  const auto at = sample.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(sample.begin() + static_cast<std::ptrdiff_t>(from), at, sample.end());
  if (share == 0.0 || below + 1 >= sample.size()) return *at;
  const double next = *std::min_element(at + 1, sample.end());
  return *at + share * (next - *at);
}

}  // namespace

double normal_quantile(double p) {
  PODWRIGHT_ASSERT(p > 0.0 && p < 1.0);
  const double q = p - 0.5;
  if (std::fabs(q) <= kCentre) return normal_centre(q);
  return q < 0 ? -normal_tail(p) : normal_tail(1.0 - p);
}

void to_normal(std::span<double> p) {
  // All as if they lay in the middle, six of seven do; then the others once more.
  constexpr std::size_t kBlock = 256;
  std::array<double, kBlock> block{};
  for (std::size_t start = 0; start < p.size(); start += kBlock) {
    const std::size_t count = std::min(kBlock, p.size() - start);
    double* const numbers = p.data() + start;
    for (std::size_t i = 0; i < count; ++i) block[i] = normal_centre(numbers[i] - 0.5);
    for (std::size_t i = 0; i < count; ++i)
      numbers[i] = std::fabs(numbers[i] - 0.5) <= kCentre ? block[i] : normal_quantile(numbers[i]);
  }
}

double triangle_quantile(const Triangle& triangle, double p) { return quantile_of(triangle, terms_of(triangle), p); }

void to_triangle(const Triangle& triangle, std::span<double> p) {
  const TriangleTerms terms = terms_of(triangle);
  for (double& number : p) number = quantile_of(triangle, terms, number);
}

Lognormal lognormal_of(double low, double typical, double high) {
  PODWRIGHT_ASSERT(low > 0.0 && typical > 0.0 && high >= low);
  constexpr double kNinetyPerCent = 3.289707253902945;  // twice the 95 % quantile of the standard normal distribution
  return {.median = typical, .spread = math::log(high / low) / kNinetyPerCent};
}

void to_lognormal(const Lognormal& lognormal, std::span<double> z) {
  for (double& number : z) number = lognormal.median * bulk::exp(lognormal.spread * number);
}

void quantiles_of(std::span<double> sample, std::span<const double> shares, std::span<double> quantiles) {
  PODWRIGHT_ASSERT(!sample.empty() && shares.size() == quantiles.size());
  const double last = static_cast<double>(sample.size() - 1);
  std::size_t from = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double position = shares[i] * last;
    quantiles[i] = order_statistic(sample, from, position);
    from = static_cast<std::size_t>(position);
  }
}

}  // namespace podwright
