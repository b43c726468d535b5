#pragma once
/// Fabrics and racks of whole designs, for tests of drawings.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/design_elevations.h"
#include "architecture/fabric_needs.h"
#include "architecture/rack_plan.h"
#include "architecture/site_parts.h"

namespace podwright::test {

inline std::vector<std::string> numbered_labels(std::string_view prefix, double count, std::size_t digits) {
  std::vector<std::string> labels;
  for (int i = 1; i <= static_cast<int>(count); ++i) {
    std::string number = std::to_string(i);
    if (number.size() < digits) number.insert(0, digits - number.size(), '0');
    labels.push_back(std::string(prefix) + number);
  }
  return labels;
}

/// The fabric of a SuperPOD H100 with one node less than its units hold.
inline FabricNeed<NoTrace> h100_with_manager(double nodes) { return h100(nodes, std::fmod(nodes, 32) == 0 ? 0 : 4); }

/// Racks of a design with switches and servers in proportion to the build of four units. `spines` and `leaves` are
/// labels of the fabric.
inline Elevations racks_of(const DesignParts& parts, double nodes, double units, double rack_kw) {
  const Catalog& catalog = embedded_catalog_facts();
  const auto group = [&](const char* item, const char* role, const char* prefix, double of_unit) {
    return switch_group(*item_of(catalog.switches, item), role, numbered_labels(prefix, std::ceil(of_unit * units), 4));
  };
  const std::vector<DeviceGroup> others{group("qm9700", "compute-leaf", "p1-u001-r1-l", 8),
                                        group("qm9700", "compute-spine", "p1-g001-s", 4),
                                        group("qm9700", "storage-leaf", "storage-leaf-", 4),
                                        group("sn4600c", "in-band-leaf", "in-band-leaf-", 2),
                                        group("sn2201", "out-of-band", "out-of-band-", 2),
                                        server_group(catalog, "management", numbered_labels("mgmt-", 4, 2)),
                                        server_group(catalog, "fabric-manager", numbered_labels("m", 4, 1))};
  const ElevationLimits limits{.rack_units = 48, .power = kw(rack_kw), .load_kg = std::nullopt};
  NoTrace trace;
  const auto plan = rack_plan<NoTrace>(trace, catalog, parts, parts.architecture, nodes, units, rack_of(rack_kw),
                                       usual_circuit(trace, catalog), packed_racks(others, limits));
  const double systems = is_rack(*parts.system) ? units : nodes;
  return design_elevations(parts, numbered_labels(is_rack(*parts.system) ? "nvl72-" : "n", systems, 5),
                           static_cast<std::uint32_t>(plan->in_rack.nodes), others,
                           static_cast<std::uint32_t>(plan->other_racks), limits);
}

/// Of a SuperPOD H100.
inline Elevations h100_racks(double nodes) {
  return racks_of(design_of("dgx-h100", "dgx-superpod-h100"), nodes, std::ceil(nodes / 32), 41);
}

}  // namespace podwright::test
