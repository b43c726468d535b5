#pragma once
/// Why a site cannot take a system, by how much it falls short, and what would help.
#include <optional>
#include <vector>

#include "architecture/design_size.h"
#include "base/infeasible.h"
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

enum class SiteCondition { liquid_cooling, rack_power, rack_height, rack_weight, site_power };

/// A condition that a system breaks; both values in the unit of the condition: kW, rack units, kg. Without a loop for
/// liquid both are 0.
struct SiteBreach {
  SiteCondition condition = SiteCondition::liquid_cooling;
  double needed = 0;
  double given = 0;
};

/// The conditions that one rack with one system, and all `nodes` of them, break; no text is made. `facility_power` is
/// what the nodes draw at full load (absent: not looked at). What the catalog does not know breaks nothing.
std::vector<SiteBreach> site_breaches(const DesignParts& parts, const SiteLimits& site,
                                      std::optional<Watts> facility_power);

/// A breach in words; its ways out keep the GPU. `whole_design`: the power of the site is compared with a whole design,
/// not with the systems alone. With fewer systems than one in reach, fewer GPUs are no way out.
Infeasible shortfall_of(const SiteBreach& breach, const System& system, double nodes, bool whole_design);

/// Counts that no design can serve: fewer than one GPU, a growth to fewer than there are now. Empty: none.
std::vector<Infeasible> count_shortfalls(double gpu_count, std::optional<double> growth_gpu_count);

/// Empty: the site takes `nodes` of the system. `facility_power` is what they draw at the meter at full load (absent:
/// not looked at). Ways out name other GPUs whose system this site is known to take.
std::vector<Infeasible> site_shortfalls(const Catalog& catalog, const DesignParts& parts, const SiteLimits& site,
                                        double nodes, std::optional<Watts> facility_power);

}  // namespace podwright
