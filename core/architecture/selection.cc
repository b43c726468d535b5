#include "architecture/selection.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "architecture/counted.h"
#include "architecture/judged_band.h"
#include "architecture/rejections.h"
#include "base/among.h"
#include "base/stable_sort.h"
#include "catalog/compute_capability.h"

namespace podwright {
namespace {

constexpr std::string_view kSelectionPage = "docs/method/architecture_bands.md";
constexpr std::size_t kShownDesigns = 3;  // the choice and two runners-up

bool has_band(const Catalog& catalog, const Gpu& gpu) {
  return std::any_of(catalog.architecture_bands.begin(), catalog.architecture_bands.end(),
                     [&](const ArchitectureBand& band) { return band.gpu_id == gpu.id; });
}

Patch owned() { return {"/ownership", "any"}; }

struct Candidate {
  const JudgedBand* judged;
  BandRank rank;
};

/// One design on one system may have a band for each fabric: the better one stays.
void drop_repeated(std::vector<Candidate>& candidates) {
  const auto same_design = [](const Candidate& a, const Candidate& b) {
    return a.judged->parts.system == b.judged->parts.system &&
           a.judged->parts.band->architecture_id == b.judged->parts.band->architecture_id;
  };
  for (std::size_t i = 0; i < candidates.size(); ++i)
    candidates.erase(std::remove_if(candidates.begin() + static_cast<std::ptrdiff_t>(i) + 1, candidates.end(),
                                    [&](const Candidate& later) { return same_design(candidates[i], later); }),
                     candidates.end());
}

/// The band of the same kind of design for the nodes bought now.
const ArchitectureBand* band_now(const std::vector<JudgedBand>& bands, const JudgedBand& later) {
  const ArchitectureBand& band = *later.parts.band;
  for (const JudgedBand& judged : bands) {
    const ArchitectureBand& other = *judged.parts.band;
    if (judged.parts.system == later.parts.system && other.min_nodes <= later.nodes &&
        later.nodes <= other.max_nodes.value_or(later.nodes) &&
        (other.fabrics == band.fabrics || is_among(other.fabrics, "none")))
      return &other;
  }
  return nullptr;
}

std::string title_in(const std::vector<JudgedBand>& bands, const ArchitectureBand& band) {
  const auto found =
      std::find_if(bands.begin(), bands.end(), [&](const JudgedBand& judged) { return judged.parts.band == &band; });
  return found == bands.end() ? band.architecture_id : title_of(found->parts);
}

/// Which makers' lists hold the size of an Enterprise RA.
void say_endorsed_sizes(ArchitectureDesign& design) {
  if (design.parts.architecture == nullptr || design.parts.architecture->endorsed_sizes.empty()) return;
  const double nodes = value_of(*design.size.nodes);
  std::string makers;
  for (const EndorsedSize& size : design.parts.architecture->endorsed_sizes)
    if (size.min_nodes <= nodes && nodes <= size.max_nodes)
      makers += (makers.empty() ? "" : ", ") + maker_name(size.maker);
  if (!makers.empty())
    design.notes.push_back(say("endorsed", "nodes"_v = nodes, "makers"_v = makers));
  else if (design.parts.band->fit == BandFit::published)
    design.deviations.push_back(say("not-endorsed", "nodes"_v = nodes));
}

void say_notes(const ArchitectureNeed& need, ArchitectureDesign& design) {
  const DesignParts& parts = design.parts;
  const ArchitectureBand& band = *parts.band;
  const double horizon_nodes = value_of(*design.size.horizon_nodes);
  if (design.size.scalable_units && band.manager_nodes > 0) {
    const double units = value_of(*design.size.scalable_units);
    const double per_unit = *parts.architecture->gpus_per_scalable_unit / parts.system->gpu_count;
    const bool taken = horizon_nodes + band.manager_nodes > units * per_unit;
    if (!taken)
      design.notes.push_back(say("manager-links", "systems"_v = band.manager_nodes, "units"_v = units,
                                 "held_systems"_v = units * per_unit - band.manager_nodes,
                                 "places"_v = units * per_unit));
    else
      design.notes.push_back(say("places-taken", "places"_v = units * per_unit));
  }
  if (band.fit == BandFit::partial)
    design.deviations.push_back(say("outside-sizes", "design"_v = design.title, "why"_v = band.why));
  if (band.fit == BandFit::reduced) design.deviations.push_back(say("earlier-edition", "why"_v = band.why));
  if (band.architecture_id == "custom") design.deviations.push_back(say("not-reference", "why"_v = band.why));
  if (parts.architecture != nullptr && parts.architecture->confidence == "unsure")
    design.deviations.push_back(parts.architecture->site.like.empty()
                                    ? say("unread-document/recalled", "design"_v = design.title)
                                    : say("unread-document/closest", "design"_v = design.title));
  if (is_enterprise(band) && parts.architecture != nullptr && parts.architecture->gpus_per_scalable_unit) {
    const double per_unit = *parts.architecture->gpus_per_scalable_unit / parts.system->gpu_count;
    if (band.fit == BandFit::published && std::fmod(value_of(*design.size.nodes), per_unit) != 0)
      design.deviations.push_back(say("part-of-a-unit", "nodes"_v = per_unit));
  }
  say_endorsed_sizes(design);
  if (parts.power_system != nullptr && parts.power_system != parts.system)
    design.notes.push_back(
        say("no-power-figure/other", "system"_v = parts.system->name, "other"_v = parts.power_system->name));
  if (parts.power_system == nullptr)
    design.notes.push_back(need.rack_power || need.rack_units || need.rack_load_kg || need.site_power
                               ? say("no-power-figure/unchecked", "system"_v = parts.system->name)
                               : say("no-power-figure", "system"_v = parts.system->name));
  if (parts.power_system != nullptr && !parts.power_system->power_max)
    design.notes.push_back(say("typical-power", "system"_v = parts.power_system->name));
  if (needs_liquid(*parts.system))
    design.notes.push_back(is_rack(*parts.system) ? say("liquid-site/rack", "system"_v = parts.system->name)
                                                  : say("liquid-site", "system"_v = parts.system->name));
  if (parts.architecture != nullptr && !parts.architecture->unsure_fields.empty()) {
    std::string fields;
    for (const std::string& field : parts.architecture->unsure_fields) fields += (fields.empty() ? "" : ", ") + field;
    design.notes.push_back(say("unsure-fields", "design"_v = design.title, "fields"_v = fields));
  }
}

ArchitectureDesign design_of(const std::vector<JudgedBand>& bands, const ArchitectureNeed& need,
                             const JudgedBand& judged) {
  NoTrace trace;
  ArchitectureDesign design;
  design.architecture_id = judged.parts.band->architecture_id;
  design.title = title_of(judged.parts);
  design.parts = judged.parts;
  design.size = design_size(trace, design.parts, {need.gpu_count, need.growth_gpu_count, need.rack_power});
  const ArchitectureBand* now = judged.nodes < judged.horizon_nodes ? band_now(bands, judged) : nullptr;
  design.rules_fired =
      rules_of(need, judged, design.title, now, now == nullptr ? std::string() : title_in(bands, *now));
  say_notes(need, design);
  return design;
}

/// `lifting` makes the need one that a design could serve; the ways out are GPUs that then do.
RejectedDesign no_system(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need,
                         const Patch& lifting = {}) {
  RejectedDesign rejected;
  rejected.title = gpu.name;
  rejected.code = "no-system";
  rejected.message = gpu.vendor == "NVIDIA" ? say("no-system", "gpu"_v = gpu.name)
                                            : say("no-system/other-maker", "gpu"_v = gpu.name, "vendor"_v = gpu.vendor);
  const ArchitectureNeed possible = patched(need, lifting);
  std::vector<RejectedDesign> entries{std::move(rejected)};
  if (count_shortfalls(possible.gpu_count, possible.growth_gpu_count).empty())
    add_other_gpus(catalog, possible, served_gpus(catalog, possible), entries);
  for (Patch& patch : entries.front().ways_out) patch = lifting.and_also(patch);
  return std::move(entries.front());
}

std::vector<RejectedDesign> impossible_counts(const ArchitectureNeed& need) {
  std::vector<RejectedDesign> rejected;
  for (Infeasible& shortfall : count_shortfalls(need.gpu_count, need.growth_gpu_count))
    rejected.push_back({std::move(shortfall)});
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
  design.notes.push_back(say("no-system-with", "gpu"_v = gpu.name));
  return design;
}

/// Racks whose NVLink joins a whole replica, where the systems of the choice do not.
std::optional<DesignAdvice> larger_domain(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need,
                                          const System& chosen) {
  if (!need.replica_gpus || *need.replica_gpus <= chosen.gpu_count) return std::nullopt;
  const std::string replica = "A replica of " + counted(*need.replica_gpus, "GPU", "GPUs") + " is larger than " +
                              with_article(chosen.name) + " of " + grouped(chosen.gpu_count) + ". ";
  DesignAdvice advice{.text = "", .source = std::string(kSelectionPage)};
  std::string lacking;
  for (const System& system : catalog.systems) {
    if (!is_rack(system) || system.gpu_count < *need.replica_gpus) continue;
    for (const std::string& id : system.gpus) {
      if (id == gpu.id) continue;
      if (first_band(catalog, id, need) != nullptr) advice.ways_out.emplace_back("/gpu", id);
      const DesignParts rack{.system = &system, .power_system = &system};
      for (const SiteBreach& breach : site_breaches(rack, limits_of(need), std::nullopt))
        lacking += (lacking.empty() ? "" : " ") + shortfall_of(breach, system, 1, false).message.text();
    }
  }
  if (!advice.ways_out.empty())
    advice.text = replica + "Racks that join 72 GPUs by NVLink are preferred for it.";
  else if (!lacking.empty())
    advice.text = replica + "Racks that join 72 GPUs by NVLink would be preferred. " + lacking;
  else
    advice.text = replica + "No rack of the catalog joins as many by NVLink in a design for this request.";
  return advice;
}

/// Ways out that the power of the whole site makes useless are left out.
void keep_what_leads_out(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need,
                         std::vector<RejectedDesign>& rejected) {
  for (RejectedDesign& entry : rejected)
    std::erase_if(entry.ways_out, [&](const Patch& patch) {
      const ArchitectureNeed changed = patched(need, patch);
      return !count_shortfalls(changed.gpu_count, changed.growth_gpu_count).empty() ||
             first_band(catalog, gpu.id, changed) == nullptr;
    });
}

/// The newest generation before that of the GPU which has a design for this need: servers of the same family before
/// others, and those before PCIe servers.
const Gpu* earlier_generation(const Catalog& catalog, const Gpu& gpu, const std::vector<ServedGpu>& served) {
  struct Standing {
    bool same_family;
    bool not_pcie;
    double capability;
    double memory;
    double year;
    auto operator<=>(const Standing&) const = default;
  };
  std::vector<std::string_view> families;
  for (const ArchitectureBand& band : catalog.architecture_bands)
    if (band.gpu_id == gpu.id) families.push_back(band.family);
  const Gpu* best = nullptr;
  Standing best_standing{};
  for (const ServedGpu& item : served) {
    const Result<const Gpu*> found = find_gpu(catalog, item.gpu_id);
    if (!found || (*found)->vendor != gpu.vendor) continue;
    const Gpu& other = **found;
    const std::string& family = item.first->family;
    const bool same_family = std::find(families.begin(), families.end(), family) != families.end();
    // Of servers with PCIe cards no power is known: whether the site takes them is not.
    if (family == "pcie" && !same_family) continue;
    const Standing standing{.same_family = same_family,
                            .not_pcie = family != "pcie",
                            .capability = capability_number(other.compute_capability),
                            .memory = other.memory.value_or(Bytes()).base_units(),
                            .year = other.year.value_or(0)};
    if (standing.capability >= capability_number(gpu.compute_capability)) continue;
    if (best == nullptr || best_standing < standing) {
      best = &other;
      best_standing = standing;
    }
  }
  return best;
}

/// Counts that can be served: where another condition still is in the way, its first way out is part of this one.
std::vector<Patch> completed(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need,
                             const std::vector<Patch>& ways_out) {
  std::vector<Patch> complete;
  for (const Patch& patch : ways_out) {
    const ArchitectureNeed changed = patched(need, patch);
    if (!count_shortfalls(changed.gpu_count, changed.growth_gpu_count).empty()) continue;
    if (first_band(catalog, gpu.id, changed) != nullptr) {
      complete.push_back(patch);
      continue;
    }
    const ArchitectureChoice then = choose_architecture(catalog, gpu, changed);
    if (!then.designs.empty())
      complete.push_back(patch);
    else if (!then.rejected.empty() && !then.rejected.front().ways_out.empty())
      complete.push_back(patch.and_also(then.rejected.front().ways_out.front()));
  }
  return complete;
}

RejectedDesign rented(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need) {
  RejectedDesign rejected;
  rejected.code = "ownership";
  rejected.message = say("ownership/rented");
  rejected.ways_out = completed(catalog, gpu, need, {owned()});
  return rejected;
}

/// Where the need is refused before any band is looked at: whether none would serve it either, once `patch` lifts that.
bool has_no_system(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need, const Patch& patch) {
  return !has_band(catalog, gpu) && choose_architecture(catalog, gpu, patched(need, patch)).designs.empty();
}

/// Rule 13, with the GPUs that the need can be served with.
std::vector<DesignAdvice> fallbacks_among(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need,
                                          const std::vector<ServedGpu>& served) {
  const std::string page(kSelectionPage);
  std::vector<DesignAdvice> fallbacks;
  fallbacks.push_back({.text =
                           "Fewer nodes in the same shell: the fabric is built for the later size, and nodes follow "
                           "as money and power allow.",
                       .source = page});
  const Gpu* earlier = earlier_generation(catalog, gpu, served);
  DesignAdvice generation{.text = "The previous generation of GPUs: the catalog has none for this request.",
                          .source = page};
  if (earlier != nullptr) {
    generation.text = "The previous generation of GPUs: " + earlier->name + ".";
    generation.ways_out.emplace_back("/gpu", earlier->id);
  }
  fallbacks.push_back(std::move(generation));
  fallbacks.push_back({.text = "An oversubscribed compute fabric, with fewer spines and uplinks: outside NVIDIA's "
                               "reference architectures.",
                       .source = page});
  const bool on_premises = stays_on_own_ground(need.sovereignty);
  fallbacks.push_back({.text = on_premises ? "A cloud, which the sovereignty that was asked for rules out."
                               : need.sovereignty == Sovereignty::in_country
                                   ? "A cloud whose operator runs in the country."
                                   : "A cloud: rented machines need no design.",
                       .source = page});
  return fallbacks;
}

}  // namespace

std::optional<PlannedPower> planned_power(const System& system) {
  if (system.power_max) return PlannedPower{"power_kw_max", *system.power_max};
  if (system.power_typical) return PlannedPower{"power_kw_typical", *system.power_typical};
  return std::nullopt;
}

std::optional<PlannedPower> planned_power(const Switch& item) {
  if (item.power_max) return PlannedPower{"power_w_max", *item.power_max};
  if (item.power_passive) return PlannedPower{"power_w_passive_cables", *item.power_passive};
  return std::nullopt;
}

std::vector<DesignAdvice> budget_fallbacks(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need) {
  return fallbacks_among(catalog, gpu, need, served_gpus(catalog, need));
}

ArchitectureChoice choose_architecture(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need) {
  ArchitectureChoice choice;
  choice.rejected = impossible_counts(need);
  if (!choice.rejected.empty()) {
    const Patch counts = choice.rejected.front().ways_out.front();
    for (RejectedDesign& entry : choice.rejected) entry.ways_out = completed(catalog, gpu, need, entry.ways_out);
    if (has_no_system(catalog, gpu, need, counts)) choice.rejected.push_back(no_system(catalog, gpu, need, counts));
    return choice;
  }
  if (need.ownership == Ownership::cloud && need.tenancy != Tenancy::several_tenants) {
    choice.rejected.push_back(rented(catalog, gpu, need));
    if (has_no_system(catalog, gpu, need, owned())) choice.rejected.push_back(no_system(catalog, gpu, need, owned()));
    return choice;
  }
  const std::vector<JudgedBand> bands = judged_bands(catalog, gpu.id, need);
  if (bands.empty()) {
    const bool fits_a_slot = gpu.vendor == "NVIDIA" && gpu.form_factor.rfind("PCIe", 0) == 0;
    const double horizon = horizon_gpu_count(need.gpu_count, need.growth_gpu_count.value_or(0.0));
    if (horizon == 1 && fits_a_slot && (need.ownership == Ownership::any || need.ownership == Ownership::pcie))
      choice.designs.push_back(one_gpu_in_any_computer(gpu));
    else
      choice.rejected.push_back(no_system(catalog, gpu, need));
    return choice;
  }

  std::vector<Candidate> candidates;
  for (const JudgedBand& judged : bands)
    if (judged.fits()) candidates.push_back({&judged, rank_of(need, judged)});
  sort_stably(candidates, [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
  drop_repeated(candidates);
  choice.rejected = rejections(need, bands);
  std::vector<std::string> runners_up;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const JudgedBand& judged = *candidates[i].judged;
    if (i >= kShownDesigns) {
      choice.rejected.push_back(lower_in_order(judged));
      continue;
    }
    choice.designs.push_back(design_of(bands, need, judged));
    if (i > 0) runners_up.push_back(choice.designs.back().title);
  }
  if (choice.designs.empty()) {
    // A way out solves every condition of its design; only the power of the site grows with a size that it names.
    if (need.site_power) keep_what_leads_out(catalog, gpu, need, choice.rejected);
    const std::vector<ServedGpu> served = served_gpus(catalog, need);
    add_other_gpus(catalog, need, served, choice.rejected);
    choice.fallbacks = fallbacks_among(catalog, gpu, need, served);
    return choice;
  }
  if (!runners_up.empty())
    choice.designs.front().rules_fired.push_back(rule_order(candidates[0].rank, candidates[1].rank,
                                                            *candidates[0].judged->parts.band,
                                                            *candidates[1].judged->parts.band, runners_up));
  if (std::optional<DesignAdvice> advice = larger_domain(catalog, gpu, need, *choice.designs.front().parts.system))
    choice.advice.push_back(std::move(*advice));
  return choice;
}

}  // namespace podwright
