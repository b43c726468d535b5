#include "architecture/site_shortfall.h"

#include <algorithm>
#include <cmath>

#include "architecture/counted.h"

namespace podwright {
namespace {

std::optional<Watts> power_of(const DesignParts& parts) {
  const std::optional<PlannedPower> power =
      parts.power_system == nullptr ? std::nullopt : planned_power(*parts.power_system);
  return power ? std::optional(power->value) : std::nullopt;
}

/// One system of this kind is known to stand in a rack of the site.
bool takes_one(const System& system, const SiteLimits& site) {
  const DesignParts parts{.system = &system, .power_system = &system};
  return power_of(parts) && site_breaches(parts, site, std::nullopt).empty();
}

/// GPUs of other systems that the site takes, newest generation (largest memory) first.
std::vector<std::string> other_gpus(const Catalog& catalog, const System& system, const SiteLimits& site) {
  std::vector<const Gpu*> fitting;
  for (const System& other : catalog.systems) {
    if (other.id == system.id || !takes_one(other, site)) continue;
    for (const std::string& id : other.gpus) {
      const Result<const Gpu*> gpu = find_gpu(catalog, id);
      if (gpu && !holds_gpu(system, id) && std::find(fitting.begin(), fitting.end(), *gpu) == fitting.end())
        fitting.push_back(*gpu);
    }
  }
  std::stable_sort(fitting.begin(), fitting.end(), [](const Gpu* a, const Gpu* b) {
    return a->memory.value_or(Bytes()) > b->memory.value_or(Bytes());
  });
  std::vector<std::string> patches;
  for (const Gpu* gpu : fitting) patches.push_back("{\"gpu\":\"" + gpu->id + "\"}");
  return patches;
}

}  // namespace

std::vector<SiteBreach> site_breaches(const DesignParts& parts, const SiteLimits& site,
                                      std::optional<Watts> facility_power) {
  std::vector<SiteBreach> breaches;
  if (parts.system == nullptr) return breaches;
  const System& system = *parts.system;
  const System& body = system.rack_units || parts.power_system == nullptr ? system : *parts.power_system;
  const auto exceeds = [&](SiteCondition condition, std::optional<double> needed, std::optional<double> given) {
    if (needed && given && *needed > *given)
      breaches.push_back({.condition = condition, .needed = *needed, .given = *given});
  };
  const auto kilowatts = [](std::optional<Watts> power) {
    return power ? std::optional(*power / kw(1)) : std::nullopt;
  };
  if (needs_liquid(system) && !site.liquid_cooling) breaches.push_back({.condition = SiteCondition::liquid_cooling});
  exceeds(SiteCondition::rack_power, kilowatts(power_of(parts)), kilowatts(site.rack_power));
  if (!is_rack(system)) exceeds(SiteCondition::rack_height, body.rack_units, site.rack_units);
  exceeds(SiteCondition::rack_weight, body.weight_kg, site.rack_load_kg);
  exceeds(SiteCondition::site_power, kilowatts(facility_power), kilowatts(site.site_power));
  return breaches;
}

SiteShortfall shortfall_of(const SiteBreach& breach, const System& system, double nodes, std::string_view drawing) {
  const std::string one = "One " + system.name;
  const std::string needed = grouped(breach.needed);
  const std::string given = grouped(breach.given);
  const double missing = rounded_for_display(breach.needed - breach.given);
  switch (breach.condition) {
    case SiteCondition::liquid_cooling:
      return {.code = "liquid-cooling",
              .message = system.name + " needs a liquid loop, and the site has none.",
              .shortfall = std::nullopt,
              .unit = "",
              .ways_out = {"{\"liquid_cooling\":true}"}};
    case SiteCondition::rack_power:
      return {.code = "rack-power",
              .message = one + " draws " + needed + " kW, a rack of the site gives " + given + " kW.",
              .shortfall = missing,
              .unit = "kW",
              .ways_out = {number_patch("rack_power_kw", breach.needed)}};
    case SiteCondition::rack_height:
      return {.code = "rack-height",
              .message = one + " is " + needed + " rack units high, a rack of the site has " + given + ".",
              .shortfall = missing,
              .unit = "rack units",
              .ways_out = {number_patch("rack_units", breach.needed)}};
    case SiteCondition::rack_weight:
      return {.code = "rack-weight",
              .message = one + " weighs " + needed + " kg, a rack of the site carries " + given + " kg.",
              .shortfall = missing,
              .unit = "kg",
              .ways_out = {number_patch("rack_load_kg", breach.needed)}};
    case SiteCondition::site_power:
      break;
  }
  SiteShortfall shortfall{.code = "site-power",
                          .message = std::string(drawing) + " " + human_number(breach.needed, 4) +
                                     " kW at full load, the site gives " + given + " kW.",
                          .shortfall = missing,
                          .unit = "kW",
                          .ways_out = {number_patch("site_power_kw", rounded_for_display(breach.needed))}};
  const double fitting = std::floor(nodes * (breach.given / breach.needed));
  if (fitting >= 1) shortfall.ways_out.push_back(number_patch("gpu_count", fitting * system.gpu_count));
  return shortfall;
}

std::vector<SiteShortfall> count_shortfalls(double gpu_count, std::optional<double> growth_gpu_count) {
  std::vector<SiteShortfall> shortfalls;
  if (gpu_count < 1) {
    const bool no_growth = growth_gpu_count && *growth_gpu_count < 1;
    shortfalls.push_back(
        {.code = "gpu-count",
         .message = "A design needs at least one GPU.",
         .shortfall = 1 - gpu_count,
         .unit = "GPUs",
         .ways_out = {no_growth ? "{\"gpu_count\":1,\"growth_gpu_count\":null}" : number_patch("gpu_count", 1)}});
  }
  if (growth_gpu_count && *growth_gpu_count < gpu_count) {
    shortfalls.push_back({.code = "growth-below-now",
                          .message = "The growth ends at " + counted(*growth_gpu_count, "GPU", "GPUs") +
                                     ", fewer than the " + grouped(gpu_count) + " of now.",
                          .shortfall = gpu_count - *growth_gpu_count,
                          .unit = "GPUs",
                          .ways_out = {number_patch("growth_gpu_count", gpu_count)}});
    if (*growth_gpu_count >= 1) shortfalls.back().ways_out.push_back(number_patch("gpu_count", *growth_gpu_count));
  }
  return shortfalls;
}

std::vector<SiteShortfall> site_shortfalls(const Catalog& catalog, const DesignParts& parts, const SiteLimits& site,
                                           double nodes, std::optional<Watts> facility_power) {
  std::vector<SiteShortfall> shortfalls;
  for (const SiteBreach& breach : site_breaches(parts, site, facility_power)) {
    shortfalls.push_back(shortfall_of(breach, *parts.system, nodes, "With all its losses the design draws"));
    const std::vector<std::string> others = other_gpus(catalog, *parts.system, site);
    std::vector<std::string>& ways_out = shortfalls.back().ways_out;
    ways_out.insert(ways_out.end(), others.begin(), others.end());
  }
  return shortfalls;
}

}  // namespace podwright
