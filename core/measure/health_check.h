#pragma once
/// Judges the state of a machine beside its rates: links, ports, modes, services, logs. docs/operator.md#health-checks.
#include <span>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "measure/health_reading.h"
#include "measure/profile.h"

namespace podwright {

struct HealthRule {
  std::string_view name;
  std::string_view norm;
  std::string_view source;
  std::string_view advice;  ///< what to do where it is not met; a sentence without its full stop
};
/// In the order in which they are given.
std::span<const HealthRule> health_rules();

/// NVLinks of a GPU in one direction; 0 where it has none, absent where the catalog does not say.
std::optional<double> nvlinks_of(const Gpu& gpu);

/// The Xids in a kernel's log, of /dev/kmsg or of a file, since the last start of the system that it tells of.
std::vector<LoggedXid> xids_in(std::string_view log);

/// `gpus` belong to the profile's devices, one for each; those that are no GPU are passed over. A null `host` was not
/// looked at, a null `catalog` knows no device. Rates and counters are the profile's.
std::vector<HealthCheck> health_checks(const HardwareProfile& profile, std::span<const GpuReading> gpus,
                                       const HostReading* host, const Catalog* catalog);

}  // namespace podwright
