#pragma once
/// What a device drew while it worked without rest. docs/method/probes.md#load.
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace podwright {

/// One look at a device under load; what it does not give is absent.
struct LoadReading {
  double at_s = 0;                 ///< since the first sample
  std::optional<double> energy_j;  ///< since some moment in the past
  std::optional<double> power_w;
  std::optional<double> temperature_c;
  std::optional<double> memory_temperature_c;
  bool power_capped = false;  ///< at its limit of power, which is usual under load
  bool throttled = false;     ///< slower for heat, brake or slowdown, which is not
};

/// A counter of errors that rose while the load ran.
struct CounterRise {
  std::string name;
  double count = 0;
};

/// Members are named as the keys of the profile.
struct LoadFigures {
  std::optional<double> power_w;      ///< mean
  std::optional<double> power_w_p50;  ///< over windows of a second where the device counts energy, else over readings
  std::optional<double> power_w_p95;  ///< likewise
  std::optional<double> energy_j;     ///< by the device's counter; absent where it has none
  std::optional<double> energy_window_s;  ///< in which it was counted
  std::optional<double> j_per_flop;       ///< of all the power, over counted FLOPs
  std::optional<double> j_per_byte;       ///< of all the power, over counted bytes
  std::optional<double> temperature_c_max;
  std::optional<double> memory_temperature_c_max;
  std::optional<double> power_capped_after_s;  ///< from the first sample; absent: never seen
  std::optional<double> throttled_after_s;     ///< likewise
  std::vector<CounterRise> counters;           ///< those that rose
};

/// Figures of the readings from `from_s` on; of the whole row the times until power or heat bound. `in_order` of time.
/// Nothing where no reading tells power, heat or energy.
std::optional<LoadFigures> load_figures(std::span<const LoadReading> in_order, double from_s);

}  // namespace podwright
