#pragma once
/// What a drawing of a fabric says: counts, names and labels of units, planes and groups.
#include <cstdint>
#include <string>
#include <vector>

#include "architecture/cable_schedule.h"
#include "architecture/counted.h"
#include "architecture/fabric.h"

namespace podwright {

// Which scalable units and spine groups of a fabric are drawn together. docs/method/drawings.md#collapsing.

/// Scalable units, from 0, that one line of a drawing shows.
struct TopologyRow {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool open = false;

  std::uint32_t units() const { return last - first + 1; }
};

/// Lines whose leaves share spines: those of one layer, of pods, or of rail groups.
struct TopologyBlock {
  std::vector<TopologyRow> rows;
  std::uint32_t first_group = 0;  ///< spine groups, from 0
  std::uint32_t last_group = 0;
  bool single = false;  ///< shows units one by one, so that its spines are worth a closer look
};

/// Units up to this number each have a line of their own.
inline constexpr std::uint32_t kMostSingleUnits = 16;
/// Beyond it the first of them still have.
inline constexpr std::uint32_t kFirstSingleUnits = 3;

/// Every unit once, in order. `open` holds units from 1; others than those of the fabric are ignored. A fabric without
/// spines is one open line.
std::vector<TopologyBlock> topology_blocks(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric,
                                           const std::vector<std::uint32_t>& open);

/// Planes that are drawn as one: the first, and all others.
struct PlaneBand {
  std::uint32_t first = 0;
  std::uint32_t planes = 1;
};

/// `need` and `fabric` must outlive it; the fabric has no refusals. Leaves and spines are numbered from 0 within their
/// plane, groups too.
struct TopologyFacts {
  TopologyFacts(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric);

  bool has_spines() const { return fabric.spine.per_plane > 0; }
  bool is_pair() const { return need.topology == FabricTopology::switch_pair; }
  bool has_rail_groups() const { return need.topology == FabricTopology::rail_groups; }

  std::string label(FabricDevice kind, std::uint32_t plane, std::uint32_t device) const {
    return device_label(layout, {plane * devices_of_plane(kind) + device, 1, kind});
  }
  std::string node_label(std::uint32_t node) const { return device_label(layout, {node, 0, FabricDevice::node}); }
  /// From the first device in a band's first plane to the last in its last plane.
  std::string labels(FabricDevice kind, const PlaneBand& band, std::uint32_t first, std::uint32_t last) const;
  /// "Unit 3", "Units 5 to 64".
  std::string unit_name(const TopologyRow& row) const;
  /// "Plane 1", "Planes 2 to 4"; empty where there is one.
  std::string plane_name(const PlaneBand& band) const;
  /// " rail 3" of a rail group.
  std::string rail_of(std::uint32_t group) const {
    return has_rail_groups() ? " rail " + grouped(group % layout.rails + 1) : std::string();
  }
  /// "400 Gb/s"; the speed must be known.
  std::string link_speed() const { return human_number(*need.link / gb_per_s(0.125), 4) + " Gb/s"; }

  /// In one plane, as in all that follows.
  double leaves_of_unit() const { return has_spines() ? need.rails * fabric.leaves_of_rail : fabric.leaf.per_plane; }
  double leaves_of(const TopologyRow& row) const {
    return has_spines() ? row.units() * leaves_of_unit() : leaves_of_unit();
  }
  /// For nodes.
  double places_of(const TopologyRow& row) const {
    return has_spines() ? row.units() * need.nodes_per_unit : fabric.nodes_of_shell;
  }
  double nodes_of(const TopologyRow& row) const;
  double uplinks_of(const TopologyRow& row, const PlaneBand& band) const {
    return leaves_of(row) * fabric.uplinks * band.planes;
  }
  /// Ports to nodes that are taken on a leaf.
  double nodes_on_leaf(std::uint32_t leaf) const;
  /// Of a leaf.
  double ports_for_nodes() const { return has_spines() || is_pair() ? fabric.leaf_ports_down : need.switch_ports; }

  std::uint32_t spines_of_group(std::uint32_t group) const;
  std::uint32_t first_spine(std::uint32_t group) const { return group * layout.spines_per_group; }
  double spines_of(const TopologyBlock& block) const;
  /// Parts that cores fall into; each joins the same spines of all groups.
  std::uint32_t core_groups() const;

  const FabricNeed<NoTrace>& need;
  const Fabric<NoTrace>& fabric;
  FabricLayout layout;
  std::vector<PlaneBand> bands;

 private:
  std::uint32_t devices_of_plane(FabricDevice kind) const;
};

}  // namespace podwright
