#pragma once
/// Heat and what carries it away. All power that a device draws leaves it as heat.
/// docs/method/racks_and_power.md#cooling.
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// British thermal units per hour: 3.412142 for each watt.
constexpr double heat_btu_per_h(Watts heat) { return heat / watts(1) * 3.412142; }
inline constexpr Formula<heat_btu_per_h> kHeatBtuPerH{.id = "architecture.heat_btu_per_h",
                                                      .inputs = {"heat"},
                                                      .equation = "heat * 3.412142",
                                                      .source = "definition of the unit"};

/// Air (1.2 kg/m3, 1,005 J/kg/K: sea level, 20 C) that takes the heat at a temperature rise in kelvin.
constexpr double air_flow_m3_per_s(Watts heat, double temperature_rise_k) {
  return heat / watts(1) / (1.2 * 1005.0 * temperature_rise_k);
}
inline constexpr Formula<air_flow_m3_per_s> kAirFlow{.id = "architecture.air_flow_m3_per_s",
                                                     .inputs = {"heat", "temperature_rise_k"},
                                                     .equation = "heat / (1.2 * 1005 * temperature_rise_k)",
                                                     .source = "docs/method/racks_and_power.md#cooling"};

/// Cubic feet per minute.
constexpr double air_flow_cfm(double air_flow_m3_per_s) { return air_flow_m3_per_s * 2118.88; }
inline constexpr Formula<air_flow_cfm> kAirFlowCfm{.id = "architecture.air_flow_cfm",
                                                   .inputs = {"air_flow_m3_per_s"},
                                                   .equation = "air_flow_m3_per_s * 2118.88",
                                                   .source = "definition of the unit"};

constexpr double air_flow_m3_per_h(double air_flow_m3_per_s) { return air_flow_m3_per_s * 3600.0; }
inline constexpr Formula<air_flow_m3_per_h> kAirFlowM3PerH{.id = "architecture.air_flow_m3_per_h",
                                                           .inputs = {"air_flow_m3_per_s"},
                                                           .equation = "air_flow_m3_per_s * 3600",
                                                           .source = "definition of the unit"};

/// Water (4,186 J/kg/K, 1 kg/L) that takes the heat at a temperature rise in kelvin. Mixtures with glycol need more.
constexpr double water_flow_l_per_min(Watts heat, double temperature_rise_k) {
  return heat / watts(1) * 60.0 / (4186.0 * temperature_rise_k);
}
inline constexpr Formula<water_flow_l_per_min> kWaterFlow{.id = "architecture.water_flow_l_per_min",
                                                          .inputs = {"heat", "temperature_rise_k"},
                                                          .equation = "heat * 60 / (4186 * temperature_rise_k)",
                                                          .source = "docs/method/racks_and_power.md#cooling"};

/// Heat into the liquid loop.
constexpr Watts liquid_heat(Watts heat, double liquid_heat_fraction) { return heat * liquid_heat_fraction; }
inline constexpr Formula<liquid_heat> kLiquidHeat{.id = "architecture.liquid_heat",
                                                  .inputs = {"heat", "liquid_heat_fraction"},
                                                  .equation = "heat * liquid_heat_fraction",
                                                  .source = "definition"};

/// Heat into the air of the room.
constexpr Watts air_heat(Watts heat, Watts liquid_heat) { return heat - liquid_heat; }
inline constexpr Formula<air_heat> kAirHeat{.id = "architecture.air_heat",
                                            .inputs = {"heat", "liquid_heat"},
                                            .equation = "heat - liquid_heat",
                                            .source = "definition"};

}  // namespace podwright
