#include "architecture/elevation.h"

#include <algorithm>

#include "architecture/counted.h"
#include "base/append.h"

namespace podwright {
namespace {

bool fits_empty(const DeviceKind& kind, const ElevationLimits& limits) {
  return kind.rack_units >= 1 && kind.rack_units <= limits.rack_units &&
         !(limits.power && kind.power && *kind.power > *limits.power) &&
         !(limits.load_kg && kind.weight_kg && *kind.weight_kg > *limits.load_kg);
}

/// What is in a rack so far.
struct Filling {
  std::uint32_t devices = 0;
  std::uint32_t units = 0;
  Watts power;
  double weight_kg = 0;

  bool takes(const DeviceKind& kind, const ElevationLimits& limits, std::uint32_t most_devices) const {
    return devices < most_devices && units + kind.rack_units <= limits.rack_units &&
           !(limits.power && kind.power && power + *kind.power > *limits.power) &&
           !(limits.load_kg && kind.weight_kg && weight_kg + *kind.weight_kg > *limits.load_kg);
  }
  void add(const DeviceKind& kind) {
    ++devices;
    units += kind.rack_units;
    if (kind.power) power += *kind.power;
    if (kind.weight_kg) weight_kg += *kind.weight_kg;
  }
};

/// Calls `place(group, device, rack)` for every device that fits a rack at all; gives the number of racks.
template <class Place>
std::uint32_t next_fit(const std::vector<DeviceGroup>& groups, const ElevationLimits& limits,
                       std::uint32_t most_devices, Place place) {
  std::uint32_t racks = 0;
  Filling filling;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const DeviceKind& kind = groups[group].kind;
    if (!fits_empty(kind, limits)) continue;
    for (std::size_t device = 0; device < groups[group].labels.size(); ++device) {
      if (racks == 0 || !filling.takes(kind, limits, most_devices)) {
        filling = {};
        ++racks;
      }
      filling.add(kind);
      place(group, device, racks - 1);
    }
  }
  return racks;
}

std::uint32_t racks_with(const std::vector<DeviceGroup>& groups, const ElevationLimits& limits,
                         std::uint32_t most_devices) {
  return next_fit(groups, limits, most_devices, [](std::size_t, std::size_t, std::uint32_t) {});
}

std::uint32_t device_count(const std::vector<DeviceGroup>& groups) {
  std::size_t devices = 0;
  for (const DeviceGroup& group : groups) devices += group.labels.size();
  return static_cast<std::uint32_t>(devices);
}

std::uint32_t kind_index(Elevations& elevations, const DeviceKind& kind) {
  elevations.kinds.push_back(kind);
  return static_cast<std::uint32_t>(elevations.kinds.size() - 1);
}

void add_device(RackElevation& rack, std::uint32_t kind_at, const DeviceKind& kind, std::string label) {
  rack.devices.push_back({.kind = kind_at, .bottom_unit = rack.used_units + 1, .label = std::move(label)});
  rack.used_units += kind.rack_units;
  if (kind.power) rack.power += *kind.power;
  if (kind.weight_kg) rack.weight_kg += *kind.weight_kg;
}

/// Parts of the same role below entry `at`.
std::uint32_t parts_before(const std::vector<RackPart>& parts, std::size_t at) {
  double count = 0;
  for (std::size_t i = 0; i < at; ++i)
    if (parts[i].role == parts[at].role) count += parts[i].count;
  return static_cast<std::uint32_t>(count);
}

}  // namespace

