#pragma once
/// Electricity of owned machines.
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Mean draw at the meter: `load` is mean over maximum power of the machines, `pue` facility over machines.
constexpr Watts facility_power(Watts it_power, double load, double pue) { return it_power * load * pue; }
inline constexpr Formula<facility_power> kFacilityPower{.id = "cost.facility_power",
                                                        .inputs = {"it_power", "load", "pue"},
                                                        .equation = "it_power * load * pue",
                                                        .source = "docs/method/prices.md#energy"};

/// A year has 8,760 hours.
constexpr Joules energy_per_year(Watts power) { return power * years(1); }
inline constexpr Formula<energy_per_year> kEnergyPerYear{
    .id = "cost.energy_per_year", .inputs = {"power"}, .equation = "power * 31536000", .source = "definition"};

constexpr UsdPerSecond energy_cost(Watts power, UsdPerJoule electricity_price) { return power * electricity_price; }
inline constexpr Formula<energy_cost> kEnergyCost{.id = "cost.energy_cost",
                                                  .inputs = {"power", "electricity_price"},
                                                  .equation = "power * electricity_price",
                                                  .source = "docs/method/prices.md#energy"};

}  // namespace podwright
