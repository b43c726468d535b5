#include "calibration/fit_errors.h"

#include <limits>

#include "base/math.h"
#include "base/number_text.h"

namespace podwright {

double log_error(Seconds predicted, Seconds measured) {
  const double ratio = predicted / measured;
  return ratio > 0 ? math::log(ratio) : std::numeric_limits<double>::infinity();
}

double error_at(std::vector<double> errors, double share) {
  if (errors.empty()) return 0;
  std::sort(errors.begin(), errors.end());
  const double rank = std::ceil(share * static_cast<double>(errors.size() + 1));
  return errors[std::min(errors.size(), static_cast<std::size_t>(rank)) - 1];
}

void FitQuality::set_errors(const std::vector<double>& of_unseen) {
  leave_one_out_median = error_at(of_unseen, 0.5);
  leave_one_out_90 = error_at(of_unseen, 0.9);
}

std::string start_problem(Seconds start) {
  if (raw(start) > 0 && raw(start) < kMostStartSeconds) return "";
  return "start-up time " + human_number(raw(start) * 1e6) + " us lies outside 0 to 100 us";
}

std::string efficiency_problem(double efficiency, const std::string& name) {
  if (efficiency > kLeastEfficiency && efficiency < kMostEfficiency) return "";
  return name + " " + human_number(efficiency) + " lies outside 0.2 to 1.05";
}

std::string unseen_problem(double leave_one_out_median) {
  if (!(leave_one_out_median > kWorstLeaveOneOut)) return "";
  return "points that the fit did not see are " + human_number(100 * leave_one_out_median) +
         " % off at the median, more than 15 %";
}

std::string count_problem(std::size_t points, int fewest) {
  if (points >= static_cast<std::size_t>(fewest)) return "";
  return std::to_string(points) + " valid points, fewer than " + std::to_string(fewest);
}

std::string first_problem(std::initializer_list<std::string> problems) {
  for (const std::string& problem : problems)
    if (!problem.empty()) return problem;
  return "";
}

}  // namespace podwright
