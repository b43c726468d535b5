#include "architecture/selection.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "architecture/rules.h"
#include "base/number_text.h"

namespace podwright {
namespace {

constexpr std::size_t kShownDesigns = 3;  // the choice and two runners-up

template <class Item>
const Item* by_id(const std::vector<Item>& items, std::string_view id) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.id == id; });
  return found == items.end() ? nullptr : &*found;
}

bool holds(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool takes(const ArchitectureBand& band, double nodes) {
  return band.min_nodes <= nodes && (!band.max_nodes || nodes <= *band.max_nodes);
}

double nodes_for(double gpu_count, const System& system) { return node_count(gpu_count, system.gpu_count); }

std::string title_of(const ArchitectureBand& band, const ReferenceArchitecture* architecture) {
  if (architecture != nullptr) return architecture->name;
  if (band.architecture_id == "single-node") return "Single node";
  if (band.architecture_id == "custom") return "Custom design";
  return band.architecture_id;
}

/// The system whose power stands for `system`: itself, else another with the same board, else none.
const System* power_system_of(const Catalog& catalog, const System& system, std::string_view gpu_id) {
  if (planned_power(system)) return &system;
  const auto same_board = std::find_if(catalog.systems.begin(), catalog.systems.end(), [&](const System& other) {
    return holds_gpu(other, gpu_id) && other.gpu_count == system.gpu_count && planned_power(other).has_value();
  });
  return holds_gpu(system, gpu_id) && same_board != catalog.systems.end() ? &*same_board : nullptr;
}

DesignParts parts_of(const Catalog& catalog, const ArchitectureBand& band, const System& system) {
  return {.band = &band,
          .system = &system,
          .power_system = power_system_of(catalog, system, band.gpu_id),
          .architecture = by_id(catalog.architectures, band.architecture_id)};
}

std::string patch(std::string_view key, std::string_view json_value) {
  return "{\"" + std::string(key) + "\":" + std::string(json_value) + "}";
}
std::string text_patch(std::string_view key, std::string_view word) {
  return patch(key, "\"" + std::string(word) + "\"");
}

/// The first condition of the need that a design breaks; empty code: none.
RejectedDesign broken_condition(const ArchitectureNeed& need, const DesignParts& parts) {
  const ArchitectureBand& band = *parts.band;
  RejectedDesign rejected;
  rejected.architecture_id = band.architecture_id;
  rejected.title = title_of(band, parts.architecture);
  if (need.ownership != "any" && !holds(band.ownership, need.ownership)) {
    rejected.code = "ownership";
    rejected.message = rejected.title + " is not a design for the ownership \"" + need.ownership + "\".";
    for (const std::string& word : band.ownership) rejected.ways_out.push_back(text_patch("ownership", word));
    return rejected;
  }
  if (need.fabric != "any" && !holds(band.fabrics, "none") && !holds(band.fabrics, need.fabric)) {
    rejected.code = "fabric";
    rejected.message = rejected.title + " is not built with the fabric \"" + need.fabric + "\".";
    for (const std::string& word : band.fabrics) rejected.ways_out.push_back(text_patch("fabric", word));
    return rejected;
  }
  if (needs_liquid(*parts.system) && !need.liquid_cooling) {
    rejected.code = "liquid-cooling";
    rejected.message = parts.system->name + " needs a liquid loop.";
    rejected.ways_out.push_back(patch("liquid_cooling", "true"));
    return rejected;
  }
  const std::optional<PlannedPower> power =
      parts.power_system == nullptr ? std::nullopt : planned_power(*parts.power_system);
  if (need.rack_power && power && nodes_per_rack(*need.rack_power, power->value) < 1) {
    const double node_kw = power->value / kw(1);
    rejected.code = "rack-power";
    rejected.message = "One " + parts.system->name + " draws " + shortest_number(node_kw) +
                       " kW, more than a rack of " + shortest_number(*need.rack_power / kw(1)) + " kW gives.";
    rejected.shortfall = (power->value - *need.rack_power) / kw(1);
    rejected.unit = "kW";
    rejected.ways_out.push_back(patch("rack_power_kw", shortest_number(node_kw)));
  }
  return rejected;
}

bool wants_compute_fabric(const ArchitectureNeed& need) { return need.workload != "inference-one-node"; }

/// Smaller is better: fit to the workload, standing of the size in its document, services; ties keep the order of the
/// bands.
struct Rank {
  int workload;
  int fit;
  int services;
  friend auto operator<=>(const Rank&, const Rank&) = default;
};
Rank rank_of(const ArchitectureNeed& need, const ArchitectureBand& band) {
  const bool little_fabric = band.compute_fabric == "none" || band.compute_fabric == "collapsed pair";
  const bool asked_services = need.services == "self" ||
                              (need.services == "nvidia" ? holds(band.ownership, "dgx") : holds(band.ownership, "oem"));
  return {.workload = wants_compute_fabric(need) || little_fabric ? 0 : 1,
          .fit = static_cast<int>(band.fit),
          .services = asked_services ? 0 : 1};
}

/// The band of the same kind of design for the nodes bought now.
const ArchitectureBand* band_now(const Catalog& catalog, const ArchitectureBand& band, double nodes) {
  for (const ArchitectureBand& other : catalog.architecture_bands)
    if (other.gpu_id == band.gpu_id && other.system_id == band.system_id && takes(other, nodes) &&
        (other.fabrics == band.fabrics || holds(other.fabrics, "none")))
      return &other;
  return nullptr;
}

void say_rules(const Catalog& catalog, const ArchitectureNeed& need, ArchitectureDesign& design) {
  const ArchitectureBand& band = *design.parts.band;
  auto& rules = design.rules_fired;
  const double nodes = value_of(*design.size.nodes);
  const double horizon_nodes = value_of(*design.size.horizon_nodes);
  if (!wants_compute_fabric(need)) rules.push_back(rule_no_compute_fabric());
  rules.push_back(rule_ownership(band, need.ownership));
  if (!holds(band.fabrics, "none")) rules.push_back(rule_fabric(band, need.fabric));
  rules.push_back(rule_size(band, horizon_nodes));
  if (const ArchitectureBand* now = nodes < horizon_nodes ? band_now(catalog, band, nodes) : nullptr;
      now != nullptr && (now->architecture_id != band.architecture_id || now->compute_fabric != band.compute_fabric))
    rules.push_back(rule_growth(*now, band));
  if (design.size.nodes_per_rack) rules.push_back(rule_racks(*design.parts.power_system));
  if (band.architecture_id.rfind("dgx-superpod", 0) == 0) rules.push_back(rule_superpod_services());
  if (band.architecture_id.rfind("era-", 0) == 0) rules.push_back(rule_enterprise_services());
  if (need.sovereignty != "none") rules.push_back(rule_sovereignty(need.sovereignty));
}

void say_notes(const ArchitectureNeed& need, ArchitectureDesign& design) {
  const DesignParts& parts = design.parts;
  const ArchitectureBand& band = *parts.band;
  const double horizon_nodes = value_of(*design.size.horizon_nodes);
  if (design.size.scalable_units && band.manager_nodes > 0) {
    const double units = value_of(*design.size.scalable_units);
    const double per_unit = *parts.architecture->gpus_per_scalable_unit / parts.system->gpu_count;
    design.notes.push_back("The fabric manager takes the links of " + shortest_number(band.manager_nodes) +
                           " system of the whole build: " + shortest_number(units) +
                           (units == 1 ? " scalable unit holds " : " scalable units hold ") +
                           shortest_number(units * per_unit - band.manager_nodes) + " systems, not " +
                           shortest_number(units * per_unit) + ".");
    if (horizon_nodes + band.manager_nodes > units * per_unit)
      design.deviations.push_back("All " + shortest_number(units * per_unit) +
                                  " places are taken, so the fabric manager has no port in the shell: it must stand "
                                  "elsewhere, or the design takes one system fewer.");
  }
  if (band.fit == BandFit::partial)
    design.deviations.push_back("The size lies outside the sizes of " + design.title + ": " + band.why + ".");
  if (band.fit == BandFit::reduced) design.deviations.push_back("An earlier edition: " + band.why + ".");
  if (band.architecture_id == "custom")
    design.deviations.push_back("Not an NVIDIA reference architecture: " + band.why + ".");
  if (parts.architecture != nullptr && parts.architecture->confidence == "unsure")
    design.deviations.push_back("The document of " + design.title +
                                " could not be read; its sizes are taken from the closest one known.");
  if (band.architecture_id.rfind("era-", 0) == 0 && parts.architecture != nullptr &&
      parts.architecture->gpus_per_scalable_unit) {
    const double per_unit = *parts.architecture->gpus_per_scalable_unit / parts.system->gpu_count;
    if (band.fit == BandFit::published && std::fmod(value_of(*design.size.nodes), per_unit) != 0)
      design.deviations.push_back("Not a whole number of scalable units of " + shortest_number(per_unit) +
                                  " nodes: the last unit's fabric is built whole and filled in part.");
  }
  if (parts.power_system != nullptr && parts.power_system != parts.system)
    design.notes.push_back("No power figure of " + parts.system->name + " is known; power and racks use that of " +
                           parts.power_system->name + ", which holds the same GPUs.");
  if (parts.power_system == nullptr)
    design.notes.push_back("No power figure of " + parts.system->name + " is known: power and racks are absent" +
                           (need.rack_power ? ", and the rack's limit was not checked." : "."));
  if (parts.power_system != nullptr && !parts.power_system->power_max)
    design.notes.push_back("The power of " + parts.power_system->name + " is a typical figure; no maximum is known.");
  if (needs_liquid(*parts.system))
    design.notes.push_back(parts.system->name +
                           " needs a liquid loop, a feed for a whole rack's power and a floor that bears it.");
}

ArchitectureDesign design_of(const Catalog& catalog, const ArchitectureNeed& need, const DesignParts& parts) {
  NoTrace trace;
  ArchitectureDesign design;
  design.architecture_id = parts.band->architecture_id;
  design.title = title_of(*parts.band, parts.architecture);
  design.parts = parts;
  design.size = design_size(trace, parts, {need.gpu_count, need.growth_gpu_count, need.rack_power});
  say_rules(catalog, need, design);
  say_notes(need, design);
  return design;
}

const std::vector<std::string>& parts_without_numbers() {
  static const std::vector<std::string> parts{"compute fabric: leaf, spine and core switches",
                                              "storage and its fabric",
                                              "in-band and out-of-band networks",
                                              "management servers and the fabric manager",
                                              "cables and transceivers",
                                              "power of everything but the systems",
                                              "rack units, weight and power feeds of the racks"};
  return parts;
}

RejectedDesign no_system(const Gpu& gpu) {
  RejectedDesign rejected;
  rejected.title = gpu.name;
  rejected.code = "no-system";
  rejected.message =
      "No design is known for " + gpu.name + ": it comes in no system of the catalog that a size band names.";
  return rejected;
}

RejectedDesign rented() {
  RejectedDesign rejected;
  rejected.code = "ownership";
  rejected.message = "Rented machines stand in the provider's own design.";
  rejected.ways_out.push_back(text_patch("ownership", "any"));
  return rejected;
}

/// One PCIe GPU in a computer of any maker: a design whose numbers beyond the GPU are not known.
ArchitectureDesign one_gpu_in_any_computer(const Gpu& gpu) {
  ArchitectureDesign design;
  design.architecture_id = "single-node";
  design.title = "Single node";
  design.size.nodes = 1.0;
  design.size.gpus = 1.0;
  design.size.horizon_nodes = 1.0;
  design.rules_fired.push_back(rule_one_gpu());
  design.notes.push_back("The catalog knows no system with " + gpu.name +
                         ": power, racks and price of the computer around it are absent.");
  return design;
}

}  // namespace

