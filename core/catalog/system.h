#pragma once
/// A server or rack one can order, and the switches that join them.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "catalog/item.h"

namespace podwright {

struct System : CatalogItem {
  std::vector<std::string> gpus;  ///< ids of the GPUs it is built with
  double gpu_count = 0;
  std::optional<Watts> power_max;
  std::optional<Watts> power_typical;  ///< where the maker states no maximum
  std::optional<double> rack_units;
  std::optional<double> weight_kg;
  std::string cooling;  ///< air, liquid
  std::string compute_nics;
  std::optional<double> compute_nic_count;
  std::optional<BytesPerSecond> compute_nic_bandwidth;  ///< line rate of one NIC, one direction
  std::optional<double> trays;                          ///< compute trays of a system that is a whole rack
  std::optional<double> nvswitch_trays;                 ///< beside them
  std::optional<double> power_shelves;                  ///< of such a rack
  std::optional<double> liquid_heat_fraction;           ///< share of the heat that leaves through the liquid loop
  std::optional<double> cache_drives;                   ///< local drives for data
  std::optional<Bytes> cache_drive;                     ///< capacity of one
  std::string confidence;
};

/// Whether the system fills a rack of its own.
inline bool is_rack(const System& system) { return system.trays.has_value(); }

/// Whether the system can be ordered with this GPU.
inline bool holds_gpu(const System& system, std::string_view gpu_id) {
  return std::find(system.gpus.begin(), system.gpus.end(), gpu_id) != system.gpus.end();
}

struct Switch : CatalogItem {
  std::string kind;  ///< technology
  std::optional<double> ports;
  std::optional<double> port_gbps;
  std::optional<double> rack_units;
  std::optional<Watts> power_max;
  std::optional<double> weight_kg;
  std::string notes;
};

}  // namespace podwright
