#include "measure/load_figures.h"

#include <algorithm>
#include <numeric>

#include "base/math.h"

namespace podwright {
namespace {

// The counter of energy moves about every tenth of a second; over a second that is told to a tenth.
constexpr double kEnergyWindow = 1;

struct Energy {
  double joules = 0;
  double seconds = 0;
  std::vector<double> watts;  ///< of each window
};

/// What the counter says, window by window. Counters that fell were set back and say nothing.
std::optional<Energy> energy_of(std::span<const LoadReading> readings) {
  Energy energy;
  const LoadReading* start = nullptr;
  for (const LoadReading& one : readings) {
    if (!one.energy_j) continue;
    if (start == nullptr) start = &one;
    const double seconds = one.at_s - start->at_s;
    if (seconds < kEnergyWindow) continue;
    const double joules = *one.energy_j - *start->energy_j;
    if (joules < 0) return std::nullopt;
    energy.joules += joules;
    energy.seconds += seconds;
    energy.watts.push_back(joules / seconds);
    start = &one;
  }
  if (energy.watts.empty()) return std::nullopt;
  return energy;
}

std::vector<double> told(std::span<const LoadReading> readings, std::optional<double> LoadReading::*member) {
  std::vector<double> values;
  for (const LoadReading& one : readings)
    if (one.*member) values.push_back(*(one.*member));
  return values;
}

std::optional<double> largest(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return *std::max_element(values.begin(), values.end());
}

std::optional<double> first_seen(std::span<const LoadReading> readings, bool LoadReading::*member) {
  for (const LoadReading& one : readings)
    if (one.*member) return std::max(0.0, one.at_s);
  return std::nullopt;
}

}  // namespace

std::optional<LoadFigures> load_figures(std::span<const LoadReading> in_order, double from_s) {
  std::size_t first = 0;
  while (first < in_order.size() && in_order[first].at_s < from_s) ++first;
  const std::span<const LoadReading> counting = in_order.subspan(first);
  LoadFigures figures;
  std::vector<double> watts = told(counting, &LoadReading::power_w);
  if (const auto energy = energy_of(counting)) {
    figures.energy_j = energy->joules;
    figures.energy_window_s = energy->seconds;
    watts = energy->watts;
  }
  if (!watts.empty()) {
    figures.power_w = figures.energy_j
                          ? *figures.energy_j / *figures.energy_window_s
                          : std::accumulate(watts.begin(), watts.end(), 0.0) / static_cast<double>(watts.size());
    figures.power_w_p50 = math::quantile(watts, 0.5);
    figures.power_w_p95 = math::quantile(watts, 0.95);
  }
  figures.temperature_c_max = largest(told(counting, &LoadReading::temperature_c));
  figures.memory_temperature_c_max = largest(told(counting, &LoadReading::memory_temperature_c));
  figures.power_capped_after_s = first_seen(in_order, &LoadReading::power_capped);
  figures.throttled_after_s = first_seen(in_order, &LoadReading::throttled);
  if (!figures.power_w && !figures.temperature_c_max) return std::nullopt;
  return figures;
}

}  // namespace podwright
