#pragma once
/// What a request says of the failures, checkpoints and length of a training run.
#include <optional>

namespace podwright {

/// What a request says of the calendar; what it leaves out comes from the catalog.
struct CalendarRequest {
  std::optional<double> tokens;
  std::optional<double> deadline_days;
  std::optional<double> write_s;
  std::optional<double> storage_write_gb_per_s;
  std::optional<double> interval_s;
  bool asynchronous = false;
  std::optional<double> restart_s;
  std::optional<double> gpu_hours_per_failure;  ///< of the fleet that the run is part of
  std::optional<double> gpu_price_usd_per_hour;
  double step_time_variation = 0;
};

}  // namespace podwright
