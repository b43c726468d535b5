#pragma once
/// The racks of a whole design as data: systems, then networks and management.
/// docs/method/racks_and_power.md#elevations.
#include <string>
#include <vector>

#include "architecture/design_size.h"
#include "architecture/elevation.h"
#include "catalog/catalog.h"

namespace podwright {

/// Systems as devices, with the power (and, where the system states none, height and weight) of the one that stands in.
DeviceGroup system_group(const DesignParts& parts, std::vector<std::string> labels);

/// Switches as devices; a height that the catalog lacks counts as one rack unit.
DeviceGroup switch_group(const Switch& item, std::string role, std::vector<std::string> labels);

/// Management servers or appliances, with the height of operating_figures.csv; their power is not known.
DeviceGroup server_group(const Catalog& catalog, std::string role, std::vector<std::string> labels);

/// What stands where. `nodes_in_rack` and `other_racks` are those of rack_plan(); `others` in the order in which they
/// are placed. Racks are labelled "r001" (systems) and "x001" (the rest); a system that is a rack keeps its own label.
Elevations design_elevations(const DesignParts& parts, std::vector<std::string> node_labels,
                             std::uint32_t nodes_in_rack, const std::vector<DeviceGroup>& others,
                             std::uint32_t other_racks, const ElevationLimits& limits);

}  // namespace podwright
