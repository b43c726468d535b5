#include "architecture/design_elevations.h"

#include <cmath>

namespace podwright {
namespace {

std::uint32_t whole_units(double rack_units) { return static_cast<std::uint32_t>(std::ceil(rack_units)); }

}  // namespace

DeviceGroup system_group(const DesignParts& parts, std::vector<std::string> labels) {
  const System& system = *parts.system;
  const System& body = body_of(parts);
  DeviceGroup group{.kind = {.item_id = system.id, .role = "system", .weight_kg = body.weight_kg},
                    .labels = std::move(labels)};
  if (body.rack_units) group.kind.rack_units = whole_units(*body.rack_units);
  if (const std::optional<PlannedPower> power = planned_power(parts)) group.kind.power = power->value;
  return group;
}

DeviceGroup switch_group(const Switch& item, std::string role, std::vector<std::string> labels) {
  DeviceGroup group{.kind = {.item_id = item.id, .role = std::move(role), .weight_kg = item.weight_kg},
                    .labels = std::move(labels)};
  if (const std::optional<PlannedPower> power = planned_power(item)) group.kind.power = power->value;
  if (item.rack_units) group.kind.rack_units = whole_units(*item.rack_units);
  return group;
}

DeviceGroup server_group(const Catalog& catalog, std::string role, std::vector<std::string> labels) {
  DeviceGroup group{.kind = {.role = std::move(role)}, .labels = std::move(labels)};
  if (const OperatingFigure* height = find_operating_figure(catalog.operating_figures, "management-server-height"))
    group.kind.rack_units = whole_units(height->typical);
  return group;
}

Elevations design_elevations(const DesignParts& parts, std::vector<std::string> node_labels,
                             std::uint32_t nodes_in_rack, const std::vector<DeviceGroup>& others,
                             std::uint32_t other_racks, const ElevationLimits& limits) {
  Elevations elevations;
  elevations.rack_units = limits.rack_units;
  const DeviceGroup systems = system_group(parts, std::move(node_labels));
  if (is_rack(*parts.system))
    stand_rack_systems(elevations, *parts.system, systems.labels, systems.kind.power);
  else
    fill_racks(elevations, systems, nodes_in_rack, limits, "r");
  pack_racks(elevations, others, other_racks, limits, "x");
  return elevations;
}

}  // namespace podwright
