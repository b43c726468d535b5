#pragma once
/// Racks, devices and cables as NetBox imports them. docs/method/exports.md#netbox.
#include <string>
#include <vector>

#include "architecture/elevation.h"
#include "catalog/catalog.h"
#include "export/export_file.h"
#include "export/tables.h"

namespace podwright {

/// In the order in which they are imported: sites, manufacturers, device roles, device types (one file each), racks,
/// devices, cables. Interfaces come with the device types, and every end of a cable is one of them. Devices that no
/// rack holds have no place and no height.
std::vector<ExportFile> netbox_files(const Catalog& catalog, const std::string& site, const Elevations& elevations,
                                     const std::vector<WiredNetwork>& networks);

}  // namespace podwright
