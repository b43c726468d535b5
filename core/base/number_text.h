#pragma once
/// Numbers as text, the same bytes on every platform.
#include <string>

namespace podwright {

/// Short text that reads back as the same double (17 digits at most, nearly always the fewest); whole numbers below
/// 1e15 without a point. `x` must be finite.
std::string shortest_number(double x);
/// `digits` significant digits for people: 3 digits of 12345.6 are "12,300"; thousands get commas, an exponent
/// only from 1e15 up and below 1e-6.
std::string human_number(double x, int digits = 3);
/// A share of 0 to 1: "54.6 %".
std::string percent_text(double share, int digits = 3);
/// Fixed decimals (at most 80) with commas in the whole part: 1234.5 with 2 is "1,234.50". Zero has no sign.
std::string fixed_number(double x, int decimals);

/// Dollars for people: cents from 0.1 to 1000, else three digits: "$1.10", "$0.0521", "$531,000", "$1.62 million".
std::string dollars_text(double usd);
/// A time for people, three digits of the unit that suits it: "613 ms", "1.79 s", "3.31 min", "2.5 days".
std::string duration_text(double seconds);
/// `x` to 15 significant digits, so that 3.79 an hour, kept per second, is shown as 3.79 again; or to fewer.
double rounded_for_display(double x, int digits = 15);

}  // namespace podwright
