#pragma once
/// Judges the state of a machine beside its rates: links, ports, modes, services, logs. What each check expects, after
/// which source, and what to do are in data/health_rules.json. docs/operator.md#health-checks.
#include <span>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "measure/health_reading.h"
#include "measure/profile.h"

namespace podwright {

/// NVLinks of a GPU in one direction; 0 where it has none, absent where the catalog does not say.
std::optional<double> nvlinks_of(const Gpu& gpu);

/// The Xids in a kernel's log, of /dev/kmsg or of a file, since the last start of the system that it tells of.
std::vector<LoggedXid> xids_in(std::string_view log);

/// `gpus` belong to the profile's devices, one for each; those that are no GPU are passed over. A null `host` was not
/// looked at, a null `catalog` knows no device. Rates and counters are the profile's.
std::vector<HealthCheck> health_checks(const HardwareProfile& profile, std::span<const GpuReading> gpus,
                                       const HostReading* host, const Catalog* catalog);

}  // namespace podwright
