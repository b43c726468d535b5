#pragma once
/// Quantile functions of the distributions that costs are drawn from, one number or many at once, and quantiles of
/// samples. docs/method/uncertainty.md#distributions.
#include <array>
#include <cstddef>
#include <span>

namespace podwright {

/// z with P(Z <= z) = p for a standard normal Z and 0 < p < 1; relative error below 1e-14. Wichura 1988, algorithm
/// AS 241 (PPND16), doi 10.2307/2347330.
double normal_quantile(double p);
/// The same of each number of `p`, in place.
void to_normal(std::span<double> p);

/// A triangle over low..high with its top at `typical`. Ends may coincide with the top.
struct Triangle {
  double low = 0;
  double typical = 0;
  double high = 0;
};
double triangle_quantile(const Triangle& triangle, double p);
/// The same of each number of `p`, in place.
void to_triangle(const Triangle& triangle, std::span<double> p);

/// e^(ln median + spread Z), Z standard normal.
struct Lognormal {
  double median = 1;
  double spread = 0;  ///< standard deviation of the logarithm, at most 50
};
/// Median `typical`; the spread puts 90 % of a distribution around the geometric mean of low and high between them:
/// ln(high / low) / (2 x 1.6449). All above 0.
Lognormal lognormal_of(double low, double typical, double high);
/// From standard normal numbers, in place.
void to_lognormal(const Lognormal& lognormal, std::span<double> z);

/// Quantiles at `shares` (0..1, rising) of a sample, linear between order statistics (Hyndman-Fan type 7). Reorders the
/// sample, which must not be empty; the result does not depend on its order.
void quantiles_of(std::span<double> sample, std::span<const double> shares, std::span<double> quantiles);

}  // namespace podwright
