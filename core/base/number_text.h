#pragma once
/// Numbers as text, the same bytes on every platform.
#include <string>

namespace podwright {

/// Shortest text that reads back as the same double; whole numbers below 1e15 without a point. `x` must be finite.
std::string shortest_number(double x);
/// `digits` significant digits for people: 3 digits of 12345.6 are "12,300"; thousands get commas, no exponent below 1e15.
std::string human_number(double x, int digits = 3);
/// Fixed decimals with commas in the whole part: 1234.5 with 2 is "1,234.50".
std::string fixed_number(double x, int decimals);

}  // namespace podwright
