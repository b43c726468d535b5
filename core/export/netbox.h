#pragma once
/// Racks, devices and cables as NetBox imports them. docs/method/exports.md#netbox.
#include <optional>
#include <string>
#include <vector>

#include "architecture/elevation.h"
#include "catalog/catalog.h"
#include "export/export_file.h"
#include "export/tables.h"

namespace podwright {

/// Circuits of a rack with systems, each on a panel of its own; one of them may be lost.
struct NetboxFeeds {
  double per_rack = 0;
  double line_voltage = 0;  ///< V, between two of three phases
  double current = 0;       ///< A
  double derating = 0;      ///< share of the current that may flow all the time
};

/// What a design knows besides its racks and networks.
struct NetboxSite {
  std::string name;
  std::string gpu;       ///< name of the GPU; empty: GPUs are not listed
  std::string gpu_role;  ///< of the devices that hold it: "system", or "compute" for the trays of a rack
  double gpus_of_device = 0;
  std::optional<NetboxFeeds> feeds;  ///< absent: circuits are not known
};

/// In the order in which they are imported: sites, manufacturers, device roles, device and module types (one file
/// each), racks, devices, modules, cables, power panels, feeds and their cables. Interfaces, module bays, power ports
/// and GPUs come with the device types, and every end of a cable is one of them. Devices that no rack holds have no
/// place and no height.
std::vector<ExportFile> netbox_files(const Catalog& catalog, const NetboxSite& site, const Elevations& elevations,
                                     const std::vector<WiredNetwork>& networks);

}  // namespace podwright
