#pragma once
/// How many systems, scalable units and racks hold a number of GPUs, and what the systems draw.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// The GPUs that the design must be able to grow to.
inline double horizon_gpu_count(double gpu_count, double growth_gpu_count) {
  return std::max(gpu_count, growth_gpu_count);
}
inline constexpr Formula<horizon_gpu_count> kHorizonGpuCount{.id = "architecture.horizon_gpu_count",
                                                             .inputs = {"gpu_count", "growth_gpu_count"},
                                                             .equation = "max(gpu_count, growth_gpu_count)",
                                                             .source = "definition"};

/// Systems (servers, or racks where the system is one) that hold the GPUs.
inline double node_count(double gpu_count, double gpus_per_node) { return std::ceil(gpu_count / gpus_per_node); }
inline constexpr Formula<node_count> kNodeCount{.id = "architecture.node_count",
                                                .inputs = {"gpu_count", "gpus_per_node"},
                                                .equation = "ceil(gpu_count / gpus_per_node)",
                                                .source = "systems are bought whole"};

inline double installed_gpus(double nodes, double gpus_per_node) { return nodes * gpus_per_node; }
inline constexpr Formula<installed_gpus> kInstalledGpus{.id = "architecture.installed_gpus",
                                                        .inputs = {"nodes", "gpus_per_node"},
                                                        .equation = "nodes * gpus_per_node",
                                                        .source = "definition"};

inline double nodes_per_scalable_unit(double gpus_per_scalable_unit, double gpus_per_node) {
  return gpus_per_scalable_unit / gpus_per_node;
}
inline constexpr Formula<nodes_per_scalable_unit> kNodesPerScalableUnit{
    .id = "architecture.nodes_per_scalable_unit",
    .inputs = {"gpus_per_scalable_unit", "gpus_per_node"},
    .equation = "gpus_per_scalable_unit / gpus_per_node",
    .source = "definition"};

/// Scalable units whose whole shell (leaves, spines, uplinks) is built. The fabric manager takes the links of
/// `manager_nodes` nodes of the build; the largest shell of the band holds where the manager would not fit any more.
inline double scalable_units(double nodes, double manager_nodes, double nodes_per_unit, double most_units) {
  return std::min(most_units, std::ceil((nodes + manager_nodes) / nodes_per_unit));
}
inline constexpr Formula<scalable_units> kScalableUnits{
    .id = "architecture.scalable_units",
    .inputs = {"nodes", "manager_nodes", "nodes_per_unit", "most_units"},
    .equation = "min(most_units, ceil((nodes + manager_nodes) / nodes_per_unit))",
    .source = "docs/method/architecture_bands.md#scalable-units"};

/// By power alone; rack units and weight are not looked at.
inline double nodes_per_rack(Watts rack_power, Watts node_power) { return std::floor(rack_power / node_power); }
inline constexpr Formula<nodes_per_rack> kNodesPerRack{.id = "architecture.nodes_per_rack",
                                                       .inputs = {"rack_power", "node_power"},
                                                       .equation = "floor(rack_power / node_power)",
                                                       .source = "docs/method/architecture_bands.md#racks"};

/// Racks of the systems; networks, storage and management stand elsewhere.
inline double rack_count(double nodes, double nodes_in_rack) { return std::ceil(nodes / nodes_in_rack); }
inline constexpr Formula<rack_count> kRackCount{.id = "architecture.rack_count",
                                                .inputs = {"nodes", "nodes_in_rack"},
                                                .equation = "ceil(nodes / nodes_in_rack)",
                                                .source = "docs/method/architecture_bands.md#racks"};

/// Maximum draw of the systems, without switches, storage and management.
constexpr Watts systems_power(double nodes, Watts node_power) { return nodes * node_power; }
inline constexpr Formula<systems_power> kSystemsPower{.id = "architecture.systems_power",
                                                      .inputs = {"nodes", "node_power"},
                                                      .equation = "nodes * node_power",
                                                      .source = "definition"};

}  // namespace podwright
