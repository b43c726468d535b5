#include "architecture/design_wiring.h"

#include <algorithm>

#include "architecture/cable_schedule.h"
#include "architecture/counted.h"
#include "architecture/design_elevations.h"
#include "architecture/design_networks.h"
#include "architecture/management_wiring.h"
#include "architecture/storage_wiring.h"

namespace podwright {
namespace {

void add_devices(std::vector<WiredDevice>& devices, const std::vector<std::string>& labels, std::string_view role) {
  for (const std::string& label : labels) devices.push_back({label, std::string(role), 0});
}

class DesignWirer {
 public:
  DesignWirer(const DesignParts& parts, const Design<NoTrace>& design)
      : parts_(parts),
        design_(design),
        networks_(design.networks),
        systems_(system_labels(parts, *design.size.nodes)),
        servers_(numbered_labels("management-", design.servers.servers.value_or(0), 3)),
        managers_(numbered_labels("fabric-manager-", design.servers.fabric_managers.value_or(0), 3)) {}

  DesignWiring wire() {
    compute();
    storage();
    in_band();
    out_of_band();
    return std::move(wiring_);
  }

 private:
  /// What has the rails: servers, or the compute trays of racks.
  std::vector<std::string> fabric_nodes() const {
    if (!is_rack(*parts_.system)) return systems_;
    return parts_of_racks("compute", *parts_.system->trays);
  }
  std::vector<std::string> parts_of_racks(std::string_view role, double count) const {
    std::vector<std::string> labels;
    for (const std::string& rack : systems_)
      for (std::uint32_t i = 1; i <= static_cast<std::uint32_t>(count); ++i)
        labels.push_back(numbered_label(rack + "-" + std::string(role) + "-", i, 2));
    return labels;
  }

  /// Half of the appliances manage the compute network, the other half that of the storage.
  std::vector<std::string> managers_of(bool storage) const {
    const std::size_t half = (managers_.size() + 1) / 2;
    const auto middle = managers_.begin() + static_cast<std::ptrdiff_t>(half);
    return storage ? std::vector<std::string>(middle, managers_.end())
                   : std::vector<std::string>(managers_.begin(), middle);
  }

  void compute() {
    if (networks_.compute)
      wiring_.networks.push_back(
          compute_wiring(*networks_.compute_need, *networks_.compute, fabric_nodes(), managers_of(false)));
  }

  void storage() {
    if (!networks_.storage) return;
    if (const auto refusal = storage_wiring_refusal(*networks_.storage_need, *networks_.storage)) {
      wiring_.not_wired.push_back("Storage network: " + *refusal);
      return;
    }
    wiring_.networks.push_back(
        storage_wiring(*networks_.storage_need, *networks_.storage,
                       StorageHosts{.nodes = systems_, .storage = {}, .managers = managers_of(true)}));
  }

  void in_band() {
    if (!networks_.in_band) return;
    if (const auto refusal = in_band_wiring_refusal(*networks_.in_band_need, *networks_.in_band)) {
      wiring_.not_wired.push_back("In-band network: " + *refusal);
      return;
    }
    // Nodes may grow, so they stand last.
    std::vector<WiredDevice> hosts;
    add_devices(hosts, servers_, "management");
    const double files = networks_.in_band_need->hosts - static_cast<double>(servers_.size() + systems_.size());
    if (files > 0) add_devices(hosts, numbered_labels("file-server-", files, 3), "storage");
    add_devices(hosts, systems_, "system");
    wiring_.networks.push_back(in_band_wiring(*networks_.in_band_need, *networks_.in_band, hosts));
  }

  void add_switches(std::vector<WiredDevice>& devices, std::string_view network) const {
    const NetworkWiring* wired = find_network(wiring_, network);
    if (wired == nullptr) return;
    for (const WiredDevice& device : wired->devices)
      if (device.role.rfind(network, 0) == 0 && device.role != network) devices.push_back(device);
  }

  std::vector<WiredDevice> managed() const {
    std::vector<WiredDevice> devices;
    add_switches(devices, "compute");
    add_switches(devices, "storage");
    add_switches(devices, "in-band");
    if (networks_.in_band_switches && !networks_.in_band)
      add_devices(devices, numbered_labels("in-", *networks_.in_band_switches, 3), "in-band-leaf");
    add_devices(devices, servers_, "management");
    add_devices(devices, managers_, "fabric-manager");
    if (is_rack(*parts_.system)) {
      const System& system = *parts_.system;
      add_devices(devices, parts_of_racks("compute", *system.trays), "system");
      add_devices(devices, parts_of_racks("nvswitch", system.nvswitch_trays.value_or(0)), "system");
      add_devices(devices, parts_of_racks("power-shelf", system.power_shelves.value_or(0)), "system");
    } else {
      add_devices(devices, systems_, "system");
    }
    if (design_.racks) {
      add_pdus(devices, "r", design_.racks->compute_racks, design_.racks->compute_pdus);
      add_pdus(devices, "x", design_.racks->other_racks, design_.racks->other_pdus);
    }
    return devices;
  }

  static void add_pdus(std::vector<WiredDevice>& devices, std::string_view prefix, double racks,
                       const std::optional<double>& pdus) {
    if (!pdus || racks == 0) return;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(*pdus); ++i) {
      const auto rack = i % static_cast<std::uint32_t>(racks);
      const auto number = i / static_cast<std::uint32_t>(racks);
      devices.push_back({numbered_label(numbered_label(prefix, rack + 1, 3) + "-pdu", number + 1, 1), "pdu", 0});
    }
  }

