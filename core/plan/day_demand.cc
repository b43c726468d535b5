#include "plan/day_demand.h"

#include <algorithm>

namespace podwright {

std::vector<RunLoad> DayDemand::steps() const {
  if (peak_ == 0) return {};
  const double most = static_cast<double>(gpus_.size());
  const UsePlace place = mean_ > mean_of_hours_ ? 1 + (mean_ - mean_of_hours_) / (peak_ - mean_of_hours_)
                         : mean_of_hours_ > 0   ? mean_ / mean_of_hours_
                                                : 1;
  std::vector<double> levels(gpus_.begin(), gpus_.end());
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  std::vector<RunLoad> steps;
  double below = 0;
  for (const double level : levels) {
    double hours = 0;
    for (std::size_t hour = 0; hour < gpus_.size(); ++hour) {
      if (gpus_[hour] < level) continue;
      const bool starts = gpus_[(hour + gpus_.size() - 1) % gpus_.size()] < level;
      hours += starts ? 1 + start_h_ : 1;
    }
    steps.push_back({.gpus = level - below, .share = mean_at(place, std::min(1.0, hours / most), 1)});
    below = level;
  }
  // Peaks that do not come in the same hour.
  if (peak_ > below) steps.push_back({.gpus = peak_ - below, .share = 0});
  return steps;
}

}  // namespace podwright
