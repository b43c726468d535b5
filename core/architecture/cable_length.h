#pragma once
/// How long each cable is, from where its ends stand, and what it is made of. docs/method/fabric.md#cable-lengths.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "architecture/elevation.h"
#include "architecture/wiring.h"
#include "base/arithmetic.h"
#include "catalog/catalog.h"

namespace podwright {

/// Racks of a row on a floor that is about as wide as it is long.
auto racks_in_row(Of<double> auto racks, Of<double> auto row_pitch_m, Of<double> auto rack_width_m) {
  return cited("docs/method/fabric.md#cable-lengths", ceil(sqrt(racks * row_pitch_m / rack_width_m)));
}

/// From the front of one row to the front of the next, half of the aisles to either side.
constexpr auto row_pitch_m(Of<double> auto depth_m, Of<double> auto cold_aisle_m, Of<double> auto hot_aisle_m) {
  return cited("docs/method/fabric.md#cable-lengths", depth_m + (cold_aisle_m + hot_aisle_m) / 2.0);
}

/// From a device up to the tray above the racks.
constexpr auto rise_to_tray_m(Of<double> auto rack_units, Of<double> auto unit, Of<double> auto rack_unit_m,
                              Of<double> auto clearance_m) {
  return cited("docs/method/fabric.md#cable-lengths", (rack_units - unit) * rack_unit_m + clearance_m);
}

/// Up, along the rows and across them, down.
constexpr auto cable_over_tray_m(Of<double> auto rises_m, Of<double> auto along_m, Of<double> auto across_m,
                                 Of<double> auto slack_m) {
  return cited("docs/method/fabric.md#cable-lengths", rises_m + along_m + across_m + slack_m);
}

constexpr auto cable_in_rack_m(Of<double> auto units_between, Of<double> auto rack_unit_m, Of<double> auto slack_m) {
  return cited("docs/method/fabric.md#cable-lengths", units_between * rack_unit_m + slack_m);
}

/// Cables are ordered in these lengths, in metres: 3 ends passive copper, 50 multimode and 100, 500, 2000 the kinds of
/// single-mode optics; 5, 10 and 30 split the multimode range.
inline constexpr std::array<double, 8> kCableLengths{3, 5, 10, 30, 50, 100, 500, 2000};
inline constexpr std::uint8_t kNoLength = 255;
/// The shortest that reaches, as index into kCableLengths; kNoLength where none does.
std::uint8_t cable_length_class(double length_m);

enum class CableMedium : std::uint8_t { unknown, twisted_pair, copper, active_optical, multimode, single_mode };
inline constexpr std::array<std::string_view, 6> kCableMediumWords{
    "", "twisted-pair", "copper", "active-optical", "multimode", "single-mode"};

/// The floor, in metres. Racks stand in rows of the same number, in a tray's reach of each other.
struct FloorPlan {
  double rack_width = 0;
  double row_pitch = 0;
  double rack_unit = 0;
  double tray_clearance = 0;
  double slack = 0;                 ///< of both ends together
  std::uint32_t racks_per_row = 0;  ///< 0: by racks_in_row()
};
/// From operating_figures.csv; absent where the catalog lacks one of the figures.
std::optional<FloorPlan> floor_plan(const Catalog& catalog);

/// Where a device stands: centre of the rack on the floor, and how far up.
struct DevicePlace {
  std::uint32_t rack = 0;
  double along_m = 0;   ///< of the row
  double across_m = 0;  ///< the rows
  double unit = 0;      ///< middle of the device, in rack units from the floor
};

/// Places of all racked devices. Racks without systems stand in the middle of the others, since everything leads to
/// them. A device that no rack holds but whose label goes on from a rack's ("r001-pdu1") stands half way up in it.
class DevicePlaces {
 public:
  DevicePlaces(const Elevations& elevations, const FloorPlan& plan);

  std::optional<DevicePlace> find(const std::string& label) const;
  /// Length of a cable between two places.
  double cable_m(const DevicePlace& from, const DevicePlace& to) const;
  std::uint32_t racks_per_row() const { return racks_per_row_; }

 private:
  FloorPlan plan_;
  double rack_units_ = 0;
  std::uint32_t racks_per_row_ = 0;
  std::unordered_map<std::string, DevicePlace> devices_;
  std::unordered_map<std::string, DevicePlace> racks_;
};

/// One kind of cable or optics: how far it reaches.
struct CableReach {
  CableMedium medium = CableMedium::unknown;
  double reach_m = 0;
  bool to_nodes = true;          ///< whether an end may be no switch
  bool between_switches = true;  ///< whether both ends may be switches
};

/// What the ports of a switch take, the kinds to be preferred first. "1g", "25g", "50g", "100g" and "200g": the rate of
/// a lane decides, not the name of the network. Empty where the switch's rate is not known.
std::string_view lane_rate(const Switch& item);
std::vector<CableReach> cable_reaches(const Catalog& catalog, std::string_view lane_rate);

/// Cables of one network by the role of their upper end.
struct CableRules {
  struct Rule {
    std::string to_role;
    std::vector<CableReach> reaches;
  };
  std::vector<Rule> rules;
  /// Passive copper wherever it reaches. Else only between switches of the same role, as published builds count
  /// transceivers for all other links.
  bool copper = false;
};

struct CableRun {
  std::uint8_t length = kNoLength;  ///< index into kCableLengths; kNoLength where a place is not known
  CableMedium medium = CableMedium::unknown;
};

/// One for each wire, in order.
std::vector<CableRun> cable_runs(const NetworkWiring& wiring, const DevicePlaces& places, const CableRules& rules);

/// Cables that are alike.
struct CableLine {
  std::string network;
  std::string from_role;
  std::string to_role;
  CableMedium medium = CableMedium::unknown;
  std::optional<double> length_m;  ///< as ordered; absent where not known
  double links = 0;
  double cables = 0;  ///< links over links per cable; over the lines of two roles they sum to that, rounded up
};

/// By roles in the order of the wires, then by medium and length. `runs` must be of `wiring`.
std::vector<CableLine> cable_lines(const NetworkWiring& wiring, const std::vector<CableRun>& runs);

}  // namespace podwright
