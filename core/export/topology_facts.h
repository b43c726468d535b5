#pragma once
/// What a drawing of a fabric says: counts, names and labels of units, planes and groups.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/cable_schedule.h"
#include "architecture/fabric.h"
#include "export/count_text.h"
#include "export/topology_rows.h"

namespace podwright {

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

  std::string label(FabricDevice kind, std::uint32_t plane, std::uint32_t device) const;
  std::string node_label(std::uint32_t node) const;
  /// From the first device in a band's first plane to the last in its last plane.
  std::string labels(FabricDevice kind, const PlaneBand& band, std::uint32_t first, std::uint32_t last) const;
  /// "Unit 3", "Units 5 to 64".
  std::string unit_name(const TopologyRow& row) const;
  /// "Plane 1", "Planes 2 to 4"; empty where there is one.
  std::string plane_name(const PlaneBand& band) const;
  /// " rail 3" of a rail group.
  std::string rail_of(std::uint32_t group) const;
  /// "400 Gb/s"; the speed must be known.
  std::string link_speed() const;

  double leaves_of_unit() const;  ///< in one plane, as in all that follows
  double leaves_of(const TopologyRow& row) const;
  double places_of(const TopologyRow& row) const;  ///< for nodes
  double nodes_of(const TopologyRow& row) const;
  double uplinks_of(const TopologyRow& row, const PlaneBand& band) const;
  /// Ports to nodes that are taken on a leaf.
  double nodes_on_leaf(std::uint32_t leaf) const;
  double ports_for_nodes() const;  ///< of a leaf

  std::uint32_t spines_of_group(std::uint32_t group) const;
  std::uint32_t first_spine(std::uint32_t group) const;
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
