#include "architecture/cable_length.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/result.h"

namespace podwright {
namespace {

/// Rows of operating_figures.csv, by preference within a lane rate.
struct ReachRow {
  std::string_view lane_rate;
  CableMedium medium;
  std::string_view figure;
  bool to_nodes = true;
  bool between_switches = true;
};
constexpr ReachRow kReaches[] = {
    {"1g", CableMedium::twisted_pair, "cable-reach-1g-twisted-pair"},
    {"25g", CableMedium::copper, "cable-reach-25g-copper"},
    {"25g", CableMedium::active_optical, "cable-reach-25g-active-optical"},
    {"25g", CableMedium::single_mode, "cable-reach-25g-single-mode-2km"},
    {"50g", CableMedium::copper, "cable-reach-50g-copper"},
    {"50g", CableMedium::active_optical, "cable-reach-50g-active-optical"},
    {"100g", CableMedium::copper, "cable-reach-100g-copper-switch", false, true},
    {"100g", CableMedium::copper, "cable-reach-100g-copper-node", true, false},
    {"100g", CableMedium::multimode, "cable-reach-100g-multimode"},
    {"100g", CableMedium::single_mode, "cable-reach-100g-single-mode-dr"},
    {"100g", CableMedium::single_mode, "cable-reach-100g-single-mode-dr-500m"},
    {"100g", CableMedium::single_mode, "cable-reach-100g-single-mode-fr"},
    {"200g", CableMedium::single_mode, "cable-reach-200g-single-mode-dr"},
    {"200g", CableMedium::single_mode, "cable-reach-200g-single-mode-fr"},
};

/// Roles as small numbers, in the order in which they are met.
class Roles {
 public:
  explicit Roles(const NetworkWiring& wiring) {
    for (const WiredDevice& device : wiring.devices) {
      const auto found = std::find(names_.begin(), names_.end(), device.role);
      of_device_.push_back(static_cast<std::uint32_t>(found - names_.begin()));
      if (found == names_.end()) names_.push_back(device.role);
    }
  }
  std::uint32_t of(std::uint32_t device) const { return of_device_[device]; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::vector<std::uint32_t> of_device_;
};

/// The first kind of cable that reaches and suits the ends.
CableMedium medium_of(const std::vector<CableReach>& reaches, double length_m, bool switches, bool copper) {
  for (const CableReach& reach : reaches) {
    if (reach.medium == CableMedium::copper && !copper) continue;
    if ((switches ? reach.between_switches : reach.to_nodes) && length_m <= reach.reach_m) return reach.medium;
  }
  return CableMedium::unknown;
}

/// A place for every rack, those without systems in the middle.
std::vector<std::size_t> floor_order(const Elevations& elevations) {
  std::vector<std::size_t> systems, others;
  for (std::size_t i = 0; i < elevations.racks.size(); ++i) {
    const std::vector<RackedDevice>& devices = elevations.racks[i].devices;
    const bool holds_system = std::any_of(devices.begin(), devices.end(), [&](const RackedDevice& device) {
      return elevations.kinds[device.kind].role == "system" || elevations.kinds[device.kind].role == "compute";
    });
    (holds_system ? systems : others).push_back(i);
  }
  systems.insert(systems.begin() + static_cast<std::ptrdiff_t>(systems.size() / 2), others.begin(), others.end());
  return systems;
}

}  // namespace

std::uint8_t cable_length_class(double length_m) {
  for (std::uint8_t i = 0; i < kCableLengths.size(); ++i)
    if (length_m <= kCableLengths[i]) return i;
  return kNoLength;
}

std::optional<FloorPlan> floor_plan(const Catalog& catalog) {
  bool all = true;
  const auto figure = [&](std::string_view id) {
    const OperatingFigure* found = find_operating_figure(catalog.operating_figures, id);
    all = all && found != nullptr;
    return found == nullptr ? 0 : found->typical;
  };
  const FloorPlan plan{.rack_width = figure("rack-width"),
                       .row_pitch = row_pitch_m(figure("rack-depth"), figure("cold-aisle"), figure("hot-aisle")),
                       .rack_unit = figure("rack-unit"),
                       .tray_clearance = figure("cable-tray-clearance"),
                       .slack = figure("cable-slack")};
  if (!all) return {};
  return plan;
}

DevicePlaces::DevicePlaces(const Elevations& elevations, const FloorPlan& plan)
    : plan_(plan), rack_units_(elevations.rack_units), racks_per_row_(plan.racks_per_row) {
  const double racks = static_cast<double>(elevations.racks.size());
  if (racks_per_row_ == 0)
    racks_per_row_ = static_cast<std::uint32_t>(std::max(1.0, racks_in_row(racks, plan.row_pitch, plan.rack_width)));
  std::size_t devices = 0;
  for (const RackElevation& rack : elevations.racks) devices += rack.devices.size();
  devices_.reserve(devices);
  const std::vector<std::size_t> order = floor_order(elevations);
  for (std::uint32_t spot = 0; spot < order.size(); ++spot) {
    const RackElevation& rack = elevations.racks[order[spot]];
    DevicePlace place{.rack = spot,
                      .along_m = spot % racks_per_row_ * plan.rack_width,
                      .across_m = spot / racks_per_row_ * plan.row_pitch,
                      .unit = rack_units_ / 2};
    racks_.emplace(rack.label, place);
    for (const RackedDevice& device : rack.devices) {
      place.unit = device.bottom_unit - 1 + elevations.kinds[device.kind].rack_units / 2.0;
      devices_.emplace(device.label, place);
    }
  }
}

std::optional<DevicePlace> DevicePlaces::find(const std::string& label) const {
  const auto device = devices_.find(label);
  if (device != devices_.end()) return device->second;
  for (std::size_t end = label.rfind('-'); end != std::string::npos && end > 0; end = label.rfind('-', end - 1)) {
    const auto rack = racks_.find(label.substr(0, end));
    if (rack != racks_.end()) return rack->second;
  }
  return {};
}

double DevicePlaces::cable_m(const DevicePlace& from, const DevicePlace& to) const {
  if (from.rack == to.rack) return cable_in_rack_m(std::abs(from.unit - to.unit), plan_.rack_unit, plan_.slack);
  const double rises = rise_to_tray_m(rack_units_, from.unit, plan_.rack_unit, plan_.tray_clearance) +
                       rise_to_tray_m(rack_units_, to.unit, plan_.rack_unit, plan_.tray_clearance);
  return cable_over_tray_m(rises, std::abs(from.along_m - to.along_m), std::abs(from.across_m - to.across_m),
                           plan_.slack);
}

std::string_view lane_rate(const Switch& item) {
  if (item.kind.find("HDR") != std::string::npos) return "50g";
  if (item.kind.find("NDR") != std::string::npos) return "100g";
  if (item.kind.find("XDR") != std::string::npos) return "200g";
  if (!item.port_gbps) return {};
  if (*item.port_gbps >= 400) return "100g";
  if (*item.port_gbps >= 200) return "50g";
  if (*item.port_gbps >= 100) return "25g";
  return *item.port_gbps == 1 ? std::string_view("1g") : std::string_view();
}

std::vector<CableReach> cable_reaches(const Catalog& catalog, std::string_view lane_rate) {
  std::vector<CableReach> reaches;
  for (const ReachRow& row : kReaches) {
    if (row.lane_rate != lane_rate) continue;
    if (const OperatingFigure* figure = find_operating_figure(catalog.operating_figures, row.figure))
      reaches.push_back({row.medium, figure->typical, row.to_nodes, row.between_switches});
  }
  return reaches;
}

std::vector<CableRun> cable_runs(const NetworkWiring& wiring, const DevicePlaces& places, const CableRules& rules) {
  const Roles roles(wiring);
  std::vector<const CableRules::Rule*> rule_of_role;
  std::vector<bool> switch_role;
  for (const std::string& role : roles.names()) {
    const auto found = std::find_if(rules.rules.begin(), rules.rules.end(),
                                    [&](const CableRules::Rule& rule) { return rule.to_role == role; });
    rule_of_role.push_back(found == rules.rules.end() ? nullptr : &*found);
    switch_role.push_back(is_switch(role));
  }
  std::vector<std::optional<DevicePlace>> place;
  place.reserve(wiring.devices.size());
  for (const WiredDevice& device : wiring.devices) place.push_back(places.find(device.label));

  std::vector<CableRun> runs(wiring.wires.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Wire& wire = wiring.wires[i];
    if (!place[wire.from_device] || !place[wire.to_device]) continue;
    const double length = places.cable_m(*place[wire.from_device], *place[wire.to_device]);
    runs[i].length = cable_length_class(length);
    const std::uint32_t from = roles.of(wire.from_device), to = roles.of(wire.to_device);
    if (rule_of_role[to] == nullptr || runs[i].length == kNoLength) continue;
    runs[i].medium = medium_of(rule_of_role[to]->reaches, length, switch_role[from] && switch_role[to],
                               rules.copper || (from == to && switch_role[from]));
  }
  return runs;
}

std::vector<CableLine> cable_lines(const NetworkWiring& wiring, const std::vector<CableRun>& runs) {
  PODWRIGHT_ASSERT(runs.size() == wiring.wires.size());
  const Roles roles(wiring);
  struct Pair {
    std::uint32_t from, to;
    std::map<std::pair<CableMedium, std::uint8_t>, double> links;
  };
  std::vector<Pair> pairs;
  std::size_t at = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::uint32_t from = roles.of(wiring.wires[i].from_device), to = roles.of(wiring.wires[i].to_device);
    if (at == pairs.size() || pairs[at].from != from || pairs[at].to != to)
      for (at = 0; at < pairs.size() && (pairs[at].from != from || pairs[at].to != to);) ++at;
    if (at == pairs.size()) pairs.push_back({from, to, {}});
    ++pairs[at].links[{runs[i].medium, runs[i].length}];
  }
  std::vector<CableLine> lines;
  for (const Pair& pair : pairs) {
    double links = 0;
    const auto cables = [&] { return std::ceil(links / wiring.links_per_cable); };
    for (const auto& [kind, count] : pair.links) {
      const double before = cables();
      links += count;
      lines.push_back(
          {.network = wiring.network,
           .from_role = roles.names()[pair.from],
           .to_role = roles.names()[pair.to],
           .medium = kind.first,
           .length_m = kind.second == kNoLength ? std::nullopt : std::optional<double>(kCableLengths[kind.second]),
           .links = count,
           .cables = cables() - before});
    }
  }
  return lines;
}

}  // namespace podwright
