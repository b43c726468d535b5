#include "architecture/site_shortfall.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"

namespace podwright {
namespace {

std::string patch(std::string_view key, double value) {
  return "{\"" + std::string(key) + "\":" + shortest_number(value) + "}";
}

/// One system of this kind in a rack of the site.
bool takes_one(const System& system, const SiteLimits& site) {
  const std::optional<PlannedPower> power = planned_power(system);
  if (!power) return false;
  if (site.rack_power && power->value > *site.rack_power) return false;
  if (needs_liquid(system) && !site.liquid_cooling) return false;
  if (is_rack(system)) return true;
  if (site.rack_units && system.rack_units && *system.rack_units > *site.rack_units) return false;
  return !(site.rack_load_kg && system.weight_kg && *system.weight_kg > *site.rack_load_kg);
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

std::vector<SiteShortfall> count_shortfalls(double gpu_count, std::optional<double> growth_gpu_count) {
  std::vector<SiteShortfall> shortfalls;
  if (gpu_count < 1)
    shortfalls.push_back({.code = "gpu-count",
                          .message = "A design needs at least one GPU.",
                          .shortfall = 1 - gpu_count,
                          .unit = "GPUs",
                          .ways_out = {patch("gpu_count", 1)}});
  if (growth_gpu_count && *growth_gpu_count < gpu_count)
    shortfalls.push_back({.code = "growth-below-now",
                          .message = "The growth ends at " + shortest_number(*growth_gpu_count) +
                                     " GPUs, fewer than the " + shortest_number(gpu_count) + " of now.",
                          .shortfall = gpu_count - *growth_gpu_count,
                          .unit = "GPUs",
                          .ways_out = {patch("growth_gpu_count", gpu_count), patch("gpu_count", *growth_gpu_count)}});
  return shortfalls;
}

std::vector<SiteShortfall> site_shortfalls(const Catalog& catalog, const DesignParts& parts, const SiteLimits& site,
                                           double nodes, std::optional<Watts> facility_power) {
  std::vector<SiteShortfall> shortfalls;
  if (parts.system == nullptr) return shortfalls;
  const System& system = *parts.system;
  const System& body = system.rack_units || parts.power_system == nullptr ? system : *parts.power_system;
  const auto add = [&](std::string code, std::string message, std::optional<double> shortfall, std::string unit,
                       std::vector<std::string> ways_out) {
    const std::vector<std::string> others = other_gpus(catalog, system, site);
    ways_out.insert(ways_out.end(), others.begin(), others.end());
    shortfalls.push_back({.code = std::move(code),
                          .message = std::move(message),
                          .shortfall = shortfall,
                          .unit = std::move(unit),
                          .ways_out = std::move(ways_out)});
  };

  if (needs_liquid(system) && !site.liquid_cooling)
    add("liquid-cooling", system.name + " needs a liquid loop, and the site has none.", std::nullopt, "",
        {"{\"liquid_cooling\":true}"});
  const std::optional<PlannedPower> power =
      parts.power_system == nullptr ? std::nullopt : planned_power(*parts.power_system);
  if (site.rack_power && power && power->value > *site.rack_power) {
    const double needed_kw = power->value / kw(1);
    add("rack-power",
        "One " + system.name + " draws " + shortest_number(needed_kw) + " kW, a rack of the site gives " +
            shortest_number(*site.rack_power / kw(1)) + " kW.",
        rounded_for_display((power->value - *site.rack_power) / kw(1)), "kW", {patch("rack_power_kw", needed_kw)});
  }
  if (!is_rack(system) && site.rack_units && body.rack_units && *body.rack_units > *site.rack_units)
    add("rack-height",
        "One " + system.name + " is " + shortest_number(*body.rack_units) +
            " rack units high, a rack of the site has " + shortest_number(*site.rack_units) + ".",
        *body.rack_units - *site.rack_units, "rack units", {patch("rack_units", *body.rack_units)});
  if (site.rack_load_kg && body.weight_kg && *body.weight_kg > *site.rack_load_kg)
    add("rack-weight",
        "One " + system.name + " weighs " + shortest_number(*body.weight_kg) + " kg, a rack of the site carries " +
            shortest_number(*site.rack_load_kg) + " kg.",
        rounded_for_display(*body.weight_kg - *site.rack_load_kg), "kg", {patch("rack_load_kg", *body.weight_kg)});
  if (site.site_power && facility_power && *facility_power > *site.site_power) {
    std::vector<std::string> ways_out{patch("site_power_kw", rounded_for_display(*facility_power / kw(1)))};
    const double fitting = std::floor(nodes * (*site.site_power / *facility_power));
    if (fitting >= 1) ways_out.push_back(patch("gpu_count", fitting * system.gpu_count));
    add("site-power",
        "At full load the design draws " + human_number(*facility_power / kw(1), 4) +
            " kW at the meter, the site gives " + shortest_number(*site.site_power / kw(1)) + " kW.",
        rounded_for_display((*facility_power - *site.site_power) / kw(1)), "kW", std::move(ways_out));
  }
  return shortfalls;
}

}  // namespace podwright
