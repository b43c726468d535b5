#include "export/topology_facts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/whole.h"

namespace podwright {
namespace {}  // namespace

TopologyFacts::TopologyFacts(const FabricNeed<NoTrace>& wanted, const Fabric<NoTrace>& built)
    : need(wanted), fabric(built) {
  const Whole planes = whole(need.planes);
  const bool grouped = has_rail_groups() || fabric.core.per_plane > 0;
  layout = {.planes = planes,
            .rails = whole(need.rails),
            .leaves_of_rail = whole(fabric.leaves_of_rail),
            .leaves = whole(fabric.leaf.per_plane),
            .spines = whole(fabric.spine.per_plane),
            .cores = whole(fabric.core.per_plane),
            .spines_per_group = grouped ? whole(fabric.spines_of_group) : 0,
            .named_by_rail = has_spines()};
  bands.push_back({0, 1});
  if (planes > 1) bands.push_back({1, planes - 1});
}

std::uint32_t TopologyFacts::devices_of_plane(FabricDevice kind) const {
  if (kind == FabricDevice::leaf) return layout.leaves;
  return kind == FabricDevice::spine ? layout.spines : layout.cores;
}

std::string TopologyFacts::label(FabricDevice kind, Whole plane, Whole device) const {
  return device_label(layout, {plane * devices_of_plane(kind) + device, 1, kind});
}

std::string TopologyFacts::node_label(Whole node) const { return device_label(layout, {node, 0, FabricDevice::node}); }

std::string TopologyFacts::labels(FabricDevice kind, const PlaneBand& band, Whole first, Whole last) const {
  const std::string from = label(kind, band.first, first);
  const std::string to = label(kind, band.first + band.planes - 1, last);
  return from == to ? from : from + " to " + to;
}

std::string TopologyFacts::unit_name(const TopologyRow& row) const {
  if (row.first == row.last) return "Unit " + count_text(row.first + 1);
  return "Units " + count_text(row.first + 1) + " to " + count_text(row.last + 1);
}

std::string TopologyFacts::plane_name(const PlaneBand& band) const {
  if (layout.planes == 1) return {};
  if (band.planes == 1) return "Plane " + count_text(band.first + 1);
  return "Planes " + count_text(band.first + 1) + " to " + count_text(band.first + band.planes);
}

std::string TopologyFacts::rail_of(Whole group) const {
  return has_rail_groups() ? " rail " + count_text(group % layout.rails + 1) : std::string();
}

std::string TopologyFacts::link_speed() const { return human_number(*need.link / gb_per_s(0.125), 4) + " Gb/s"; }

double TopologyFacts::leaves_of_unit() const {
  return has_spines() ? need.rails * fabric.leaves_of_rail : fabric.leaf.per_plane;
}

double TopologyFacts::leaves_of(const TopologyRow& row) const {
  return has_spines() ? row.units() * leaves_of_unit() : leaves_of_unit();
}

double TopologyFacts::places_of(const TopologyRow& row) const {
  return has_spines() ? row.units() * need.nodes_per_unit : fabric.nodes_of_shell;
}

double TopologyFacts::nodes_of(const TopologyRow& row) const {
  if (!has_spines()) return need.nodes;
  return std::clamp(need.nodes - row.first * need.nodes_per_unit, 0.0, places_of(row));
}

double TopologyFacts::uplinks_of(const TopologyRow& row, const PlaneBand& band) const {
  return leaves_of(row) * fabric.uplinks * band.planes;
}

double TopologyFacts::nodes_on_leaf(Whole leaf) const {
  if (!has_spines()) {
    const double ends = need.nodes * need.rails;
    const double each = std::floor(ends / layout.leaves);
    return each + (leaf < ends - each * layout.leaves ? 1 : 0);
  }
  const double first = std::floor(leaf / leaves_of_unit()) * need.nodes_per_unit;
  const double present = std::clamp(need.nodes - first, 0.0, need.nodes_per_unit);
  return std::clamp(present - leaf % layout.leaves_of_rail * fabric.leaf_ports_down, 0.0, fabric.leaf_ports_down);
}

double TopologyFacts::ports_for_nodes() const {
  return has_spines() || is_pair() ? fabric.leaf_ports_down : need.switch_ports;
}

std::uint32_t TopologyFacts::spines_of_group(Whole group) const {
  if (layout.spines_per_group == 0) return layout.spines;
  return std::min(layout.spines_per_group, layout.spines - first_spine(group));
}

std::uint32_t TopologyFacts::first_spine(Whole group) const { return group * layout.spines_per_group; }

double TopologyFacts::spines_of(const TopologyBlock& block) const {
  double spines = 0;
  for (Whole group = block.first_group; group <= block.last_group; ++group) spines += spines_of_group(group);
  return spines;
}

std::uint32_t TopologyFacts::core_groups() const {
  Whole common = layout.cores;
  if (layout.spines_per_group == 0) return common;
  for (Whole group = 0; first_spine(group) < layout.spines; ++group) common = std::gcd(common, spines_of_group(group));
  return common;
}

}  // namespace podwright
