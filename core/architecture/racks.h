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

// Heat and what carries it away. All power that a device draws leaves it as heat.
// docs/method/racks_and_power.md#cooling.

/// British thermal units per hour: 3.412142 for each watt.
constexpr auto heat_btu_per_h(Of<Watts> auto heat) {
  return cited("definition of the unit", heat / watts(1) * 3.412142);
}

/// Air (1.2 kg/m3, 1,005 J/kg/K: sea level, 20 C) that takes the heat at a temperature rise in kelvin.
constexpr auto air_flow_m3_per_s(Of<Watts> auto heat, Of<double> auto temperature_rise_k) {
  return cited("docs/method/racks_and_power.md#cooling", heat / watts(1) / (1.2 * 1005.0 * temperature_rise_k));
}

/// Cubic feet per minute.
constexpr auto air_flow_cfm(Of<double> auto air_flow_m3_per_s) {
  return cited("definition of the unit", air_flow_m3_per_s * 2118.88);
}

constexpr auto air_flow_m3_per_h(Of<double> auto air_flow_m3_per_s) {
  return cited("definition of the unit", air_flow_m3_per_s * 3600.0);
}

/// Water (4,186 J/kg/K, 1 kg/L) that takes the heat at a temperature rise in kelvin. Mixtures with glycol need more.
constexpr auto water_flow_l_per_min(Of<Watts> auto heat, Of<double> auto temperature_rise_k) {
  return cited("docs/method/racks_and_power.md#cooling", heat / watts(1) * 60.0 / (4186.0 * temperature_rise_k));
}

// Circuits into a rack, power distribution units (PDUs), and the uninterruptible supply (UPS) behind them.
// docs/method/racks_and_power.md#feeds.

/// Apparent power (volt-amperes) of a three-phase circuit. `derating` is the share of the breaker's rating that may
/// flow all the time.
auto feed_apparent_power(Of<double> auto line_voltage, Of<double> auto current, Of<double> auto derating) {
  return cited("three-phase power", in<Watts>(sqrt(3.0) * line_voltage * current * derating));
}

/// Feeds of a rack that may lose one of them (N+1).
auto feeds_per_rack(Of<Watts> auto rack_power, Of<Watts> auto feed_power) {
  return cited("docs/method/racks_and_power.md#feeds", 1.0 + max(1.0, ceil(rack_power / feed_power)));
}

/// What each of the others carries when one feed is lost; at least two feeds.
constexpr auto feed_load_after_loss(Of<Watts> auto rack_power, Of<double> auto feeds) {
  return rack_power / (feeds - 1.0);
}

/// UPS modules that carry a load when one of them is out (N+1).
auto ups_modules(Of<Watts> auto load, Of<Watts> auto module_power) {
  return cited("docs/method/racks_and_power.md#ups", 1.0 + ceil(load / module_power));
}

/// Share of one of `count` things, at least one, in a power.
constexpr auto power_of_each(Of<Watts> auto power, Of<double> auto count) { return power / max(1.0, count); }

// Draw of machines with the plant around them.

/// Mean draw at the meter: `load` is mean over maximum power of the machines, `pue` facility over machines.
constexpr auto facility_power(Of<Watts> auto it_power, Of<double> auto load, Of<double> auto pue) {
  return cited("docs/method/prices.md#energy", it_power * load * pue);
}

}  // namespace podwright
