#pragma once
/// Rack elevations as data: which device stands at which rack unit. docs/method/racks_and_power.md#elevations.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "catalog/system.h"

namespace podwright {

/// Devices that are alike. What is not known (power, weight) is not counted against a limit.
struct DeviceKind {
  std::string item_id;  ///< of the catalog; empty for a part that is not an item of its own
  std::string role;     ///< system, compute-leaf, storage, in-band, out-of-band, management, power-shelf ...
  std::uint32_t rack_units = 1;
  std::optional<Watts> power;
  std::optional<double> weight_kg;
};

/// The devices of one kind, in the order in which they are placed; their labels are unique over all groups.
struct DeviceGroup {
  DeviceKind kind;
  std::vector<std::string> labels;
};

struct RackedDevice {
  std::uint32_t kind = 0;         ///< index into Elevations::kinds
  std::uint32_t bottom_unit = 1;  ///< lowest unit that it fills; units count up from 1 at the floor
  std::string label;
};

struct RackElevation {
  std::string label;
  std::vector<RackedDevice> devices;  ///< from the floor up
  std::uint32_t used_units = 0;
  Watts power;           ///< of the devices whose power is known
  double weight_kg = 0;  ///< of the devices whose weight is known, without the rack
};

struct Elevations {
  std::uint32_t rack_units = 0;
  std::vector<DeviceKind> kinds;
  std::vector<RackElevation> racks;
  std::vector<std::string> unplaced;  ///< labels of devices that not even an empty rack takes
};

/// What one rack allows; absent: not limited.
struct ElevationLimits {
  std::uint32_t rack_units = 0;
  std::optional<Watts> power;
  std::optional<double> load_kg;
};

/// Puts `per_rack` devices (at least 1) into every rack from the floor up and the rest into the last. Racks are
/// labelled
/// "<prefix>001" and on. Devices that break a limit are unplaced.
void fill_racks(Elevations& elevations, const DeviceGroup& group, std::uint32_t per_rack, const ElevationLimits& limits,
                std::string_view prefix);

/// Racks that the groups need when each device goes into the rack of the one before it as long as it fits there. More
/// devices never need fewer racks. Devices that not even an empty rack takes are not counted.
std::uint32_t packed_racks(const std::vector<DeviceGroup>& groups, const ElevationLimits& limits);

/// Places the groups in that way over `rack_count` racks (at least packed_racks()), about as many devices in each.
void pack_racks(Elevations& elevations, const std::vector<DeviceGroup>& groups, std::uint32_t rack_count,
                const ElevationLimits& limits, std::string_view prefix);

/// A rack for every system that is one, its parts from the floor up, labelled "<system>-compute-01" and so on. Empty
/// racks where the catalog does not give the order of the parts.
void stand_rack_systems(Elevations& elevations, const System& system, const std::vector<std::string>& labels,
                        std::optional<Watts> power);

/// One line of a drawing.
struct RackUnit {
  std::uint32_t unit = 0;                ///< from 1 at the floor
  const RackedDevice* device = nullptr;  ///< null: free
  bool lowest = false;                   ///< the lowest unit of its device
};
/// Every unit of a rack, from the floor up.
std::vector<RackUnit> unit_by_unit(const Elevations& elevations, const RackElevation& rack);

}  // namespace podwright
