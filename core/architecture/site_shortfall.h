#pragma once
/// Why a site cannot take a system, by how much it falls short, and what would help.
#include <optional>
#include <string>
#include <vector>

#include "architecture/design_size.h"
#include "base/units.h"
#include "catalog/catalog.h"

namespace podwright {

/// What the site gives. Absent: not limited, and not looked at.
struct SiteLimits {
  std::optional<Watts> rack_power;
  std::optional<double> rack_units;
  std::optional<double> rack_load_kg;
  bool liquid_cooling = true;
  std::optional<Watts> site_power;  ///< at the meter
};

struct SiteShortfall {
  std::string code;  ///< gpu-count, growth-below-now, rack-power, rack-height, rack-weight, liquid-cooling, site-power
  std::string message;
  std::optional<double> shortfall;  ///< in `unit`; absent where something is missing altogether
  std::string unit;
  std::vector<std::string> ways_out;  ///< JSON Merge Patches, those that keep the GPU first
};

/// Counts that no design can serve: fewer than one GPU, a growth to fewer than there are now. Empty: none.
std::vector<SiteShortfall> count_shortfalls(double gpu_count, std::optional<double> growth_gpu_count);

/// Empty: the site takes `nodes` of the system. `facility_power` is what they draw at the meter at full load (absent:
/// not looked at). Ways out name other GPUs of the same maker whose DGX or rack this site takes.
std::vector<SiteShortfall> site_shortfalls(const Catalog& catalog, const DesignParts& parts, const SiteLimits& site,
                                           double nodes, std::optional<Watts> facility_power);

}  // namespace podwright
