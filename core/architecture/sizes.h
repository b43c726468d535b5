#pragma once
/// How many systems, scalable units and racks hold a number of GPUs, and what the systems draw.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// The GPUs that the design must be able to grow to.
auto horizon_gpu_count(Of<double> auto gpu_count, Of<double> auto growth_gpu_count) {
  return max(gpu_count, growth_gpu_count);
}

/// Systems (servers, or racks where the system is one) that hold the GPUs.
auto node_count(Of<double> auto gpu_count, Of<double> auto gpus_per_node) {
  return cited("systems are bought whole", ceil(gpu_count / gpus_per_node));
}

/// Scalable units whose whole shell (leaves, spines, uplinks) is built. The fabric manager takes the links of
/// `manager_nodes` nodes of the build; the largest shell of the band holds where the manager would not fit any more.
auto scalable_units(Of<double> auto nodes, Of<double> auto manager_nodes, Of<double> auto nodes_per_unit,
                    Of<double> auto most_units) {
  return cited("docs/method/architecture_bands.md#scalable-units",
               min(most_units, ceil((nodes + manager_nodes) / nodes_per_unit)));
}

/// By power alone; rack units and weight are not looked at.
auto nodes_per_rack(Of<Watts> auto rack_power, Of<Watts> auto node_power) {
  return cited("docs/method/architecture_bands.md#racks", floor(rack_power / node_power));
}

/// Racks of the systems; networks, storage and management stand elsewhere.
auto rack_count(Of<double> auto nodes, Of<double> auto nodes_in_rack) {
  return cited("docs/method/architecture_bands.md#racks", ceil(nodes / nodes_in_rack));
}

/// Maximum draw of the systems, without switches, storage and management.
constexpr auto systems_power(Of<double> auto nodes, Of<Watts> auto node_power) { return nodes * node_power; }

}  // namespace podwright