  void out_of_band() {
    if (!networks_.out_of_band || networks_.out_of_band_switch == nullptr) return;
    const auto whole = [](double count) { return static_cast<std::uint32_t>(count); };
    OutOfBandNeed need;
    need.switch_ports = whole(networks_.out_of_band_switch->ports.value_or(0));
    need.managed = managed();
    const double ports = networks_.out_of_band->ports;
    need.pair_links = whole(std::max(0.0, ports - static_cast<double>(need.managed.size())));
    need.in_band = find_network(wiring_, "in-band");
    // Where the in-band network is not known port by port, the uplinks are counted and not dealt.
    OutOfBandFabric<NoTrace> fabric = *networks_.out_of_band;
    if (need.in_band == nullptr) {
      fabric.uplink_cables = 0;
      if (networks_.out_of_band->uplink_cables > 0)
        wiring_.not_wired.push_back(
            "Uplinks of the out-of-band network: the in-band network that they lead to is not known port by port.");
    } else {
      need.uplinks = whole(fabric.uplink_cables / fabric.switches);
      need.in_band_ports = whole(networks_.in_band_switch->ports.value_or(0));
    }
    if (const auto refusal = out_of_band_wiring_refusal(fabric, need)) {
      wiring_.not_wired.push_back("Out-of-band network: " + *refusal);
      return;
    }
    wiring_.networks.push_back(out_of_band_wiring(fabric, need));
  }

  const DesignParts& parts_;
  const Design<NoTrace>& design_;
  const DesignNetworks<NoTrace>& networks_;
  std::vector<std::string> systems_;
  std::vector<std::string> servers_;
  std::vector<std::string> managers_;
  DesignWiring wiring_;
};

void add_rule(CableRules& rules, const Catalog& catalog, std::string_view to_role, const Switch* item) {
  if (item != nullptr) rules.rules.push_back({std::string(to_role), cable_reaches(catalog, lane_rate(*item))});
}

CableRules rules_of(const Catalog& catalog, const Design<NoTrace>& design) {
  CableRules rules;
  for (const SwitchLayer<NoTrace>& layer : layers_of(design.networks)) add_rule(rules, catalog, layer.role, layer.item);
  add_rule(rules, catalog, "fabric-manager", design.networks.out_of_band_switch);
  return rules;
}

}  // namespace

DesignWiring design_wiring(const DesignParts& parts, const Design<NoTrace>& design) {
  return DesignWirer(parts, design).wire();
}

const NetworkWiring* find_network(const DesignWiring& wiring, std::string_view network) {
  const auto found = std::find_if(wiring.networks.begin(), wiring.networks.end(),
                                  [&](const NetworkWiring& item) { return item.network == network; });
  return found == wiring.networks.end() ? nullptr : &*found;
}

std::vector<std::string> labels_of_role(const DesignWiring& wiring, std::string_view network, std::string_view role) {
  std::vector<std::string> labels;
  if (const NetworkWiring* wired = find_network(wiring, network))
    for (const WiredDevice& device : wired->devices)
      if (device.role == role) labels.push_back(device.label);
  return labels;
}

std::vector<CableRun> cable_runs_of(const Catalog& catalog, const Design<NoTrace>& design, const NetworkWiring& network,
                                    const Elevations& elevations) {
  const std::optional<FloorPlan> floor = floor_plan(catalog);
  if (!floor) return {};
  return cable_runs(network, DevicePlaces(elevations, *floor), rules_of(catalog, design));
}

namespace {

/// Labels of the wiring where there is one, else as many numbered ones as there are devices.
std::vector<std::string> labels_or_numbers(std::vector<std::string> wired, std::string_view prefix, double count) {
  return static_cast<double>(wired.size()) == count ? std::move(wired) : numbered_labels(prefix, count, 3);
}

}  // namespace

std::optional<Elevations> elevations_of(const Catalog& catalog, const DesignParts& parts, const DesignRequest& request,
                                        const Design<NoTrace>& design, const DesignWiring& wiring) {
  if (!design.racks) return std::nullopt;
  std::vector<DeviceGroup> groups = other_devices(catalog, design);
  for (DeviceGroup& group : groups) {
    const std::string& role = group.kind.role;
    const std::string network = role.rfind("out-of-band", 0) == 0 ? "out-of-band"
                                : role.rfind("in-band", 0) == 0   ? "in-band"
                                                                  : role.substr(0, role.find('-'));
    const double count = static_cast<double>(group.labels.size());
    const std::string prefix = role == "out-of-band" ? "oob-" : role == "in-band-leaf" ? "in-" : role + "-";
    group.labels = labels_or_numbers(labels_of_role(wiring, network, role), prefix, count);
  }
  return design_elevations(
      parts, system_labels(parts, *design.size.nodes), static_cast<std::uint32_t>(design.racks->in_rack.nodes), groups,
      static_cast<std::uint32_t>(design.racks->other_racks), elevation_limits(catalog, request, design));
}

WiredDesign wire_design(const Catalog& catalog, const DesignParts& parts, const DesignRequest& request,
                        const Design<NoTrace>& design) {
  WiredDesign wired;
  wired.wiring = design_wiring(parts, design);
  wired.elevations = elevations_of(catalog, parts, request, design, wired.wiring);
  for (const NetworkWiring& network : wired.wiring.networks)
    wired.runs.push_back(wired.elevations ? cable_runs_of(catalog, design, network, *wired.elevations)
                                          : std::vector<CableRun>(network.wires.size()));
  return wired;
}

}  // namespace podwright
