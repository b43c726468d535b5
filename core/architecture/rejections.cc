#include "architecture/rejections.h"

#include <algorithm>

#include "base/stable_sort.h"

namespace podwright {
namespace {

constexpr std::size_t kOtherGpus = 4;

/// Each of `patches` with each of the alternatives.
void multiply(std::vector<Patch>& patches, const std::vector<Patch>& alternatives) {
  std::vector<Patch> both;
  for (const Patch& patch : patches)
    for (const Patch& alternative : alternatives) both.push_back(patch.and_also(alternative));
  patches = std::move(both);
}

/// All bands of one design and system.
struct Group {
  std::vector<const JudgedBand*> bands;
  const DesignParts& parts() const { return bands.front()->parts; }
};

std::vector<Group> groups_of(const std::vector<JudgedBand>& bands) {
  std::vector<Group> groups;
  for (const JudgedBand& judged : bands) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return group.parts().band->architecture_id == judged.parts.band->architecture_id &&
             group.parts().system == judged.parts.system;
    });
    if (same == groups.end())
      groups.push_back({{&judged}});
    else
      same->bands.push_back(&judged);
  }
  return groups;
}

/// Nodes by which the size misses the band.
double distance(const JudgedBand& judged) {
  const ArchitectureBand& band = *judged.parts.band;
  if (judged.horizon_nodes < band.min_nodes) return band.min_nodes - judged.horizon_nodes;
  return judged.size ? 0 : judged.horizon_nodes - band.max_nodes.value_or(judged.horizon_nodes);
}

/// The band of the group that is closest to serving the need.
const JudgedBand& closest(const Group& group) {
  return **std::min_element(group.bands.begin(), group.bands.end(), [](const JudgedBand* a, const JudgedBand* b) {
    if (a->size != b->size) return a->size;
    if (a->broken() != b->broken()) return a->broken() < b->broken();
    return distance(*a) < distance(*b);
  });
}

/// The patch that brings the number of GPUs into the band.
Patch size_patch(const ArchitectureNeed& need, const JudgedBand& judged) {
  const ArchitectureBand& band = *judged.parts.band;
  const double per_node = judged.parts.system->gpu_count;
  if (judged.horizon_nodes < band.min_nodes) return {"/growth_gpu_count", (band.min_nodes - 1) * per_node + 1};
  const double most = *band.max_nodes * per_node;
  if (!need.growth_gpu_count) return {"/gpu_count", most};
  if (need.gpu_count <= most) return {"/growth_gpu_count", most};
  return Patch("/gpu_count", most).clear("/growth_gpu_count");
}

Infeasible size_shortfall(const Group& group, const std::string& title, const JudgedBand& judged) {
  double least = judged.parts.band->min_nodes;
  std::optional<double> most = judged.parts.band->max_nodes;
  for (const JudgedBand* other : group.bands) {
    least = std::min(least, other->parts.band->min_nodes);
    most = most && other->parts.band->max_nodes ? std::optional(std::max(*most, *other->parts.band->max_nodes))
                                                : std::nullopt;
  }
  return {.code = "size",
          .message = say("size", "design"_v = title, "range"_v = node_range_text(least, most),
                         "system"_v = judged.parts.system->name, "nodes"_v = judged.horizon_nodes),
          .shortfall = distance(judged),
          .unit = "nodes"};
}

std::vector<Patch> ownership_patches(const ArchitectureNeed& need, const ArchitectureBand& band) {
  std::vector<Patch> patches;
  for (const std::string& word : band.ownership)
    if (word != word_of(Ownership::cloud) || need.tenancy == Tenancy::several_tenants)
      patches.emplace_back("/ownership", word);
  return patches;
}

