#pragma once
/// Electricity of owned machines.
#include "architecture/facility.h"
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

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
