#include "export/netbox_types.h"

#include <cmath>

#include "base/number_text.h"
#include "base/slug.h"
#include "base/yaml_text.h"

namespace podwright {

std::string netbox_interface_type(const Switch& item) {
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

namespace {

/// How many supplies share the power is not known, so that one port has all of it.
void add_power_port(std::string& text, const NetboxDeviceType& type) {
  if (!type.power && !type.has_input) return;
  text += "power-ports:\n  - name: \"input\"\n    type: other\n";
  if (type.power) text += "    maximum_draw: " + shortest_number(std::ceil(*type.power / kw(0.001))) + "\n";
}

void add_inventory(std::string& text, const NetboxDeviceType& type) {
  if (type.gpus == 0) return;
  text += "inventory-items:\n";
  for (std::uint32_t gpu = 1; gpu <= type.gpus; ++gpu)
    text += "  - name: \"gpu" + std::to_string(gpu) +
            "\"\n    manufacturer: \"NVIDIA\"\n    part_id: " + yaml_text(type.gpu) + "\n";
}

}  // namespace

ExportFile netbox_device_type_file(const NetboxDeviceType& type) {
  std::string text = "---\nmanufacturer: " + yaml_text(type.manufacturer) + "\nmodel: " + yaml_text(type.model) +
                     "\nslug: " + yaml_text(type.slug) + "\nu_height: " + std::to_string(type.rack_units) +
                     "\nis_full_depth: true\n";
  if (type.weight_kg) text += "weight: " + shortest_number(*type.weight_kg) + "\nweight_unit: kg\n";
  add_power_port(text, type);
  if (!type.interfaces.empty()) text += "interfaces:\n";
  for (const auto& [name, interface] : type.interfaces) {
    text += "  - name: " + yaml_text(name) + "\n    type: " + interface + "\n";
    if (name == "mgmt") text += "    mgmt_only: true\n";
  }
  if (!type.bays.empty()) text += "module-bays:\n";
  for (const auto& [name, position] : type.bays)
    text += "  - name: " + yaml_text(name) + "\n    position: " + yaml_text(position) + "\n";
  add_inventory(text, type);
  return {"netbox/device-types/" + type.slug + ".yaml", "application/yaml", std::move(text)};
}

ExportFile netbox_module_type_file(const std::string& manufacturer, const std::string& model) {
  return {"netbox/module-types/" + slug_of(manufacturer + " " + model) + ".yaml", "application/yaml",
          "---\nmanufacturer: " + yaml_text(manufacturer) + "\nmodel: " + yaml_text(model) + "\n"};
}

}  // namespace podwright
