#pragma once
/// Types of devices and modules as NetBox takes them: ports, bays, power and inventory. docs/method/exports.md#netbox.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "catalog/system.h"
#include "export/export_file.h"

namespace podwright {

/// NetBox's word for a port of this switch.
std::string netbox_interface_type(const Switch& item);

/// "nic2" before "nic10": text, then the number at the end.
struct NaturalOrder {
  bool operator()(const std::string& a, const std::string& b) const {
    const auto head = [](const std::string& text) { return text.find_last_not_of("0123456789") + 1; };
    const std::size_t x = head(a), y = head(b);
    if (a.compare(0, x, b, 0, y) != 0) return a.compare(0, x, b, 0, y) < 0;
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};

struct NetboxDeviceType {
  std::string manufacturer;
  std::string model;
  std::string slug;
  std::uint32_t rack_units = 0;  ///< 0: takes no place in a rack
  std::optional<double> weight_kg;
  std::optional<Watts> power;  ///< that it is planned with
  bool has_input = false;      ///< a power port although no power is known: a PDU
  const Switch* item = nullptr;
  std::map<std::string, std::string, NaturalOrder> interfaces;  ///< name -> type
  std::map<std::string, std::string, NaturalOrder> bays;        ///< name -> position
  std::uint32_t gpus = 0;
  std::string gpu;  ///< name
};

/// In the format of the devicetype-library (schema/devicetype.json), under netbox/device-types.
ExportFile netbox_device_type_file(const NetboxDeviceType& type);

/// A transceiver has no parts of its own: its ports belong to the device, for whatever is plugged in.
/// In the format of schema/moduletype.json, under netbox/module-types.
ExportFile netbox_module_type_file(const std::string& manufacturer, const std::string& model);

}  // namespace podwright
