#pragma once
/// Management of a design: servers, ports of the management networks, software with its licences.
/// docs/method/racks_and_power.md#management.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "architecture/design_size.h"
#include "architecture/racks.h"
#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/catalog.h"

namespace podwright {

// Management servers, ports of the management networks, licences. docs/method/racks_and_power.md#management.

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

/// Servers beside the systems. Absent where the design's document gives no number.
template <class Tracer>
struct ManagementServers {
  using Count = Known<Tracer, double>;
  std::optional<Count> servers;
  std::optional<Count> fabric_managers;  ///< appliances
};

/// One number for every size, or the drawn number: servers stay as drawn up to the drawn units and grow with the units
/// beyond them, since a smaller build keeps its pair of pairs.
template <class Tracer>
ManagementServers<Tracer> management_servers(Tracer& trace, const ReferenceArchitecture* architecture,
                                             const std::optional<Known<Tracer, double>>& units) {
  ManagementServers<Tracer> result;
  if (architecture == nullptr) return result;
  const ArchitectureSite& site = architecture->site;
  if (site.management_servers)
    result.servers = trace.fact(*architecture, "management.servers", *site.management_servers);
  if (!units || !site.drawn.units) return result;
  const auto scaled = [&](std::string_view scaled_id, std::string_view id, std::string_view field,
                          const std::optional<double>& drawn) {
    const auto count = trace.fact(*architecture, field, *drawn);
    const auto at_units = named(
        scaled_id, scaled_drawing(count, *units, trace.fact(*architecture, "racks.drawn_units", *site.drawn.units)));
    return named(id, at_least(count, at_units));
  };
  if (site.drawn.management_servers)
    result.servers = scaled("architecture.scaled_management_servers", "architecture.management_servers",
                            "management.bcm_servers_4su", site.drawn.management_servers);
  if (site.drawn.fabric_managers)
    result.fabric_managers = scaled("architecture.scaled_fabric_managers", "architecture.fabric_managers",
                                    "management.ufm_4su", site.drawn.fabric_managers);
  return result;
}

/// Ports that the management networks must offer. Absent where the document says nothing of them.
template <class Tracer>
struct ManagementPorts {
  using Count = Known<Tracer, double>;
  std::optional<Count> in_band_nodes;
  std::optional<Count> in_band_servers;
  std::optional<Count> in_band_file_servers;
  std::optional<Count> in_band;  ///< all of them; absent where one is
  Count out_of_band;             ///< without the ports of the storage systems
};

/// `pdus` absent: none are counted. Links of servers and file servers, and those between pairs of managers, are as
/// drawn, in proportion to the servers, the units and the managers.
template <class Tracer>
ManagementPorts<Tracer> management_ports(Tracer& trace, const ReferenceArchitecture* architecture,
                                         const Known<Tracer, double>& nodes,
                                         const std::optional<Known<Tracer, double>>& units,
                                         const ManagementServers<Tracer>& servers,
                                         const Known<Tracer, double>& fabric_switches,
                                         const Known<Tracer, double>& ethernet_switches,
                                         const std::optional<Known<Tracer, double>>& pdus) {
  using Count = Known<Tracer, double>;
  ManagementPorts<Tracer> ports;
  const DrawnBuild* drawn = architecture == nullptr ? nullptr : &architecture->site.drawn;
  const auto fact = [&](std::string_view field, const std::optional<double>& value) {
    return trace.fact(*architecture, field, *value);
  };
  if (architecture != nullptr && architecture->site.in_band_links_per_node)
    ports.in_band_nodes = named("architecture.in_band_node_ports",
                                nodes * fact("in_band.links_per_node", architecture->site.in_band_links_per_node));
  if (drawn != nullptr && servers.servers && drawn->management_servers && drawn->in_band_management_links)
    ports.in_band_servers =
        named("architecture.in_band_server_ports",
              scaled_drawing(fact("in_band.cables_4su.management", drawn->in_band_management_links), *servers.servers,
                             fact("management.bcm_servers_4su", drawn->management_servers)));
  if (drawn != nullptr && units && drawn->units && drawn->in_band_nfs_links)
    ports.in_band_file_servers = named("architecture.in_band_file_server_ports",
                                       scaled_drawing(fact("in_band.cables_4su.nfs", drawn->in_band_nfs_links), *units,
                                                      fact("racks.drawn_units", drawn->units)));
  if (ports.in_band_nodes && ports.in_band_servers && ports.in_band_file_servers)
    ports.in_band = named("architecture.in_band_ports",
                          in_band_ports(*ports.in_band_nodes, *ports.in_band_servers, *ports.in_band_file_servers));

  std::vector<Count> managers;
  if (servers.servers) managers.push_back(*servers.servers);
  if (servers.fabric_managers) managers.push_back(*servers.fabric_managers);
  const Count all_managers = trace.sum("architecture.managers", managers);
  const Count devices = named("architecture.out_of_band_devices",
                              out_of_band_devices(nodes, fabric_switches, ethernet_switches, all_managers));
  Count pair_links = 0.0;
  if (drawn != nullptr && servers.fabric_managers && drawn->fabric_managers && drawn->manager_pair_links)
    pair_links = named("architecture.manager_pair_links",
                       scaled_drawing(fact("out_of_band.ports_4su.ufm_back_to_back", drawn->manager_pair_links),
                                      *servers.fabric_managers, fact("management.ufm_4su", drawn->fabric_managers)));
  ports.out_of_band =
      named("architecture.out_of_band_ports", out_of_band_ports(devices, pdus ? *pdus : 0.0, pair_links));
  return ports;
}

/// What a line of the software stack is bought for.
template <class Tracer>
struct SoftwareLine {
  const SoftwareProduct* product = nullptr;
  std::optional<Known<Tracer, double>> licences;  ///< absent where how to count is not known
  const SoftwareProduct* covered_by = nullptr;    ///< another line whose licence contains this one; then licences is 0
};

/// Products that the design's document lists, in the order of the catalog's table, with licences for all GPUs or all
/// nodes. Empty where it lists none.
template <class Tracer>
std::vector<SoftwareLine<Tracer>> software_licences(const Catalog& catalog, const ReferenceArchitecture& architecture,
                                                    const Known<Tracer, double>& gpus,
                                                    const Known<Tracer, double>& nodes) {
  std::vector<SoftwareLine<Tracer>> lines;
  std::vector<const SoftwareProduct*> stack;
  const std::vector<std::string>& texts = architecture.site.software;
  for (const SoftwareProduct& product : catalog.software_products)
    if (std::any_of(texts.begin(), texts.end(),
                    [&](const std::string& text) { return text.find(product.name) != std::string::npos; }))
      stack.push_back(&product);
  for (const SoftwareProduct* product : stack) {
    SoftwareLine<Tracer> line{.product = product};
    for (const SoftwareProduct* other : stack)
      if (!product->contained_in.empty() && other->id == product->contained_in) line.covered_by = other;
    if (line.covered_by != nullptr || product->counted_per == LicenceUnit::none)
      line.licences = named("architecture.licences", gpus * 0.0);
    else if (product->counted_per == LicenceUnit::gpu)
      line.licences = named("architecture.licences", gpus);
    else if (product->counted_per == LicenceUnit::node)
      line.licences = named("architecture.licences", nodes);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace podwright
