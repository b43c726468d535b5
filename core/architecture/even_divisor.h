#pragma once
/// Whole parts of a number: how many switches can share the links of one switch evenly.
#include <cmath>

#include "base/arithmetic.h"

namespace podwright {

/// Smallest divisor of `number` that is not below `least`; `number` itself where there is none.
inline double divisor_from(double least, double number) {
  double best = number;
  for (double i = 1; i * i <= number; i += 1) {
    const double other = number / i;
    if (other != std::floor(other)) continue;
    if (i >= least && i < best) best = i;
    if (other >= least && other < best) best = other;
  }
  return best;
}
inline Traced<double> divisor_from(const Traced<double>& least, const Traced<double>& number) {
  return detail::recorded("divisor_from", least, number, divisor_from(least.value, number.value));
}

}  // namespace podwright
