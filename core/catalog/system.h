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

/// Equal parts that stand one above the other in a system that is a whole rack.
struct RackPart {
  std::string role;  ///< compute, nvswitch, power-shelf, switch
  double count = 0;
  double rack_units = 0;  ///< of one
};

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
  std::vector<RackPart> rack_parts;                     ///< from the floor up; empty where the order is not known
  std::optional<double> liquid_heat_fraction;           ///< share of the heat that leaves through the liquid loop
  std::optional<double> cache_drives;                   ///< local drives for data
  std::optional<Bytes> cache_drive;                     ///< capacity of one
  std::string confidence;
};

/// Whether the system fills a rack of its own.
inline bool is_rack(const System& system) { return system.trays.has_value(); }

/// Whether most of its heat leaves through a liquid: the words of `cooling` begin with what carries most.
inline bool needs_liquid(const System& system) { return system.cooling.rfind("liquid", 0) == 0; }

/// Whether the system can be ordered with this GPU.
inline bool holds_gpu(const System& system, std::string_view gpu_id) {
  return std::find(system.gpus.begin(), system.gpus.end(), gpu_id) != system.gpus.end();
}

struct Switch : CatalogItem {
  std::string kind;  ///< technology
  std::optional<double> ports;
  std::optional<double> cages;  ///< that the ports share
  std::optional<double> port_gbps;
  std::optional<double> rack_units;
  std::optional<Watts> power_max;
  std::optional<Watts> power_passive;  ///< typical, with passive cables: optical ones add to it
  std::optional<double> weight_kg;
};

}  // namespace podwright
