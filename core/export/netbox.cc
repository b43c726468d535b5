#include "export/netbox.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/number_text.h"
#include "base/words.h"
#include "base/yaml_text.h"
#include "export/format_text.h"

namespace podwright {
namespace {

/// NetBox's word for a port of this switch.
std::string interface_type(const Switch& item) {
  for (const auto& [kind, type] :
       {std::pair("HDR", "infiniband-hdr"), {"NDR", "infiniband-ndr"}, {"XDR", "infiniband-xdr"}})
    if (item.kind.find(kind) != std::string::npos) return type;
  const double gbps = item.port_gbps.value_or(0);
  for (const auto& [rate, type] : {std::pair(1.0, "1000base-t"),
                                   {100.0, "100gbase-x-qsfp28"},
                                   {200.0, "200gbase-x-qsfp56"},
                                   {400.0, "400gbase-x-osfp"},
                                   {800.0, "800gbase-x-osfp"}})
    if (gbps == rate) return type;
  return "other";
}

/// NetBox's words for a CableMedium.
constexpr std::array<std::string_view, kCableMediumWords.size()> kCableTypes{"",    "cat6",    "dac-passive",
                                                                             "aoc", "mmf-om4", "smf-os2"};

/// "nic2" before "nic10": text, then the number at the end.
struct NaturalOrder {
  bool operator()(const std::string& a, const std::string& b) const {
    const auto head = [](const std::string& text) { return text.find_last_not_of("0123456789") + 1; };
    const std::size_t x = head(a), y = head(b);
    if (a.compare(0, x, b, 0, y) != 0) return a.compare(0, x, b, 0, y) < 0;
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};

struct DeviceType {
  std::string manufacturer;
  std::string model;
  std::string slug;
  std::uint32_t rack_units = 0;  ///< 0: takes no place in a rack
  std::optional<double> weight_kg;
  const Switch* item = nullptr;
  std::map<std::string, std::string, NaturalOrder> interfaces;  ///< name -> type
};

struct Device {
  std::size_t type = 0;
  std::string role;
  std::string rack;
  std::uint32_t position = 0;
};

class NetboxDesign {
 public:
  NetboxDesign(const Catalog& catalog, const Elevations& elevations, const std::vector<WiredNetwork>& networks)
      : catalog_(catalog), elevations_(elevations), networks_(networks) {
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
    for (DeviceType& type : types_) fill_front(type);
  }

