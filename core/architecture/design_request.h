#pragma once
/// What a whole design is asked for: the need that chooses it, and the site that it must stand on. Absent figures come
/// from the catalog.
#include <optional>
#include <string>

#include "architecture/selection.h"
#include "architecture/storage_plan.h"
#include "base/units.h"

namespace podwright {

/// A three-phase circuit of the site.
struct CircuitRequest {
  std::optional<double> line_voltage_v;
  std::optional<double> current_a;
  std::optional<double> derating;  ///< continuous load over the rating of the breaker
  std::optional<double> power_factor;
};

struct UpsRequest {
  std::optional<double> module_kw;  ///< absent: no UPS is counted
  double ride_through_s = 300;
};

struct StorageRequest {
  std::optional<double> dataset_tb;
  std::optional<double> dataset_copies;
  std::optional<double>
      model_parameters;  ///< of the model that is trained; absent with checkpoint_gb: nothing is saved
  std::optional<double> checkpoint_gb;
  double checkpoints_kept = 10;
  double recent_checkpoints = 2;
  double logs_tb = 0;
  DataPattern data = DataPattern::language;
  std::optional<double> samples_per_s_per_gpu;
  std::optional<double> sample_kb;
  double restart_readers = 1;
  double most_lost_share = 0.05;
  std::optional<double> gpu_hours_per_failure;
  std::optional<double> restart_s;
  std::string level;  ///< asked for; empty: chosen
};

struct DesignRequest {
  ArchitectureNeed need;
  double pue = 1.3;
  std::optional<double> core_oversubscription;  ///< of the compute fabric above its spines; absent: 1
  std::optional<double> air_temperature_rise_k;
  std::optional<double> liquid_temperature_rise_k;
  CircuitRequest circuit;
  UpsRequest ups;
  StorageRequest storage;
};

inline constexpr std::array<std::string_view, 3> kDataPatternWords{"language", "compressed-images", "single-pass"};

}  // namespace podwright
