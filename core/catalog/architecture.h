#pragma once
/// A reference architecture as its document describes it: the sizes and fabric facts that later stages build from.
#include <optional>
#include <string>
#include <vector>

#include "catalog/architecture_site.h"
#include "catalog/item.h"

namespace podwright {

/// What the compute fabric of a document is built from. A node is what has the rails: a server, or a tray of a rack.
struct FabricModel {
  /// full: one fat tree; rail-group-3tier: rail groups of each scalable unit; rail-group-3tier-merge: of all units
  /// together; switch-pair: two switches.
  std::string style;
  double radix = 0;                       ///< ports of a switch at the speed of the links
  std::optional<double> port_gbit_per_s;  ///< their speed, where the switch is not named
  double planes = 0;
  double rails = 0;
  double endpoints_per_unit_and_plane = 0;
  double systems_per_unit = 0;          ///< nodes_per_su of the file: systems as the catalog counts them, a rack as one
  std::optional<double> leaf_down;      ///< endpoints on one leaf
  std::optional<double> manager_links;  ///< ports of the fabric manager, where it takes those of leaves
  double links_per_cable = 1;
};

/// Switches that a document prints for one size and that no rule gives. `field`: path of the row in the file.
struct PrintedSwitches {
  std::string field;
  double systems = 0;
  double east_west_leaves = 0;
  double east_west_spines = 0;
  double north_south_leaves = 0;
  double north_south_spines = 0;
  double out_of_band = 0;
};

/// Nodes for which a maker's servers are endorsed for an architecture, both ends included.
struct EndorsedSize {
  std::string maker;
  double min_nodes = 0;
  double max_nodes = 0;
};

struct ReferenceArchitecture : CatalogItem {
  std::string document;
  std::string confidence;            ///< primary, secondary, mixed, unsure
  std::vector<std::string> systems;  ///< ids
  std::optional<double> min_nodes;
  std::optional<double> tested_max_nodes;
  std::optional<double> described_max_nodes;
  std::optional<double> nodes_per_scalable_unit;
  std::optional<double> gpus_per_scalable_unit;
  std::optional<double>
      usable_nodes_with_manager;  ///< of one scalable unit, where the fabric manager takes a node's ports
  std::string fabric_technology;
  std::string fabric_switch;  ///< id
  std::optional<FabricModel> fabric;
  std::vector<PrintedSwitches> printed_switches;
  std::vector<EndorsedSize> endorsed_sizes;
  /// Fields of the file (dotted when nested) whose values were recalled, assumed or contradict themselves: an answer
  /// shows them as unsure.
  std::vector<std::string> unsure_fields;
  ArchitectureSite site;
};

}  // namespace podwright
