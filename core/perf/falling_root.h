#pragma once
/// Root of a function that falls through 0 once, from plain arithmetic only.

namespace podwright {

/// Where `excess` turns from above 0 to at most 0 between `low` and `high`: false position with bisection in between,
/// to a relative 1e-12. `excess(low)` is above 0, `excess(high)` is not.
template <class Excess>
double falling_root(double low, double high, const Excess& excess) {
  double at_low = excess(low);
  double at_high = excess(high);
  for (int i = 0; i < 80 && high - low > 1e-12 * high; ++i) {
    const double split = at_low - at_high;
    double middle = i % 3 == 2 || !(split > 0) ? (low + high) / 2 : low + (high - low) * at_low / split;
    if (!(middle > low) || !(middle < high)) middle = (low + high) / 2;
    const double value = excess(middle);
    if (value > 0) {
      low = middle;
      at_low = value;
      at_high /= 2;
    } else {
      high = middle;
      at_high = value;
      at_low /= 2;
    }
  }
  return high;
}

}  // namespace podwright
