#pragma once
/// Roots of a function of one number.
#include <cmath>

namespace podwright {

/// Where `excess` turns from above 0 to at most 0 between `low` and `high`: inverse quadratic interpolation where it is
/// safe, else bisection (Chandrupatla 1997), to a relative 1e-12. `excess(low)` is above 0, `excess(high)` is not.
/// Never below the root.
template <class Excess>
double falling_root(double low, double high, const Excess& excess) {
  double at_low = excess(low);
  double at_high = excess(high);
  double left = 0.5;  // the next point, as a share of the way from low to high
  for (int i = 0; i < 80 && high - low > 1e-12 * high; ++i) {
    const double least = 0.25e-12 * high / (high - low);
    const double middle = low + std::fmin(std::fmax(left, least), 1 - least) * (high - low);
    const double value = excess(middle);
    // The bracket keeps the root; the end that it leaves is the third point.
    double third = 0;
    double at_third = 0;
    if (value > 0) {
      third = low;
      at_third = at_low;
      low = middle;
      at_low = value;
    } else {
      third = high;
      at_third = at_high;
      high = middle;
      at_high = value;
    }
    left = 0.5;
    // Of the newest point a, the other end b and the third point c.
    const double a = value > 0 ? low : high;
    const double b = value > 0 ? high : low;
    const double at_a = value;
    const double at_b = value > 0 ? at_high : at_low;
    const double place = (a - b) / (third - b);
    const double fall = (at_a - at_b) / (at_third - at_b);
    if (!(fall * fall < place) || !((1 - fall) * (1 - fall) < 1 - place)) continue;
    const double from_a = at_a / (at_b - at_a) * at_third / (at_b - at_third) +
                          (third - a) / (b - a) * at_a / (at_third - at_a) * at_b / (at_third - at_b);
    left = value > 0 ? from_a : 1 - from_a;
  }
  return high;
}

}  // namespace podwright
