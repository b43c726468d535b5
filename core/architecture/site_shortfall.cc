#include "architecture/site_shortfall.h"

#include <algorithm>
#include <cmath>

#include "architecture/counted.h"
#include "base/append.h"
#include "base/stable_sort.h"

namespace podwright {
namespace {

std::optional<Watts> power_of(const DesignParts& parts) {
  const std::optional<PlannedPower> power = planned_power(parts);
  return power ? std::optional(power->value) : std::nullopt;
}

/// One system of this kind is known to stand in a rack of the site.
bool takes_one(const System& system, const SiteLimits& site) {
  const DesignParts parts{.system = &system, .power_system = &system};
  return power_of(parts) && site_breaches(parts, site, std::nullopt).empty();
}

/// GPUs of other systems that the site takes, newest generation (largest memory) first.
std::vector<Patch> other_gpus(const Catalog& catalog, const System& system, const SiteLimits& site) {
  std::vector<const Gpu*> fitting;
  for (const System& other : catalog.systems) {
    if (other.id == system.id || !takes_one(other, site)) continue;
    for (const std::string& id : other.gpus) {
      const Result<const Gpu*> gpu = find_gpu(catalog, id);
      if (gpu && !holds_gpu(system, id) && std::find(fitting.begin(), fitting.end(), *gpu) == fitting.end())
        fitting.push_back(*gpu);
    }
  }
  sort_stably(fitting,
              [](const Gpu* a, const Gpu* b) { return a->memory.value_or(Bytes()) > b->memory.value_or(Bytes()); });
  std::vector<Patch> patches;
  for (const Gpu* gpu : fitting) patches.emplace_back("/gpu", gpu->id);
  return patches;
}

}  // namespace

std::vector<SiteBreach> site_breaches(const DesignParts& parts, const SiteLimits& site,
                                      std::optional<Watts> facility_power) {
  std::vector<SiteBreach> breaches;
  if (parts.system == nullptr) return breaches;
  const System& system = *parts.system;
  const System& body = body_of(parts);
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

Infeasible shortfall_of(const SiteBreach& breach, const System& system, double nodes, bool whole_design) {
  const auto name = "system"_v = system.name;
  const auto needed = "needed"_v = breach.needed;
  const auto given = "given"_v = breach.given;
  const auto below = [&](const char* code, Message message, const char* unit, const char* key, double enough) {
    return Infeasible{.code = code,
                      .message = std::move(message),
                      .shortfall = rounded_for_display(breach.needed - breach.given),
                      .unit = unit,
                      .ways_out = {{key, enough}}};
  };
  switch (breach.condition) {
    case SiteCondition::liquid_cooling:
      return {
          .code = "liquid-cooling", .message = say("liquid-cooling", name), .ways_out = {{"/liquid_cooling", true}}};
    case SiteCondition::rack_power:
      return below("rack-power", say("rack-power", name, needed, given), "kW", "/rack_power_kw", breach.needed);
    case SiteCondition::rack_height:
      return below("rack-height", say("rack-height", name, needed, given), "rack units", "/rack_units", breach.needed);
    case SiteCondition::rack_weight:
      return below("rack-weight", say("rack-weight", name, needed, given), "kg", "/rack_load_kg", breach.needed);
    case SiteCondition::site_power:
      break;
  }
  Infeasible shortfall = below(
      "site-power", whole_design ? say("site-power/design", needed, given) : say("site-power/systems", needed, given),
      "kW", "/site_power_kw", rounded_for_display(breach.needed));
  const double fitting = std::floor(nodes * (breach.given / breach.needed));
  if (fitting >= 1) shortfall.ways_out.emplace_back("/gpu_count", fitting * system.gpu_count);
  return shortfall;
}

std::vector<Infeasible> count_shortfalls(double gpu_count, std::optional<double> growth_gpu_count) {
  std::vector<Infeasible> shortfalls;
  if (gpu_count < 1) {
    Patch one("/gpu_count", 1);
    if (growth_gpu_count && *growth_gpu_count < 1) one.clear("/growth_gpu_count");
    shortfalls.push_back({.code = "gpu-count",
                          .message = say("gpu-count"),
                          .shortfall = 1 - gpu_count,
                          .unit = "GPUs",
                          .ways_out = {std::move(one)}});
  }
  if (growth_gpu_count && *growth_gpu_count < gpu_count) {
    shortfalls.push_back({.code = "growth-below-now",
                          .message = say("growth-below-now", "later"_v = *growth_gpu_count, "now"_v = gpu_count),
                          .shortfall = gpu_count - *growth_gpu_count,
                          .unit = "GPUs",
                          .ways_out = {{"/growth_gpu_count", gpu_count}}});
    if (*growth_gpu_count >= 1) shortfalls.back().ways_out.emplace_back("/gpu_count", *growth_gpu_count);
  }
  return shortfalls;
}

std::vector<Infeasible> site_shortfalls(const Catalog& catalog, const DesignParts& parts, const SiteLimits& site,
                                        double nodes, std::optional<Watts> facility_power) {
  std::vector<Infeasible> shortfalls;
  for (const SiteBreach& breach : site_breaches(parts, site, facility_power)) {
    shortfalls.push_back(shortfall_of(breach, *parts.system, nodes, true));
    const std::vector<Patch> others = other_gpus(catalog, *parts.system, site);
    std::vector<Patch>& ways_out = shortfalls.back().ways_out;
    append(ways_out, others);
  }
  return shortfalls;
}

}  // namespace podwright
