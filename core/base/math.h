#pragma once
/// Elementary functions from + - * / and bit patterns only, so that native and browser agree bit for bit; the C
/// library's differ in their last bits between platforms. Relative error below 1e-15 where the result is a normal
/// number (tested against the C library).
#include <vector>

namespace podwright::math {

/// e^x; 0 below -745. x must be at most 709.
double exp(double x);
/// Natural logarithm of a finite x > 0.
double log(double x);
/// Logarithm of base 2 of a finite x > 0; relative error below 2e-15.
double log2(double x);
/// x^y for x > 0 (or x = 0 with y > 0) with a result of at most e^709; whole |y| <= 64 takes any x, and the result is
/// exact where a double holds it.
double pow(double x, double y);
/// Quantile 0 <= q <= 1 of values, linear between order statistics (Hyndman-Fan type 7). `values` must not be empty.
double quantile(std::vector<double> values, double q);
/// Share of a standard normal distribution below x; absolute error below 7.5e-8.
double normal_share_below(double x);

}  // namespace podwright::math
