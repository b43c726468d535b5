#pragma once
/// A reference architecture as its document describes it: the sizes and fabric facts that later stages build from.
#include <optional>
#include <string>
#include <vector>

#include "catalog/architecture_site.h"
#include "catalog/item.h"

namespace podwright {

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
  ArchitectureSite site;
};

}  // namespace podwright