std::optional<PlannedPower> planned_power(const System& system) {
  if (system.power_max) return PlannedPower{"power_kw_max", *system.power_max};
  if (system.power_typical) return PlannedPower{"power_kw_typical", *system.power_typical};
  return std::nullopt;
}

ArchitectureChoice choose_architecture(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need) {
  ArchitectureChoice choice;
  choice.not_modelled = parts_without_numbers();
  if (need.ownership == "cloud") {
    choice.rejected.push_back(rented());
    return choice;
  }
  const double horizon = horizon_gpu_count(need.gpu_count, need.growth_gpu_count.value_or(0));

  std::vector<DesignParts> candidates;
  bool known_gpu = false;
  for (const ArchitectureBand& band : catalog.architecture_bands) {
    if (band.gpu_id != gpu.id) continue;
    const System* system = by_id(catalog.systems, band.system_id);
    if (system == nullptr) continue;
    known_gpu = true;
    if (!takes(band, nodes_for(horizon, *system))) continue;
    const DesignParts parts = parts_of(catalog, band, *system);
    RejectedDesign broken = broken_condition(need, parts);
    if (broken.code.empty())
      candidates.push_back(parts);
    else
      choice.rejected.push_back(std::move(broken));
  }
  if (!known_gpu) {
    const bool fits_a_slot = gpu.vendor == "NVIDIA" && gpu.form_factor.rfind("PCIe", 0) == 0;
    if (horizon == 1 && fits_a_slot && (need.ownership == "any" || need.ownership == "pcie"))
      choice.designs.push_back(one_gpu_in_any_computer(gpu));
    else
      choice.rejected.push_back(no_system(gpu));
    return choice;
  }

  std::stable_sort(candidates.begin(), candidates.end(), [&](const DesignParts& a, const DesignParts& b) {
    return rank_of(need, *a.band) < rank_of(need, *b.band);
  });
  if (candidates.size() > kShownDesigns) candidates.resize(kShownDesigns);
  for (const DesignParts& parts : candidates) choice.designs.push_back(design_of(catalog, need, parts));
  return choice;
}

}  // namespace podwright
