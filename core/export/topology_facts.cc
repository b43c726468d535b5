#include "export/topology_facts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/whole.h"

namespace podwright {
namespace {

/// Units whose leaves share spine groups with no other unit's.
struct Island {
  Whole first = 0;
  Whole last = 0;
  Whole first_group = 0;
  Whole last_group = 0;
  bool single = false;
};

class GroupRule {
 public:
  GroupRule(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric)
      : rail_groups_(need.topology == FabricTopology::rail_groups),
        pods_(!rail_groups_ && fabric.core.per_plane > 0),
        rails_(whole(need.rails)),
        units_per_group_(std::max(1U, whole(std::min(need.units_per_group, fabric.scalable_units)))),
        leaves_of_unit_(whole(need.rails * fabric.leaves_of_rail)),
        leaves_of_pod_(std::max(1U, whole(need.switch_ports) / 2)) {}

  std::pair<Whole, Whole> of_unit(Whole unit) const {
    if (rail_groups_) {
      const Whole first = unit / units_per_group_ * rails_;
      return {first, first + rails_ - 1};
    }
    if (!pods_) return {0, 0};
    return {unit * leaves_of_unit_ / leaves_of_pod_, ((unit + 1) * leaves_of_unit_ - 1) / leaves_of_pod_};
  }

 private:
  bool rail_groups_;
  bool pods_;
  Whole rails_, units_per_group_, leaves_of_unit_, leaves_of_pod_;
};

std::vector<Island> islands_of(const GroupRule& rule, Whole units) {
  std::vector<Island> islands;
  for (Whole unit = 0; unit < units; ++unit) {
    const auto [first, last] = rule.of_unit(unit);
    if (islands.empty() || first > islands.back().last_group)
      islands.push_back({unit, unit, first, last, false});
    else
      islands.back() = {islands.back().first, unit, islands.back().first_group, last, false};
  }
  return islands;
}

std::vector<TopologyRow> rows_of(const Island& island, const std::vector<bool>& alone, const std::vector<bool>& open) {
  std::vector<TopologyRow> rows;
  for (Whole unit = island.first; unit <= island.last; ++unit) {
    const bool goes_on = !rows.empty() && !alone[unit] && !alone[unit - 1];
    if (goes_on)
      rows.back().last = unit;
    else
      rows.push_back({unit, unit, open[unit]});
  }
  return rows;
}

}  // namespace

std::vector<TopologyBlock> topology_blocks(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric,
                                           const std::vector<std::uint32_t>& open) {
  const Whole units = whole(fabric.scalable_units);
  if (fabric.spine.per_plane == 0) return {{{{0, units - 1, true}}, 0, 0, true}};

  std::vector<bool> opened(units, false);
  std::vector<bool> alone(units, units <= kMostSingleUnits);
  for (const Whole unit : open)
    if (unit >= 1 && unit <= units) opened[unit - 1] = alone[unit - 1] = true;
  for (Whole unit = 0; unit < std::min(units, kFirstSingleUnits); ++unit) alone[unit] = true;

  std::vector<TopologyBlock> blocks;
  for (Island island : islands_of(GroupRule(need, fabric), units)) {
    for (Whole unit = island.first; unit <= island.last; ++unit) island.single = island.single || alone[unit];
    const bool joins = !island.single && !blocks.empty() && !blocks.back().single;
    if (joins) {
      blocks.back().rows.back().last = island.last;
      blocks.back().last_group = island.last_group;
    } else {
      blocks.push_back({rows_of(island, alone, opened), island.first_group, island.last_group, island.single});
    }
  }
  return blocks;
}

TopologyFacts::TopologyFacts(const FabricNeed<NoTrace>& wanted, const Fabric<NoTrace>& built)
    : need(wanted), fabric(built), layout(fabric_layout(wanted, built)) {
  bands.push_back({0, 1});
  if (layout.planes > 1) bands.push_back({1, layout.planes - 1});
}

std::uint32_t TopologyFacts::devices_of_plane(FabricDevice kind) const {
  if (kind == FabricDevice::leaf) return layout.leaves;
  return kind == FabricDevice::spine ? layout.spines : layout.cores;
}

std::string TopologyFacts::labels(FabricDevice kind, const PlaneBand& band, Whole first, Whole last) const {
  const std::string from = label(kind, band.first, first);
  const std::string to = label(kind, band.first + band.planes - 1, last);
  return from == to ? from : from + " to " + to;
}

std::string TopologyFacts::unit_name(const TopologyRow& row) const {
  if (row.first == row.last) return "Unit " + grouped(row.first + 1);
  return "Units " + grouped(row.first + 1) + " to " + grouped(row.last + 1);
}

std::string TopologyFacts::plane_name(const PlaneBand& band) const {
  if (layout.planes == 1) return {};
  if (band.planes == 1) return "Plane " + grouped(band.first + 1);
  return "Planes " + grouped(band.first + 1) + " to " + grouped(band.first + band.planes);
}

double TopologyFacts::nodes_of(const TopologyRow& row) const {
  if (!has_spines()) return need.nodes;
  return std::clamp(need.nodes - row.first * need.nodes_per_unit, 0.0, places_of(row));
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

std::uint32_t TopologyFacts::spines_of_group(Whole group) const {
  if (layout.spines_per_group == 0) return layout.spines;
  return std::min(layout.spines_per_group, layout.spines - first_spine(group));
}

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
