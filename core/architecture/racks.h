#pragma once
/// How many devices a rack takes, how many racks there are, and the floor below them. docs/method/racks_and_power.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Devices of one height that stand in a rack; heights in rack units.
auto nodes_by_height(Of<double> auto usable_rack_units, Of<double> auto node_rack_units) {
  return cited("docs/method/racks_and_power.md#racks", floor(usable_rack_units / node_rack_units));
}

/// Devices of one weight that a rack carries.
auto nodes_by_weight(Of<double> auto rack_load_kg, Of<double> auto node_weight_kg) {
  return cited("docs/method/racks_and_power.md#racks", floor(rack_load_kg / node_weight_kg));
}

/// The tighter of two limits on the devices of a rack.
constexpr auto tighter_limit(Of<double> auto limit, Of<double> auto other_limit) {
  return cited("docs/method/racks_and_power.md#racks", min(limit, other_limit));
}

/// A count that a document draws for `drawn_units` scalable units, at another number of units.
auto scaled_drawing(Of<double> auto drawn_count, Of<double> auto units, Of<double> auto drawn_units) {
  return cited("docs/method/racks_and_power.md#other-racks", ceil(drawn_count * units / drawn_units));
}

/// A count that is not below another: racks as drawn and as the devices need, servers as drawn and as the units need.
constexpr auto at_least(Of<double> auto count, Of<double> auto least) {
  return cited("docs/method/racks_and_power.md#other-racks", max(count, least));
}

/// Floor of one rack with its half of the aisles before and behind it; metres and square metres.
constexpr auto rack_floor_m2(Of<double> auto width_m, Of<double> auto depth_m, Of<double> auto cold_aisle_m,
                             Of<double> auto hot_aisle_m) {
  return cited("docs/method/racks_and_power.md#floor", width_m * (depth_m + (cold_aisle_m + hot_aisle_m) / 2.0));
}

/// Load under the footprint of a rack; the rack's own weight is in `rack_weight_kg` only where the caller added it.
constexpr auto floor_load_kg_per_m2(Of<double> auto rack_weight_kg, Of<double> auto width_m, Of<double> auto depth_m) {
  return rack_weight_kg / (width_m * depth_m);
}

}  // namespace podwright
