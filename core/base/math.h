#pragma once
/// Elementary functions from + - * / and bit patterns only, so that native and browser agree bit for bit; the C library's
/// differ in their last bits between platforms. Relative error below 4e-15 against it (tested).
#include <vector>

namespace podwright::math {

/// e^x; 0 below -745, must not be called above 709.
double exp(double x);
/// Natural logarithm of x > 0.
double log(double x);
/// x^y for x > 0; whole y up to 64 by repeated multiplication, where any x goes.
double pow(double x, double y);
/// Quantile 0 <= q <= 1 of values, linear between order statistics (Hyndman-Fan type 7). `values` must not be empty.
double quantile(std::vector<double> values, double q);

}  // namespace podwright::math
