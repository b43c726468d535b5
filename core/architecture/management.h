#pragma once
/// Management servers, ports of the management networks, licences. docs/method/racks_and_power.md#management.
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

constexpr double in_band_node_ports(double nodes, double links_per_node) { return nodes * links_per_node; }
inline constexpr Formula<in_band_node_ports> kInBandNodePorts{.id = "architecture.in_band_node_ports",
                                                              .inputs = {"nodes", "links_per_node"},
                                                              .equation = "nodes * links_per_node",
                                                              .source = "definition"};

constexpr double in_band_ports(double node_ports, double management_ports, double file_server_ports) {
  return node_ports + management_ports + file_server_ports;
}
inline constexpr Formula<in_band_ports> kInBandPorts{.id = "architecture.in_band_ports",
                                                     .inputs = {"node_ports", "management_ports", "file_server_ports"},
                                                     .equation = "node_ports + management_ports + file_server_ports",
                                                     .source = "docs/method/racks_and_power.md#management"};

/// Board controllers of nodes and switches, management servers and fabric managers.
constexpr double out_of_band_devices(double nodes, double fabric_switches, double ethernet_switches, double servers) {
  return nodes + fabric_switches + ethernet_switches + servers;
}
inline constexpr Formula<out_of_band_devices> kOutOfBandDevices{
    .id = "architecture.out_of_band_devices",
    .inputs = {"nodes", "fabric_switches", "ethernet_switches", "servers"},
    .equation = "nodes + fabric_switches + ethernet_switches + servers",
    .source = "docs/method/racks_and_power.md#management"};

/// With the power distribution units and the links between pairs of managers.
constexpr double out_of_band_ports(double devices, double pdus, double pair_links) {
  return devices + pdus + pair_links;
}
inline constexpr Formula<out_of_band_ports> kOutOfBandPorts{.id = "architecture.out_of_band_ports",
                                                            .inputs = {"devices", "pdus", "pair_links"},
                                                            .equation = "devices + pdus + pair_links",
                                                            .source = "docs/method/racks_and_power.md#management"};

constexpr double licence_count(double units, double licences_per_unit) { return units * licences_per_unit; }
inline constexpr Formula<licence_count> kLicenceCount{.id = "architecture.licence_count",
                                                      .inputs = {"units", "licences_per_unit"},
                                                      .equation = "units * licences_per_unit",
                                                      .source = "definition"};

}  // namespace podwright
