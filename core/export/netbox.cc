#include "export/netbox.h"

#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "base/number_text.h"
#include "base/slug.h"
#include "base/whole.h"
#include "base/words.h"
#include "export/format_text.h"
#include "export/netbox_modules.h"
#include "export/netbox_types.h"

namespace podwright {
namespace {

/// NetBox's words for a CableMedium.
constexpr std::array<std::string_view, kCableMediumWords.size()> kCableTypes{"",    "cat6",    "dac-passive",
                                                                             "aoc", "mmf-om4", "smf-os2"};

struct Device {
  std::size_t type = 0;
  std::string role;
  std::string rack;
  std::uint32_t position = 0;
};

class NetboxDesign {
 public:
  NetboxDesign(const Catalog& catalog, const NetboxSite& site, const Elevations& elevations,
               const std::vector<WiredNetwork>& networks)
      : catalog_(catalog), site_(site), elevations_(elevations), networks_(networks) {
    for (const RackElevation& rack : elevations.racks) racks_.insert(rack.label);
    for (const RackElevation& rack : elevations.racks)
      for (const RackedDevice& device : rack.devices) {
        const DeviceKind& kind = elevations.kinds[device.kind];
        add(device.label, {type_of(kind), kind.role, rack.label, device.bottom_unit});
      }
    for (const WiredNetwork& network : networks)
      for (const WiredDevice& device : network.wiring->devices)
        if (devices_.count(device.label) == 0)
          add(device.label,
              {type_of({.item_id = "", .role = device.role, .rack_units = 0}), device.role, rack_of(device.label), 0});
    for (const WiredNetwork& network : networks) add_interfaces(*network.wiring);
    for (NetboxDeviceType& type : types_) fill_front(type);
    modules_ = netbox_modules(networks, [&](const std::string& label) { return type_at(label).item; });
    for (const NetboxModule& module : modules_) type_at(module.device).bays.emplace(module.bay, module.position);
  }

  std::string sites() const {
    std::string text;
    add_csv_row(text, {"name", "slug", "status"});
    add_csv_row(text, {site_.name, slug_of(site_.name), "planned"});
    return text;
  }

  std::string manufacturers() const {
    std::string text;
    std::set<std::string> known;
    add_csv_row(text, {"name", "slug"});
    const auto add_one = [&](const std::string& name) {
      if (known.insert(name).second) add_csv_row(text, {name, slug_of(name)});
    };
    for (const NetboxDeviceType& type : types_) {
      add_one(type.manufacturer);
      if (type.gpus > 0) add_one(kNvidia);
    }
    if (!modules_.empty()) add_one(kGeneric);
    return text;
  }

  std::string roles() const {
    std::string text;
    std::set<std::string> known;
    add_csv_row(text, {"name", "slug", "color", "vm_role"});
    for (const std::string& label : labels_) {
      const std::string& role = devices_.find(label)->second.role;
      if (known.insert(role).second) add_csv_row(text, {role, slug_of(role), "9e9e9e", "false"});
    }
    return text;
  }

  std::vector<ExportFile> types() const {
    std::vector<ExportFile> files;
    for (const NetboxDeviceType& type : types_) files.push_back(netbox_device_type_file(type));
    std::set<std::string> known;
    for (const NetboxModule& module : modules_)
      if (known.insert(module.type).second) files.push_back(netbox_module_type_file(kGeneric, module.type));
    return files;
  }

  std::string racks() const {
    std::string text;
    add_csv_row(text, {"site", "name", "status", "form_factor", "width", "u_height", "desc_units"});
    for (const RackElevation& rack : elevations_.racks)
      add_csv_row(text, {site_.name, rack.label, "planned", "4-post-cabinet", "19",
                         std::to_string(elevations_.rack_units), "false"});
    return text;
  }

  std::string devices() const {
    std::string text;
    add_csv_row(text, {"name", "role", "manufacturer", "device_type", "status", "site", "rack", "position", "face"});
    for (const std::string& label : labels_) {
      const Device& device = devices_.find(label)->second;
      const NetboxDeviceType& type = types_[device.type];
      const bool placed = device.position > 0;
      add_csv_row(text, {label, device.role, type.manufacturer, type.model, "planned", site_.name, device.rack,
                         placed ? std::to_string(device.position) : std::string(), placed ? "front" : ""});
    }
    return text;
  }

  std::string modules() const {
    std::string text;
    add_csv_row(text, {"device", "module_bay", "module_type", "status"});
    for (const NetboxModule& module : modules_) add_csv_row(text, {module.device, module.bay, module.type, "planned"});
    return text;
  }

