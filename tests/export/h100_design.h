#pragma once
/// The published build of DGX H100 with 127 systems in 4 units, all networks wired and racked, for tests.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "architecture/cable_schedule.h"
#include "architecture/fabric_needs.h"
#include "architecture/management_wiring.h"
#include "architecture/storage_wiring.h"
#include "architecture/wiring_checks.h"
#include "export/tables.h"

namespace podwright::test {

inline DeviceKind kind_of(const std::string& item_id, const std::string& role, std::uint32_t units) {
  DeviceKind kind;
  kind.item_id = item_id;
  kind.role = role;
  kind.rack_units = units;
  return kind;
}

inline std::vector<std::string> padded_labels(const std::string& prefix, double count) {
  std::vector<std::string> padded;
  for (int i = 1; i <= count; ++i) {
    const std::string number = std::to_string(i);
    padded.push_back(prefix + std::string(5 - number.size(), '0') + number);
  }
  return padded;
}

struct H100Design {
  std::vector<NetworkWiring> wirings;
  std::vector<std::vector<CableRun>> runs;
  Elevations elevations;

  H100Design(double nodes = 127, double units = 4) {
    NoTrace trace;
    const std::vector<std::string> labels = padded_labels("n", nodes);
    const FabricNeed<NoTrace> compute = h100(nodes, 4);
    wirings.push_back(compute_wiring(compute, built(compute), labels, {"ufm1", "ufm2"}));
    const StorageFabricNeed<NoTrace> storage{.nodes = nodes,
                                             .scalable_units = units,
                                             .nodes_per_unit = 32,
                                             .ports_per_node = 2,
                                             .storage_ports = 12 * units,
                                             .switch_ports = 64,
                                             .leaf_ports_down = 32,
                                             .node_oversubscription = 4.0 / 3.0,
                                             .manager_ports = 4,
                                             .ports_per_cage = 2};
    // Two tiers end where the uplinks of a leaf no longer reach every spine.
    const StorageFabric<NoTrace> storage_fabric = build_storage_fabric(storage);
    if (!storage_wiring_refusal(storage, storage_fabric))
      wirings.push_back(
          storage_wiring(storage, storage_fabric, {.nodes = labels, .storage = {}, .managers = {"ufm3", "ufm4"}}));
    std::vector<WiredDevice> hosts = test::devices("srv", "management", 8);
    for (const std::string& label : labels) hosts.push_back({label, "system", 0});
    const InBandNeed<NoTrace> in_band{.hosts = nodes + 8,
                                      .switch_ports = 64,
                                      .inter_switch_links = 2,
                                      .uplinks = 4,
                                      .cores = std::max(2.0, units / 4)};
    wirings.push_back(in_band_wiring(in_band, build_in_band_fabric(in_band), hosts));
    OutOfBandNeed managed{.switch_ports = 48, .uplinks = 2, .pair_links = 2, .managed = hosts, .in_band_ports = 64};
    for (const NetworkWiring& wiring : wirings)
      for (const WiredDevice& device : wiring.devices)
        if (device.role != "system" && device.role != "management" && device.role != "storage")
          managed.managed.push_back(device);
    for (int rack = 1; rack <= nodes / 4; ++rack) managed.managed.push_back({numbered(rack) + "-pdu1", "pdu", 0});
    managed.in_band = &wirings.back();
    const OutOfBandFabric<NoTrace> out_of_band =
        build_out_of_band_fabric(trace, {static_cast<double>(managed.managed.size()), 2.0}, 48.0, 2.0);
    NetworkWiring wired = out_of_band_wiring(out_of_band, managed);
    wirings.push_back(std::move(wired));
    stand();
    measure();
  }

  std::vector<WiredNetwork> networks() const {
    std::vector<WiredNetwork> networks;
    for (std::size_t i = 0; i < wirings.size(); ++i) networks.push_back({&wirings[i], &runs[i]});
    return networks;
  }

 private:
  static std::string numbered(int rack) { return (rack < 10 ? "r00" : rack < 100 ? "r0" : "r") + std::to_string(rack); }

  /// Every device once, by role; storage systems and PDUs stand in no rack.
  void stand() {
    std::vector<DeviceGroup> groups;
    const auto group = [&](const std::string& item, const std::string& role, std::uint32_t units) {
      groups.push_back({.kind = kind_of(item, role, units), .labels = {}});
      std::set<std::string> known;
      for (const NetworkWiring& wiring : wirings)
        for (const WiredDevice& device : wiring.devices)
          if (device.role == role && known.insert(device.label).second) groups.back().labels.push_back(device.label);
    };
    group("dgx-h100", "system", 8);
    const DeviceGroup systems = groups.back();
    groups.clear();
    for (const char* role : {"compute-leaf", "compute-spine", "storage-leaf", "storage-spine"})
      group("qm9700", role, 1);
    for (const char* role : {"in-band-leaf", "in-band-core"}) group("sn4600c", role, 2);
    group("sn2201", "out-of-band", 1);
    for (const char* role : {"management", "fabric-manager"}) group("", role, 2);
    const ElevationLimits limits{.rack_units = 48};
    fill_racks(elevations, systems, 4, limits, "r");
    pack_racks(elevations, groups, std::max(6U, packed_racks(groups, limits)), limits, "x");
  }

  void measure() {
    const Catalog& catalog = embedded_catalog_facts();
    CableRules rules;
    const auto rule = [&](const char* role, const char* lanes) {
      rules.rules.push_back({role, cable_reaches(catalog, lanes)});
    };
    for (const char* role : {"compute-leaf", "compute-spine", "storage-leaf", "storage-spine"}) rule(role, "100g");
    for (const char* role : {"in-band-leaf", "in-band-core"}) rule(role, "25g");
    for (const char* role : {"out-of-band", "fabric-manager"}) rule(role, "1g");
    const DevicePlaces places(elevations, *floor_plan(catalog));
    for (const NetworkWiring& wiring : wirings) runs.push_back(cable_runs(wiring, places, rules));
  }
};

}  // namespace podwright::test
