#pragma once
/// The devices of a design as an inventory for Ansible. docs/method/exports.md#ansible.
#include <string>
#include <vector>

#include "architecture/elevation.h"
#include "export/tables.h"

namespace podwright {

/// Every device as a host in groups by role ("role_system"), scalable unit ("unit_001") and rack ("rack_r001"), in
/// YAML; `elevations` null: racks are not known. Empty where there are no devices.
std::string ansible_inventory(const std::vector<WiredNetwork>& networks, const Elevations* elevations);

}  // namespace podwright
