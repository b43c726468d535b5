#pragma once
/// Management servers, ports of the management networks, licences. docs/method/racks_and_power.md#management.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

constexpr auto in_band_ports(Of<double> auto node_ports, Of<double> auto management_ports,
                             Of<double> auto file_server_ports) {
  return cited("docs/method/racks_and_power.md#management", node_ports + management_ports + file_server_ports);
}

/// Board controllers of nodes and switches, management servers and fabric managers.
constexpr auto out_of_band_devices(Of<double> auto nodes, Of<double> auto fabric_switches,
                                   Of<double> auto ethernet_switches, Of<double> auto servers) {
  return cited("docs/method/racks_and_power.md#management", nodes + fabric_switches + ethernet_switches + servers);
}

/// With the power distribution units and the links between pairs of managers.
constexpr auto out_of_band_ports(Of<double> auto devices, Of<double> auto pdus, Of<double> auto pair_links) {
  return cited("docs/method/racks_and_power.md#management", devices + pdus + pair_links);
}

}  // namespace podwright