  std::string cables() const {
    std::string text;
    text.reserve(wires_of(networks_) * 128);
    add_csv_row(text, {"side_a_device", "side_a_type", "side_a_name", "side_b_device", "side_b_type", "side_b_name",
                       "type", "status", "label", "length", "length_unit"});
    for (const WiredNetwork& network : networks_) {
      const NetworkWiring& wiring = *network.wiring;
      for_each_cable(network, [&](const Wire& wire, const ExportedCable& cable) {
        add_csv_row(text, {wiring.devices[wire.from_device].label, "dcim.interface", wiring.ports[wire.from_port],
                           wiring.devices[wire.to_device].label, "dcim.interface", wiring.ports[wire.to_port],
                           word_of(cable.medium, kCableTypes), "planned", cable.id, cable.length_m,
                           cable.length_m.empty() ? "" : "m"});
      });
    }
    return text;
  }

  std::string power_panels() const {
    std::string text;
    add_csv_row(text, {"site", "name"});
    for (Whole feed = 1; feed <= feeds_of_a_rack(); ++feed) add_csv_row(text, {site_.name, panel(feed)});
    return text;
  }

  std::string power_feeds() const {
    std::string text;
    add_csv_row(text, {"site", "power_panel", "rack", "name", "status", "type", "supply", "phase", "voltage",
                       "amperage", "max_utilization"});
    for_each_feed([&](const RackElevation& rack, Whole feed, const std::string& name) {
      const bool spare = feed == feeds_of_a_rack() && feed > 1;
      add_csv_row(text, {site_.name, panel(feed), rack.label, name, "planned", spare ? "redundant" : "primary", "ac",
                         "three-phase", shortest_number(site_.feeds->line_voltage),
                         shortest_number(site_.feeds->current), shortest_number(site_.feeds->derating * 100)});
    });
    return text;
  }

  /// From the feed of a rack to the PDU of the same number.
  std::string power_cables() const {
    std::string text;
    add_csv_row(text, {"side_a_power_panel", "side_a_type", "side_a_name", "side_b_device", "side_b_type",
                       "side_b_name", "type", "status", "label"});
    for_each_feed([&](const RackElevation& rack, Whole feed, const std::string& name) {
      const std::string pdu = rack.label + "-pdu" + std::to_string(feed);
      if (devices_.count(pdu) > 0)
        add_csv_row(text, {panel(feed), "dcim.powerfeed", name, pdu, "dcim.powerport", "input", "power", "planned",
                           "power/" + name});
    });
    return text;
  }

 private:
  static constexpr const char* kNvidia = "NVIDIA";
  static constexpr const char* kGeneric = "Generic";

  Whole feeds_of_a_rack() const { return site_.feeds ? whole(site_.feeds->per_rack) : 0; }
  static std::string panel(Whole feed) { return "power-" + std::to_string(feed); }

  /// Of the racks that hold systems.
  template <class Visit>
  void for_each_feed(const Visit& visit) const {
    for (const RackElevation& rack : elevations_.racks) {
      bool systems = false;
      for (const RackedDevice& device : rack.devices)
        systems = systems || elevations_.kinds[device.kind].role == site_.gpu_role;
      if (!systems) continue;
      for (Whole feed = 1; feed <= feeds_of_a_rack(); ++feed)
        visit(rack, feed, rack.label + "-feed" + std::to_string(feed));
    }
  }

  NetboxDeviceType& type_at(const std::string& label) { return types_[devices_.find(label)->second.type]; }

  void add(const std::string& label, Device device) {
    if (devices_.emplace(label, std::move(device)).second) labels_.push_back(label);
  }

  /// The rack that a label continues from; empty where there is none.
  std::string rack_of(const std::string& label) const {
    for (std::size_t end = label.rfind('-'); end != std::string::npos && end > 0; end = label.rfind('-', end - 1))
      if (racks_.count(label.substr(0, end)) > 0) return label.substr(0, end);
    return {};
  }

  /// `text` with `behind` added until it is none of those that are taken, which it then is too.
  static std::string distinct(std::string text, const std::string& behind, std::set<std::string>& taken) {
    while (!taken.insert(text).second) text += behind;
    return text;
  }

