#include "architecture/site_guides.h"

#include <algorithm>
#include <string_view>

namespace podwright {
namespace {

/// The document itself where it tells the part, else the one it is like.
template <class Tells>
const ReferenceArchitecture* guide(const Catalog& catalog, const ReferenceArchitecture* document, Tells tells) {
  if (document == nullptr || tells(*document)) return document;
  const ReferenceArchitecture* like = row_with_id(catalog.architectures, document->site.like);
  return like != nullptr && tells(*like) ? like : nullptr;
}

bool is_ethernet(std::string_view fabric) { return fabric != "infiniband" && fabric != "none"; }

/// Whether a design with one of `fabrics` follows the same rules as one with `wanted`.
bool has_fabric(const std::vector<std::string>& fabrics, std::string_view wanted) {
  return std::any_of(fabrics.begin(), fabrics.end(), [&](const std::string& fabric) {
    return fabric == wanted || (is_ethernet(fabric) && is_ethernet(wanted));
  });
}

/// The largest design with the same GPUs in systems of the same size whose fabric is known: a custom design continues
/// its rule.
const ReferenceArchitecture* continued(const Catalog& catalog, const ArchitectureBand& band, const System& system,
                                       std::string_view asked) {
  const std::string_view wanted = asked == "any" && !band.fabrics.empty() ? band.fabrics.front() : asked;
  const ReferenceArchitecture* largest = nullptr;
  double nodes = 0;
  for (const ArchitectureBand& other : catalog.architecture_bands) {
    if (other.gpu_id != band.gpu_id || !has_fabric(other.fabrics, wanted)) continue;
    const System* of_band = row_with_id(catalog.systems, other.system_id);
    if (of_band == nullptr || of_band->gpu_count != system.gpu_count) continue;
    const ReferenceArchitecture* design = row_with_id(catalog.architectures, other.architecture_id);
    if (design == nullptr || !design->fabric || other.min_nodes < nodes) continue;
    largest = design;
    nodes = other.min_nodes;
  }
  return largest;
}

bool draws_racks(const ReferenceArchitecture& design) { return design.site.nodes_per_rack.has_value(); }

/// A drawing with the same systems in another document.
const ReferenceArchitecture* other_drawing(const Catalog& catalog, const System* system) {
  if (system == nullptr) return nullptr;
  for (const ReferenceArchitecture& design : catalog.architectures) {
    if (std::find(design.systems.begin(), design.systems.end(), system->id) == design.systems.end()) continue;
    if (const ReferenceArchitecture* drawing = guide(catalog, &design, draws_racks)) return drawing;
  }
  return nullptr;
}

}  // namespace

SiteGuides site_guides(const Catalog& catalog, const DesignParts& parts, std::string_view fabric) {
  SiteGuides guides;
  guides.document = parts.architecture;
  const bool no_rule = guides.document == nullptr || parts.band->fit == BandFit::open;
  if (no_rule && parts.band != nullptr && parts.band->architecture_id != "single-node")
    if (const ReferenceArchitecture* design = continued(catalog, *parts.band, *parts.system, fabric))
      guides.document = design;
  if (guides.document != nullptr && guides.document->fabric) guides.fabric = guides.document;
  guides.racks = guide(catalog, guides.document, draws_racks);
  if (guides.racks == nullptr) guides.racks = other_drawing(catalog, parts.power_system);
  const auto of_document = [&](auto tells) { return guide(catalog, guides.document, tells); };
  guides.storage_network = of_document([](const auto& design) { return design.site.storage_network.has_value(); });
  guides.in_band = of_document([](const auto& design) { return design.site.in_band || design.site.in_band_switches; });
  guides.out_of_band = of_document([](const auto& design) { return !design.site.out_of_band_switch.empty(); });
  guides.management = of_document(
      [](const auto& design) { return design.site.management_servers || design.site.drawn.management_servers; });
  return guides;
}

}  // namespace podwright
