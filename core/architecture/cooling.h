#pragma once
/// Heat and what carries it away. All power that a device draws leaves it as heat.
/// docs/method/racks_and_power.md#cooling.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

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

}  // namespace podwright
