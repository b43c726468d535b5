#pragma once
/// Management of a design: servers, ports of the management networks, software with its licences.
/// docs/method/racks_and_power.md#management.
#include <optional>
#include <string>
#include <vector>

#include "architecture/design_size.h"
#include "architecture/management.h"
#include "architecture/racks.h"
#include "base/trace.h"
#include "catalog/catalog.h"

namespace podwright {

/// Servers beside the systems. Absent where the design's document gives no number.
template <class Tracer>
struct ManagementServers {
  using Count = typename Tracer::template Known<double>;
  std::optional<Count> servers;
  std::optional<Count> fabric_managers;  ///< appliances
};

/// One number for every size, or the drawn number: servers stay as drawn up to the drawn units and grow with the units
/// beyond them, since a smaller build keeps its pair of pairs.
template <class Tracer>
ManagementServers<Tracer> management_servers(Tracer& trace, const ReferenceArchitecture* architecture,
                                             const std::optional<typename Tracer::template Known<double>>& units) {
  ManagementServers<Tracer> result;
  if (architecture == nullptr) return result;
  const ArchitectureSite& site = architecture->site;
  if (site.management_servers)
    result.servers = trace.fact(*architecture, "management.servers", *site.management_servers);
  if (!units || !site.drawn.units) return result;
  const auto scaled = [&](std::string_view id, std::string_view field, const std::optional<double>& drawn) {
    const auto count = trace.fact(*architecture, field, *drawn);
    const auto at_units = trace.step(id, kScaledDrawing, count, *units,
                                     trace.fact(*architecture, "racks.drawn_units", *site.drawn.units));
    return trace.step(id, kAtLeast, count, at_units);
  };
  if (site.drawn.management_servers)
    result.servers =
        scaled("architecture.management_servers", "management.bcm_servers_4su", site.drawn.management_servers);
  if (site.drawn.fabric_managers)
    result.fabric_managers = scaled("architecture.fabric_managers", "management.ufm_4su", site.drawn.fabric_managers);
  return result;
}

/// What a line of the software stack is bought for.
template <class Tracer>
struct SoftwareLine {
  const SoftwareProduct* product = nullptr;
  std::optional<typename Tracer::template Known<double>> licences;  ///< absent where how to count is not known
  const SoftwareProduct* covered_by = nullptr;  ///< another line whose licence contains this one; then licences is 0
};

/// Products that the design's document lists, in the order of the catalog's table. Empty where it lists none.
std::vector<const SoftwareProduct*> software_stack(const Catalog& catalog, const ReferenceArchitecture& architecture);

/// Licences for all GPUs or all nodes.
template <class Tracer>
std::vector<SoftwareLine<Tracer>> software_licences(Tracer& trace, const Catalog& catalog,
                                                    const ReferenceArchitecture& architecture,
                                                    const typename Tracer::template Known<double>& gpus,
                                                    const typename Tracer::template Known<double>& nodes) {
  std::vector<SoftwareLine<Tracer>> lines;
  const std::vector<const SoftwareProduct*> stack = software_stack(catalog, architecture);
  const auto one = trace.constant("licences_per_unit", 1.0, "one for each");
  const auto none = trace.constant("licences_per_unit_none", 0.0, "no licence of its own");
  for (const SoftwareProduct* product : stack) {
    SoftwareLine<Tracer> line{.product = product};
    for (const SoftwareProduct* other : stack)
      if (!product->contained_in.empty() && other->id == product->contained_in) line.covered_by = other;
    if (line.covered_by != nullptr || product->counted_per == LicenceUnit::none)
      line.licences = trace.step("architecture.licences", kLicenceCount, gpus, none);
    else if (product->counted_per == LicenceUnit::gpu)
      line.licences = trace.step("architecture.licences", kLicenceCount, gpus, one);
    else if (product->counted_per == LicenceUnit::node)
      line.licences = trace.step("architecture.licences", kLicenceCount, nodes, one);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace podwright
