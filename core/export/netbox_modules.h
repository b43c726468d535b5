#pragma once
/// Transceivers as modules in the cages of devices. docs/method/exports.md#netbox.
#include <functional>
#include <string>
#include <vector>

#include "catalog/system.h"
#include "export/tables.h"

namespace podwright {

/// A cage that is a module bay, with the transceiver in it.
struct NetboxModule {
  std::string device;
  std::string bay;       ///< "cage-3" of a switch, "compute-cage-3" of another device
  std::string position;  ///< "3"
  std::string type;      ///< model of the module type; its maker is not known
};

/// Of networks whose switches say how many ports share a cage: others' transceivers are not counted in the bill either.
/// `item_of` finds the switch of a device, null for other devices. Both ends of a multimode or single-mode cable need
/// one; those with one cable of two links share it.
std::vector<NetboxModule> netbox_modules(const std::vector<WiredNetwork>& networks,
                                         const std::function<const Switch*(const std::string&)>& item_of);

/// Ports that share a cage of this switch; 0: not known.
std::uint32_t ports_per_cage(const Switch& item);

}  // namespace podwright
