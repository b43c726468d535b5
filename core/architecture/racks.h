#pragma once
/// How many devices a rack takes, how many racks there are, and the floor below them. docs/method/racks_and_power.md.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Devices of one height that stand in a rack; heights in rack units.
inline double nodes_by_height(double usable_rack_units, double node_rack_units) {
  return std::floor(usable_rack_units / node_rack_units);
}
inline constexpr Formula<nodes_by_height> kNodesByHeight{.id = "architecture.nodes_by_height",
                                                         .inputs = {"usable_rack_units", "node_rack_units"},
                                                         .equation = "floor(usable_rack_units / node_rack_units)",
                                                         .source = "docs/method/racks_and_power.md#racks"};

/// Devices of one weight that a rack carries.
inline double nodes_by_weight(double rack_load_kg, double node_weight_kg) {
  return std::floor(rack_load_kg / node_weight_kg);
}
inline constexpr Formula<nodes_by_weight> kNodesByWeight{.id = "architecture.nodes_by_weight",
                                                         .inputs = {"rack_load_kg", "node_weight_kg"},
                                                         .equation = "floor(rack_load_kg / node_weight_kg)",
                                                         .source = "docs/method/racks_and_power.md#racks"};

/// The tighter of two limits on the devices of a rack.
constexpr double tighter_limit(double limit, double other_limit) { return std::min(limit, other_limit); }
inline constexpr Formula<tighter_limit> kTighterLimit{.id = "architecture.tighter_limit",
                                                      .inputs = {"limit", "other_limit"},
                                                      .equation = "min(limit, other_limit)",
                                                      .source = "docs/method/racks_and_power.md#racks"};

/// Weight of the equal devices of a rack.
constexpr double rack_weight_kg(double devices, double device_weight_kg) { return devices * device_weight_kg; }
inline constexpr Formula<rack_weight_kg> kRackWeight{.id = "architecture.rack_weight_kg",
                                                     .inputs = {"devices", "device_weight_kg"},
                                                     .equation = "devices * device_weight_kg",
                                                     .source = "definition"};

/// A count that a document draws for `drawn_units` scalable units, at another number of units.
inline double scaled_drawing(double drawn_count, double units, double drawn_units) {
  return std::ceil(drawn_count * units / drawn_units);
}
inline constexpr Formula<scaled_drawing> kScaledDrawing{.id = "architecture.scaled_drawing",
                                                        .inputs = {"drawn_count", "units", "drawn_units"},
                                                        .equation = "ceil(drawn_count * units / drawn_units)",
                                                        .source = "docs/method/racks_and_power.md#other-racks"};

/// A count that is not below another: racks as drawn and as the devices need, servers as drawn and as the units need.
constexpr double at_least(double count, double least) { return std::max(count, least); }
inline constexpr Formula<at_least> kAtLeast{.id = "architecture.at_least",
                                            .inputs = {"count", "least"},
                                            .equation = "max(count, least)",
                                            .source = "docs/method/racks_and_power.md#other-racks"};

/// Racks that a drawing has beside those of its systems.
constexpr double other_racks(double racks, double compute_racks) { return racks - compute_racks; }
inline constexpr Formula<other_racks> kOtherRacks{.id = "architecture.other_racks",
                                                  .inputs = {"racks", "compute_racks"},
                                                  .equation = "racks - compute_racks",
                                                  .source = "definition"};

/// Racks of the systems, and those of networks and management.
constexpr double all_racks(double compute_racks, double other_racks) { return compute_racks + other_racks; }
inline constexpr Formula<all_racks> kAllRacks{.id = "architecture.all_racks",
                                              .inputs = {"compute_racks", "other_racks"},
                                              .equation = "compute_racks + other_racks",
                                              .source = "definition"};

/// Floor of one rack with its half of the aisles before and behind it; metres and square metres.
constexpr double rack_floor_m2(double width_m, double depth_m, double cold_aisle_m, double hot_aisle_m) {
  return width_m * (depth_m + (cold_aisle_m + hot_aisle_m) / 2.0);
}
inline constexpr Formula<rack_floor_m2> kRackFloor{.id = "architecture.rack_floor_m2",
                                                   .inputs = {"width_m", "depth_m", "cold_aisle_m", "hot_aisle_m"},
                                                   .equation = "width_m * (depth_m + (cold_aisle_m + hot_aisle_m) / 2)",
                                                   .source = "docs/method/racks_and_power.md#floor"};

constexpr double floor_m2(double racks, double rack_floor_m2) { return racks * rack_floor_m2; }
inline constexpr Formula<floor_m2> kFloor{.id = "architecture.floor_m2",
                                          .inputs = {"racks", "rack_floor_m2"},
                                          .equation = "racks * rack_floor_m2",
                                          .source = "definition"};

/// Load under the footprint of a rack; the rack's own weight is in `rack_weight_kg` only where the caller added it.
constexpr double floor_load_kg_per_m2(double rack_weight_kg, double width_m, double depth_m) {
  return rack_weight_kg / (width_m * depth_m);
}
inline constexpr Formula<floor_load_kg_per_m2> kFloorLoad{.id = "architecture.floor_load_kg_per_m2",
                                                          .inputs = {"rack_weight_kg", "width_m", "depth_m"},
                                                          .equation = "rack_weight_kg / (width_m * depth_m)",
                                                          .source = "definition"};

}  // namespace podwright