void fill_racks(Elevations& elevations, const DeviceGroup& group, std::uint32_t per_rack, const ElevationLimits& limits,
                std::string_view prefix) {
  elevations.rack_units = std::max(elevations.rack_units, limits.rack_units);
  if (!fits_empty(group.kind, limits)) {
    append(elevations.unplaced, group.labels);
    return;
  }
  const std::uint32_t kind = kind_index(elevations, group.kind);
  const std::size_t first = elevations.racks.size();
  next_fit({group}, limits, std::max(per_rack, 1U), [&](std::size_t, std::size_t device, std::uint32_t rack) {
    if (first + rack == elevations.racks.size())
      elevations.racks.push_back({.label = numbered_label(prefix, rack + 1, 3)});
    add_device(elevations.racks[first + rack], kind, group.kind, group.labels[device]);
  });
}

std::uint32_t packed_racks(const std::vector<DeviceGroup>& groups, const ElevationLimits& limits) {
  return racks_with(groups, limits, device_count(groups));
}

void pack_racks(Elevations& elevations, const std::vector<DeviceGroup>& groups, std::uint32_t rack_count,
                const ElevationLimits& limits, std::string_view prefix) {
  elevations.rack_units = std::max(elevations.rack_units, limits.rack_units);
  const std::uint32_t devices = device_count(groups);
  std::uint32_t most_devices = rack_count == 0 ? devices : (devices + rack_count - 1) / rack_count;
  while (most_devices < devices && racks_with(groups, limits, most_devices) > rack_count) ++most_devices;

  std::vector<std::uint32_t> kinds;
  for (const DeviceGroup& group : groups) {
    kinds.push_back(kind_index(elevations, group.kind));
    if (!fits_empty(group.kind, limits)) append(elevations.unplaced, group.labels);
  }
  const std::size_t first = elevations.racks.size();
  for (std::uint32_t rack = 0; rack < rack_count; ++rack)
    elevations.racks.push_back({.label = numbered_label(prefix, rack + 1, 3)});
  next_fit(groups, limits, most_devices, [&](std::size_t group, std::size_t device, std::uint32_t rack) {
    if (first + rack == elevations.racks.size())
      elevations.racks.push_back({.label = numbered_label(prefix, rack + 1, 3)});
    add_device(elevations.racks[first + rack], kinds[group], groups[group].kind, groups[group].labels[device]);
  });
}

void stand_rack_systems(Elevations& elevations, const System& system, const std::vector<std::string>& labels,
                        std::optional<Watts> power) {
  std::vector<std::uint32_t> kinds;
  std::uint32_t height = 0;
  for (const RackPart& part : system.rack_parts) {
    DeviceKind kind;
    kind.role = part.role;
    kind.rack_units = static_cast<std::uint32_t>(part.rack_units);
    kinds.push_back(kind_index(elevations, kind));
    height += kind.rack_units * static_cast<std::uint32_t>(part.count);
  }
  elevations.rack_units = std::max(elevations.rack_units, height);
  for (const std::string& label : labels) {
    RackElevation rack{.label = label};
    for (std::size_t i = 0; i < system.rack_parts.size(); ++i) {
      std::uint32_t number = parts_before(system.rack_parts, i);
      for (double part = 0; part < system.rack_parts[i].count; ++part)
        add_device(rack, kinds[i], elevations.kinds[kinds[i]],
                   numbered_label(label + "-" + system.rack_parts[i].role + "-", ++number, 2));
    }
    rack.power = power.value_or(Watts());
    rack.weight_kg = system.weight_kg.value_or(0);
    elevations.racks.push_back(std::move(rack));
  }
}

std::vector<RackUnit> unit_by_unit(const Elevations& elevations, const RackElevation& rack) {
  std::vector<RackUnit> units(elevations.rack_units);
  for (std::uint32_t i = 0; i < elevations.rack_units; ++i) units[i].unit = i + 1;
  for (const RackedDevice& device : rack.devices)
    for (std::uint32_t i = 0; i < elevations.kinds[device.kind].rack_units; ++i) {
      const std::size_t at = device.bottom_unit - 1 + i;
      if (at < units.size()) units[at] = {.unit = units[at].unit, .device = &device, .lowest = i == 0};
    }
  return units;
}

}  // namespace podwright