  std::string manufacturers() const {
    std::string text;
    std::set<std::string> known;
    add_csv_row(text, {"name", "slug"});
    for (const DeviceType& type : types_)
      if (known.insert(type.manufacturer).second) add_csv_row(text, {type.manufacturer, slug_of(type.manufacturer)});
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

  std::vector<ExportFile> device_types() const {
    std::vector<ExportFile> files;
    for (const DeviceType& type : types_) {
      std::string text = "---\nmanufacturer: " + yaml_text(type.manufacturer) + "\nmodel: " + yaml_text(type.model) +
                         "\nslug: " + yaml_text(type.slug) + "\nu_height: " + std::to_string(type.rack_units) +
                         "\nis_full_depth: true\n";
      if (type.weight_kg) text += "weight: " + shortest_number(*type.weight_kg) + "\nweight_unit: kg\n";
      if (!type.interfaces.empty()) text += "interfaces:\n";
      for (const auto& [name, interface] : type.interfaces) {
        text += "  - name: " + yaml_text(name) + "\n    type: " + interface + "\n";
        if (name == "mgmt") text += "    mgmt_only: true\n";
      }
      files.push_back({"netbox/device-types/" + type.slug + ".yaml", "application/yaml", std::move(text)});
    }
    return files;
  }

  std::string racks(const std::string& site) const {
    std::string text;
    add_csv_row(text, {"site", "name", "status", "form_factor", "width", "u_height", "desc_units"});
    for (const RackElevation& rack : elevations_.racks)
      add_csv_row(
          text, {site, rack.label, "planned", "4-post-cabinet", "19", std::to_string(elevations_.rack_units), "false"});
    return text;
  }

  std::string devices(const std::string& site) const {
    std::string text;
    add_csv_row(text, {"name", "role", "manufacturer", "device_type", "status", "site", "rack", "position", "face"});
    for (const std::string& label : labels_) {
      const Device& device = devices_.find(label)->second;
      const DeviceType& type = types_[device.type];
      const bool placed = device.position > 0;
      add_csv_row(text, {label, device.role, type.manufacturer, type.model, "planned", site, device.rack,
                         placed ? std::to_string(device.position) : std::string(), placed ? "front" : ""});
    }
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

 private:
  void add(const std::string& label, Device device) {
    if (devices_.emplace(label, std::move(device)).second) labels_.push_back(label);
  }

  /// The rack that a label continues from; empty where there is none.
  std::string rack_of(const std::string& label) const {
    for (std::size_t end = label.rfind('-'); end != std::string::npos && end > 0; end = label.rfind('-', end - 1))
      if (racks_.count(label.substr(0, end)) > 0) return label.substr(0, end);
    return {};
  }

  /// Devices of one item are of one type, whatever they are for; others are of one type by role and height.
  std::size_t type_of(const DeviceKind& kind) {
    const std::string key =
        kind.item_id.empty() ? kind.role + "/" + std::to_string(kind.rack_units) : "item/" + kind.item_id;
    const auto [at, added] = type_of_key_.emplace(key, types_.size());
    if (!added) return at->second;
    DeviceType type{.manufacturer = "Generic", .rack_units = kind.rack_units, .weight_kg = kind.weight_kg};
    type.item = row_with_id(catalog_.switches, kind.item_id);
    const System* system = row_with_id(catalog_.systems, kind.item_id);
    if (type.item != nullptr)
      type.model = type.item->name;
    else if (system != nullptr)
      type.model = system->name;
    else
      type.model = kind.role + (kind.rack_units > 0 ? " " + std::to_string(kind.rack_units) + "U" : "");
    // The catalog's switches and DGX systems are NVIDIA's own; other makers build the rest.
    if (type.item != nullptr || (system != nullptr && system->id.rfind("oem-", 0) != 0)) type.manufacturer = "NVIDIA";
    type.slug = slug_of(type.manufacturer + " " + type.model);
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
                                           upper != nullptr ? interface_type(*upper) : std::string("other"));
  }

  /// Ports of a switch that nothing is joined to.
  static void fill_front(DeviceType& type) {
    if (type.item == nullptr || !type.item->ports) return;
    for (int port = 1; port <= *type.item->ports; ++port)
      type.interfaces.emplace(std::to_string(port), interface_type(*type.item));
  }

  const Catalog& catalog_;
  const Elevations& elevations_;
  const std::vector<WiredNetwork>& networks_;
  std::set<std::string> racks_;
  std::vector<DeviceType> types_;
  std::map<std::string, std::size_t> type_of_key_;
  std::vector<std::string> labels_;  ///< of devices, in order
  std::unordered_map<std::string, Device> devices_;
};

}  // namespace

std::vector<ExportFile> netbox_files(const Catalog& catalog, const std::string& site, const Elevations& elevations,
                                     const std::vector<WiredNetwork>& networks) {
  const NetboxDesign design(catalog, elevations, networks);
  std::string sites;
  add_csv_row(sites, {"name", "slug", "status"});
  add_csv_row(sites, {site, slug_of(site), "planned"});
  std::vector<ExportFile> files{{"netbox/1-sites.csv", "text/csv", std::move(sites)},
                                {"netbox/2-manufacturers.csv", "text/csv", design.manufacturers()},
                                {"netbox/3-device-roles.csv", "text/csv", design.roles()}};
  for (ExportFile& file : design.device_types()) files.push_back(std::move(file));
  files.push_back({"netbox/4-racks.csv", "text/csv", design.racks(site)});
  files.push_back({"netbox/5-devices.csv", "text/csv", design.devices(site)});
  files.push_back({"netbox/6-cables.csv", "text/csv", design.cables()});
  return files;
}

}  // namespace podwright
