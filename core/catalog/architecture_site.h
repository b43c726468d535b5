#pragma once
/// What a reference architecture's document says of its site: racks as drawn, storage levels, management, software.
/// Everything is absent where the document prints nothing.
#include <optional>
#include <string>
#include <vector>

#include "base/object_reader.h"
#include "base/units.h"

namespace podwright {

/// Bandwidth that the document asks of the storage at one of its levels.
struct StorageLevel {
  std::string name;  ///< good, better, best; standard, enhanced
  std::optional<BytesPerSecond> node_read;
  std::optional<BytesPerSecond> node_write;
  std::optional<BytesPerSecond> unit_read;  ///< all nodes of one scalable unit
  std::optional<BytesPerSecond> unit_write;
  std::optional<BytesPerSecond> four_units_read;
  std::optional<BytesPerSecond> four_units_write;
};

/// Counts that the document draws or lists for a build of `units` scalable units.
struct DrawnBuild {
  std::optional<double> units;
  std::optional<double> nodes;
  std::optional<double> racks;
  std::optional<double> compute_rack_pdus;
  std::optional<double> other_rack_pdus;
  std::optional<double> management_servers;
  std::optional<double> fabric_managers;
  std::optional<double> storage_switches;
  std::optional<double> in_band_switches;
  std::optional<double> out_of_band_switches;
  std::optional<double> in_band_management_links;  ///< from the management servers
  std::optional<double> in_band_nfs_links;
  std::optional<double> manager_pair_links;  ///< out of band, between pairs of fabric managers
};

/// What the storage network of a scalable unit is built from.
struct StorageNetworkModel {
  double ports_per_node = 0;
  double storage_ports_per_unit = 0;
  double leaf_ports_down = 0;        ///< endpoints on a leaf of nodes
  double node_oversubscription = 1;  ///< ports of nodes over their uplinks
  double manager_ports = 0;
};

/// Pairs of in-band leaves below cores.
struct InBandModel {
  double links_per_pair = 0;  ///< between the leaves of a pair
  double uplinks_per_leaf = 0;
  double cores = 0;
};

/// Out-of-band switches of builds of up to `units` scalable units.
struct SwitchesOfUnits {
  double units = 0;
  double switches = 0;
};

struct ArchitectureSite {
  std::string like;                          ///< id of the architecture whose site stands in for what is not given here
  std::optional<double> nodes_per_rack;      ///< of the drawing; where several are allowed, the one that is drawn
  std::optional<double> rack_pdus_per_rack;  ///< of a compute rack
  DrawnBuild drawn;
  std::optional<double> management_servers;  ///< of any size, where the document gives one number for all
  std::optional<double> in_band_links_per_node;
  std::optional<double> out_of_band_uplinks_per_switch;
  std::string in_band_switch;              ///< id
  std::optional<double> in_band_switches;  ///< of any size, where the document gives one number for all
  std::optional<InBandModel> in_band;
  std::optional<StorageNetworkModel> storage_network;
  std::string out_of_band_switch;                     ///< id
  std::vector<SwitchesOfUnits> out_of_band_switches;  ///< as the document lists them, smallest build first
  std::string storage_switch;                         ///< id; empty where it is a choice or not given
  std::vector<StorageLevel> storage_levels;           ///< lowest first
  std::optional<BytesPerSecond> gds_read;             ///< of one node with GPUDirect Storage
  std::optional<BytesPerSecond> node_maximum;         ///< of one node over the storage network
  std::vector<std::string> software;                  ///< as the document lists it
};

/// Reads the keys racks, pdus_4su, storage_fabric, in_band, out_of_band, management, storage_performance, software and
/// site_like. A key that the object lacks leaves what `site` already has.
void read_architecture_site(ObjectReader& reader, ArchitectureSite& site);

}  // namespace podwright
