#pragma once
/// What fits of times have in common: errors as logarithms, and the limits beyond which a fit is refused.
#include <string>
#include <vector>

#include "base/units.h"

namespace podwright {

/// A machine outside these ranges was measured wrongly; fewer points cannot tell parameters and their spread.
inline constexpr int kFewestProductPoints = 12;
inline constexpr int kFewestTransferPoints = 6;
inline constexpr double kWorstLeaveOneOut = 0.15;
inline constexpr double kLeastEfficiency = 0.2;
inline constexpr double kMostEfficiency = 1.05;
inline constexpr double kMostStartSeconds = 1e-4;

/// Share of what was left out that an interval covers.
inline constexpr double kCovered = 0.9;

/// ln(predicted / measured); infinite where the prediction is not above 0.
double log_error(Seconds predicted, Seconds measured);

/// |ln| error at rank ceil(share (n + 1)), at most the largest; 0 without errors.
double error_at(std::vector<double> errors, double share);

// Sentences without a full stop; empty where there is no problem.
std::string start_problem(Seconds start);
std::string efficiency_problem(double efficiency, const std::string& name);  ///< `name`: "compute efficiency"
std::string unseen_problem(double leave_one_out_median);
std::string count_problem(std::size_t points, int fewest);

}  // namespace podwright
