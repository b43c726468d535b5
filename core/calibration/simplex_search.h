#pragma once
/// The smallest value of a function of few parameters that has no derivative, such as a sum of absolute errors.
#include <functional>
#include <vector>

namespace podwright {

/// Start-up times are searched in microseconds, so that steps of all parameters are of a size.
inline constexpr double kMicrosecond = 1e-6;

/// How long the search continues. A round ends when the costs of its corners differ by less than `tolerance`.
struct SimplexEffort {
  int rounds = 6;
  double tolerance = 1e-10;
};

/// Nelder and Mead's simplex (1965, doi 10.1093/comjnl/7.4.308), started anew at its result until a round wins nothing.
/// `steps` are the first moves of each parameter. The same result for the same input everywhere.
std::vector<double> simplex_minimum(const std::function<double(const std::vector<double>&)>& cost,
                                    std::vector<double> start, const std::vector<double>& steps,
                                    const SimplexEffort& effort = {});

}  // namespace podwright
