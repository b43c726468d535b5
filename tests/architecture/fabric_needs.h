#pragma once
/// Fabrics of published designs, for tests.
#include "architecture/fabric.h"

namespace podwright::test {

inline FabricNeed<NoTrace> need(double nodes, double rails, double switch_ports, double nodes_per_unit) {
  FabricNeed<NoTrace> need;
  need.nodes = nodes;
  need.rails = rails;
  need.switch_ports = switch_ports;
  need.nodes_per_unit = nodes_per_unit;
  need.planes = need.oversubscription = need.units_per_group = need.links_per_cable = 1;
  return need;
}

/// 8 rails of NDR400 on switches of 64 ports, two in a cage, 32 nodes a unit.
inline FabricNeed<NoTrace> h100(double nodes, double manager_links = 0) {
  FabricNeed<NoTrace> fabric = need(nodes, 8, 64, 32);
  fabric.manager_links = manager_links;
  fabric.ports_per_cage = 2;
  fabric.link = gb_per_s(50);
  return fabric;
}

/// Two planes of 400G on switches of 128 ports, cables of two links, 64 nodes a unit.
inline FabricNeed<NoTrace> b300_spectrum(double nodes) {
  FabricNeed<NoTrace> fabric = need(nodes, 8, 128, 64);
  fabric.planes = fabric.links_per_cable = 2;
  return fabric;
}

/// Racks of 18 trays with 4 rails; each leaf takes one rail of one rack.
inline FabricNeed<NoTrace> gb200(double units) {
  FabricNeed<NoTrace> fabric = need(144 * units, 4, 64, 144);
  fabric.topology = FabricTopology::rail_groups;
  fabric.leaf_ports_down = 18;
  return fabric;
}

inline FabricNeed<NoTrace> switch_pair(double nodes, double rails, double switch_ports) {
  FabricNeed<NoTrace> fabric = need(nodes, rails, switch_ports, 1);
  fabric.topology = FabricTopology::switch_pair;
  return fabric;
}

inline Fabric<NoTrace> built(const FabricNeed<NoTrace>& need) {
  NoTrace trace;
  return build_fabric(trace, need);
}

}  // namespace podwright::test