  /// Devices of one item are of one type, whatever they are for; others are of one type by role and height.
  std::size_t type_of(const DeviceKind& kind) {
    const std::string key =
        kind.item_id.empty() ? kind.role + "/" + std::to_string(kind.rack_units) : "item/" + kind.item_id;
    const auto [at, added] = type_of_key_.emplace(key, types_.size());
    if (!added) return at->second;
    NetboxDeviceType type{.manufacturer = kGeneric,
                          .rack_units = kind.rack_units,
                          .weight_kg = kind.weight_kg,
                          .power = kind.power,
                          .has_input = kind.role == "pdu"};
    if (kind.role == site_.gpu_role && !site_.gpu.empty()) {
      type.gpus = whole(site_.gpus_of_device);
      type.gpu = site_.gpu;
    }
    type.item = row_with_id(catalog_.switches, kind.item_id);
    const System* system = row_with_id(catalog_.systems, kind.item_id);
    if (type.item != nullptr)
      type.model = type.item->name;
    else if (system != nullptr)
      type.model = system->name;
    else
      type.model = kind.role + (kind.rack_units > 0 ? " " + std::to_string(kind.rack_units) + "U" : "");
    // The catalog's switches and DGX systems are NVIDIA's own; other makers build the rest.
    if (type.item != nullptr || (system != nullptr && system->id.rfind("oem-", 0) != 0)) type.manufacturer = kNvidia;
    // NetBox finds types by maker and model, a file by its name.
    type.model = distinct(type.model, " (" + kind.item_id + ")", models_);
    type.slug = distinct(slug_of(type.manufacturer + " " + type.model), "-" + short_digest(key), slugs_);
    types_.push_back(std::move(type));
    return at->second;
  }

  /// A port is of the kind of the switch above it.
  void add_interfaces(const NetworkWiring& wiring) {
    std::vector<std::size_t> types;
    for (const WiredDevice& device : wiring.devices) types.push_back(devices_.find(device.label)->second.type);
    std::map<std::pair<std::size_t, std::uint32_t>, const Switch*> above;  // of a type's port
    for (const Wire& wire : wiring.wires) {
      const Switch* upper = types_[types[wire.to_device]].item;
      above.emplace(std::pair(types[wire.from_device], wire.from_port), upper);
      above.emplace(std::pair(types[wire.to_device], wire.to_port), upper);
    }
    for (const auto& [end, upper] : above)
      types_[end.first].interfaces.emplace(wiring.ports[end.second],
                                           upper != nullptr ? netbox_interface_type(*upper) : std::string("other"));
  }

  /// Ports of a switch that nothing is joined to.
  static void fill_front(NetboxDeviceType& type) {
    if (type.item == nullptr || !type.item->ports) return;
    if (ports_per_cage(*type.item) > 0)
      for (int cage = 1; cage <= *type.item->cages; ++cage)
        type.bays.emplace("cage-" + std::to_string(cage), std::to_string(cage));
    for (int port = 1; port <= *type.item->ports; ++port)
      type.interfaces.emplace(std::to_string(port), netbox_interface_type(*type.item));
  }

  const Catalog& catalog_;
  const NetboxSite& site_;
  const Elevations& elevations_;
  const std::vector<WiredNetwork>& networks_;
  std::set<std::string> racks_;
  std::set<std::string> models_;
  std::set<std::string> slugs_;
  std::vector<NetboxDeviceType> types_;
  std::vector<NetboxModule> modules_;
  std::map<std::string, std::size_t> type_of_key_;
  std::vector<std::string> labels_;  ///< of devices, in order
  std::unordered_map<std::string, Device> devices_;
};

}  // namespace

std::vector<ExportFile> netbox_files(const Catalog& catalog, const NetboxSite& site, const Elevations& elevations,
                                     const std::vector<WiredNetwork>& networks) {
  const NetboxDesign design(catalog, site, elevations, networks);
  const auto table = [](const char* name, std::string text) {
    return ExportFile{std::string("netbox/") + name + ".csv", "text/csv", std::move(text)};
  };
  std::vector<ExportFile> files{table("01-sites", design.sites()), table("02-manufacturers", design.manufacturers()),
                                table("03-device-roles", design.roles())};
  for (ExportFile& file : design.types()) files.push_back(std::move(file));
  for (const auto& [name, rows] : {std::pair("04-racks", design.racks()),
                                   {"05-devices", design.devices()},
                                   {"06-modules", design.modules()},
                                   {"07-cables", design.cables()},
                                   {"08-power-panels", design.power_panels()},
                                   {"09-power-feeds", design.power_feeds()},
                                   {"10-power-cables", design.power_cables()}})
    if (rows.find("\r\n") + 2 < rows.size()) files.push_back(table(name, rows));
  return files;
}

}  // namespace podwright
