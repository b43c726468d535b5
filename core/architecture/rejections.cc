#include "architecture/rejections.h"

#include <algorithm>

#include "architecture/counted.h"

namespace podwright {
namespace {

constexpr std::size_t kOtherGpus = 4;

std::string text_member(std::string_view key, std::string_view word) {
  return "\"" + std::string(key) + "\":\"" + std::string(word) + "\"";
}
std::string number_member(std::string_view key, double value) {
  return "\"" + std::string(key) + "\":" + shortest_number(value);
}

/// Members of a merge patch; alternatives multiply what is there.
class Patches {
 public:
  void add(const std::vector<std::string>& alternatives) {
    std::vector<std::string> longer;
    for (const std::string& patch : patches_)
      for (const std::string& member : alternatives) longer.push_back(patch + (patch.empty() ? "" : ",") + member);
    patches_ = std::move(longer);
  }
  std::vector<std::string> take() const {
    std::vector<std::string> whole;
    for (const std::string& patch : patches_) whole.push_back("{" + patch + "}");
    return whole;
  }

 private:
  std::vector<std::string> patches_{""};
};

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
std::string size_member(const ArchitectureNeed& need, const JudgedBand& judged) {
  const ArchitectureBand& band = *judged.parts.band;
  const double per_node = judged.parts.system->gpu_count;
  if (judged.horizon_nodes < band.min_nodes)
    return number_member("growth_gpu_count", (band.min_nodes - 1) * per_node + 1);
  const double most = *band.max_nodes * per_node;
  if (!need.growth_gpu_count) return number_member("gpu_count", most);
  if (need.gpu_count <= most) return number_member("growth_gpu_count", most);
  return number_member("gpu_count", most) + ",\"growth_gpu_count\":null";
}

SiteShortfall size_shortfall(const Group& group, const std::string& title, const JudgedBand& judged) {
  double least = judged.parts.band->min_nodes;
  std::optional<double> most = judged.parts.band->max_nodes;
  for (const JudgedBand* other : group.bands) {
    least = std::min(least, other->parts.band->min_nodes);
    most = most && other->parts.band->max_nodes ? std::optional(std::max(*most, *other->parts.band->max_nodes))
                                                : std::nullopt;
  }
  const double nodes = judged.horizon_nodes;
  return {.code = "size",
          .message = title + " holds " + node_range_text(least, most) + " of " + judged.parts.system->name + ", and " +
                     counted(nodes, "is needed.", "are needed."),
          .shortfall = distance(judged),
          .unit = "nodes",
          .ways_out = {}};
}

std::vector<std::string> ownership_members(const ArchitectureNeed& need, const ArchitectureBand& band) {
  std::vector<std::string> members;
  for (const std::string& word : band.ownership)
    if (word != "cloud" || need.tenancy == "several-tenants") members.push_back(text_member("ownership", word));
  return members;
}

/// What speaks against a group, in the order ownership, tenancy, fabric, size, site.
RejectedDesign rejection(const ArchitectureNeed& need, const Group& group, const JudgedBand& judged) {
  const ArchitectureBand& band = *judged.parts.band;
  RejectedDesign rejected;
  rejected.architecture_id = band.architecture_id;
  rejected.title = title_of(judged.parts);
  rejected.system_id = judged.parts.system->id;
  std::vector<SiteShortfall> reasons;
  Patches patches;
  if (!judged.ownership) {
    reasons.push_back({.code = "ownership",
                       .message = rejected.title + " is not a design for the ownership \"" + need.ownership + "\"."});
    patches.add(ownership_members(need, band));
  }
  if (!judged.tenancy) {
    const bool for_tenants = need.tenancy != "several-tenants";
    reasons.push_back({.code = "tenancy",
                       .message = rejected.title + (for_tenants ? " is, at this size, a design for several tenants."
                                                                : " is written for one organisation.")});
    patches.add({text_member("tenancy", for_tenants ? "several-tenants" : "several-teams")});
  }
  if (!judged.fabric) {
    reasons.push_back(
        {.code = "fabric", .message = rejected.title + " is not built with the fabric \"" + need.fabric + "\"."});
    std::vector<std::string> members;
    for (const std::string& word : band.fabrics) members.push_back(text_member("fabric", word));
    patches.add(members);
  }
  if (!judged.size) {
    reasons.push_back(size_shortfall(group, rejected.title, judged));
    patches.add({size_member(need, judged)});
  }
  for (const SiteBreach& breach : judged.site) {
    // The power of the whole site depends on a size that may still change.
    if (breach.condition == SiteCondition::site_power && !judged.size) continue;
    SiteShortfall shortfall = shortfall_of(breach, *judged.parts.system, judged.nodes, "The systems alone draw");
    std::vector<std::string> members;
    for (const std::string& patch : shortfall.ways_out) members.push_back(patch.substr(1, patch.size() - 2));
    patches.add(members);
    reasons.push_back(std::move(shortfall));
  }
  for (SiteShortfall& reason : reasons) rejected.message += (rejected.message.empty() ? "" : " ") + reason.message;
  rejected.code = reasons.front().code;
  rejected.shortfall = reasons.front().shortfall;
  rejected.unit = reasons.front().unit;
  rejected.further.assign(reasons.begin() + 1, reasons.end());
  rejected.ways_out = patches.take();
  return rejected;
}

/// How far a band is from being possible: a site can be changed, a fabric chosen anew; a size that lies elsewhere is
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
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.remoteness < b.remoteness; });
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
  rejected.message =
      rejected.title + " would serve and stands behind the designs shown: " + judged.parts.band->why + ".";
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
  std::stable_sort(gpus.begin(), gpus.end(), [](const Gpu* a, const Gpu* b) {
    return a->memory.value_or(Bytes()) > b->memory.value_or(Bytes());
  });
  if (gpus.size() > kOtherGpus) gpus.resize(kOtherGpus);
  for (const Gpu* gpu : gpus) rejected.front().ways_out.push_back("{" + text_member("gpu", gpu->id) + "}");
}

}  // namespace podwright