/// What is against a group, in the order ownership, tenancy, fabric, size, site.
RejectedDesign rejection(const ArchitectureNeed& need, const Group& group, const JudgedBand& judged) {
  const ArchitectureBand& band = *judged.parts.band;
  RejectedDesign rejected;
  rejected.architecture_id = band.architecture_id;
  rejected.title = title_of(judged.parts);
  rejected.system_id = judged.parts.system->id;
  rejected.ways_out.emplace_back();
  const auto design = "design"_v = rejected.title;
  std::vector<Infeasible> reasons;
  if (!judged.ownership) {
    reasons.push_back(
        {.code = "ownership", .message = say("ownership/design", design, "ownership"_v = word_of(need.ownership))});
    multiply(rejected.ways_out, ownership_patches(need, band));
  }
  if (!judged.tenancy) {
    const bool for_tenants = need.tenancy != Tenancy::several_tenants;
    reasons.push_back(
        {.code = "tenancy", .message = for_tenants ? say("tenancy/tenants", design) : say("tenancy/one", design)});
    multiply(rejected.ways_out,
             {{"/tenancy", std::string(word_of(for_tenants ? Tenancy::several_tenants : Tenancy::several_teams))}});
  }
  if (!judged.fabric) {
    reasons.push_back({.code = "fabric", .message = say("fabric", design, "fabric"_v = word_of(need.fabric))});
    std::vector<Patch> fabrics;
    for (const std::string& word : band.fabrics) fabrics.emplace_back("/fabric", word);
    multiply(rejected.ways_out, fabrics);
  }
  if (!judged.size) {
    reasons.push_back(size_shortfall(group, rejected.title, judged));
    multiply(rejected.ways_out, {size_patch(need, judged)});
  }
  for (const SiteBreach& breach : judged.site) {
    // The power of the whole site depends on a size that may still change.
    if (breach.condition == SiteCondition::site_power && !judged.size) continue;
    reasons.push_back(shortfall_of(breach, *judged.parts.system, judged.nodes, false));
    multiply(rejected.ways_out, reasons.back().ways_out);
  }
  std::vector<Message> sentences;
  for (const Infeasible& reason : reasons) sentences.push_back(reason.message);
  rejected.message = sentences.size() == 1 ? sentences.front() : say("sentences", "sentences"_v = sentences);
  rejected.code = reasons.front().code;
  rejected.shortfall = reasons.front().shortfall;
  rejected.unit = reasons.front().unit;
  rejected.further.assign(reasons.begin() + 1, reasons.end());
  return rejected;
}

/// How far a band is from being possible: a site can be changed, a fabric chosen again; a size that lies elsewhere is
/// another design.
int remoteness(const JudgedBand& judged) {
  return (judged.size ? 0 : 8) + (judged.ownership ? 0 : 4) + (judged.tenancy ? 0 : 2) + (judged.fabric ? 0 : 1);
}

bool limits_a_rack(const ArchitectureNeed& need) {
  return need.rack_power || need.rack_units || need.rack_load_kg || need.site_power;
}

}  // namespace

std::string title_of(const DesignParts& parts) {
  if (parts.architecture != nullptr) return parts.architecture->name;
  if (parts.band->architecture_id == "single-node") return "Single node";
  if (parts.band->architecture_id == "custom") return "Custom design";
  return parts.band->architecture_id;
}

std::vector<RejectedDesign> rejections(const ArchitectureNeed& need, const std::vector<JudgedBand>& bands) {
  struct Entry {
    int remoteness;
    RejectedDesign rejected;
  };
  std::vector<Entry> entries;
  for (const Group& group : groups_of(bands)) {
    const JudgedBand& judged = closest(group);
    if (!judged.fits()) entries.push_back({remoteness(judged), rejection(need, group, judged)});
  }
  sort_stably(entries, [](const Entry& a, const Entry& b) { return a.remoteness < b.remoteness; });
  std::vector<RejectedDesign> rejected;
  for (Entry& entry : entries) rejected.push_back(std::move(entry.rejected));
  return rejected;
}

RejectedDesign lower_in_order(const JudgedBand& judged) {
  RejectedDesign rejected;
  rejected.architecture_id = judged.parts.band->architecture_id;
  rejected.title = title_of(judged.parts);
  rejected.system_id = judged.parts.system->id;
  rejected.code = "order";
  rejected.message = say("order", "design"_v = rejected.title, "why"_v = judged.parts.band->why);
  return rejected;
}

void add_other_gpus(const Catalog& catalog, const ArchitectureNeed& need, const std::vector<ServedGpu>& served,
                    std::vector<RejectedDesign>& rejected) {
  if (rejected.empty()) return;
  std::vector<const Gpu*> gpus;
  for (const Gpu& gpu : catalog.gpus) {
    if (std::none_of(served.begin(), served.end(), [&](const ServedGpu& other) { return other.gpu_id == gpu.id; }))
      continue;
    const bool known = std::any_of(catalog.systems.begin(), catalog.systems.end(), [&](const System& system) {
      return holds_gpu(system, gpu.id) && planned_power(system).has_value();
    });
    if (known || !limits_a_rack(need)) gpus.push_back(&gpu);
  }
  sort_stably(gpus,
              [](const Gpu* a, const Gpu* b) { return a->memory.value_or(Bytes()) > b->memory.value_or(Bytes()); });
  if (gpus.size() > kOtherGpus) gpus.resize(kOtherGpus);
  for (const Gpu* gpu : gpus) rejected.front().ways_out.emplace_back("/gpu", gpu->id);
}

}  // namespace podwright
